import { track } from '#web/platform/analytics/events.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { currentScene } from '#web/platform/entry/scene.ts';
import { purchaseIntent } from '#web/platform/session/storage/purchase.ts';
import { conclude, lookUp } from './pay-outcome.ts';
import type { PayHooks, PayPlan } from './pay-plan.ts';
import { payBody, sendPayment, type PayOutcome, type PayRequest } from './pay-request.ts';
import { valuePurchase } from './pay-value.ts';
import { pause, unlessStopped, waitAfter } from './pay-wait.ts';

/** After this many lost requests the server is asked for the outcome instead. */
const resends = 6;

/** One tap of the pay button, from the price to the outcome. */
export async function runPayment(plan: PayPlan, hooks: PayHooks): Promise<void> {
  // The key is read before the tip: if another tab pays in between, either the tip or the used key reveals it.
  const intent = purchaseIntent(plan.uid, plan.input.planId);
  const { idempotencyKey } = intent.getOrCreate();
  const price = await valuePurchase(plan, hooks);
  if (!price || !isAgreed(price, plan, hooks)) return;
  const body = await bodyOf(plan, price);
  intent.markSent();
  track('pay', 'payment', { method_code: plan.method.code });
  await sendUntilKnown(
    { body, idempotencyKey, orderId: plan.orderId, replaceAttempt: plan.replaceAttempt },
    plan,
    hooks,
  );
}

type Priced = NonNullable<Awaited<ReturnType<typeof valuePurchase>>>;

/** Whether the machine sends at this price; otherwise it waits for another tap. */
function isAgreed({ tip, total, later }: Priced, { shown, accepted }: PayPlan, hooks: PayHooks): boolean {
  const { phase } = hooks.send({ type: 'valued', shown, accepted, tip, total, later });
  return phase === 'sending' && hooks.alive();
}

async function bodyOf(plan: PayPlan, { quoteId, installments, renew }: Priced): Promise<PayRequest['body']> {
  const ticket = await plan.takeTicket?.();
  return payBody({ ...plan, quoteId, installments, renew, ticket, scene: currentScene().scene });
}

/** Sends, and resends the same request while the outcome is unknown. */
async function sendUntilKnown(request: PayRequest, plan: PayPlan, hooks: PayHooks): Promise<void> {
  const intent = purchaseIntent(plan.uid, plan.input.planId);
  const sentAt = serverNow();
  let spent = false;
  for (let tries = 0; tries < resends && hooks.alive() && !spent && !hooks.stop.aborted; tries += 1) {
    if (tries > 0) await unlessStopped(pause(waitAfter(tries)), hooks.stop);
    if (hooks.stop.aborted) break;
    const outcome = await withFreshTotal(await sendPayment(request, hooks.stop), plan, hooks);
    const bought = { planId: plan.input.planId, methodCode: plan.method.code };
    if (conclude(outcome, bought, { ...hooks, intent, shown: plan.shown })) return;
    spent = outcome.kind === 'spent';
  }
  await lookUp(
    { planId: plan.input.planId, sentAt, orderId: plan.orderId },
    { ...hooks, intent, spent, shown: plan.shown },
  );
}

/** The server returned a new price; the charge may include interest, so the price is read again. */
async function withFreshTotal(outcome: PayOutcome, plan: PayPlan, hooks: PayHooks): Promise<PayOutcome> {
  if (outcome.kind !== 'priceChanged') return outcome;
  const value = await valuePurchase(plan, hooks);
  return value ? { ...outcome, total: value.total } : outcome;
}
