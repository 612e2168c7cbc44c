import { track } from '#web/platform/analytics/events.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { currentScene } from '#web/platform/entry/scene.ts';
import { purchaseIntent, paymentInProgress, type PurchaseIntentStore } from '#web/platform/session/storage/purchase.ts';
import type { PayHooks, PayPlan } from './pay-plan.ts';
import { payBody, sendPayment, lookUpPayment, type PayOutcome, type PayRequest, type Lookup } from './pay-request.ts';
import { errorCode } from '#contract/error-codes.ts';
import type { InstallmentOption, Quote } from '#contract/billing.ts';
import { paymentTip } from '#contract/orders.ts';
import { callErrorOf } from '#web/platform/api/api-error.ts';
import { q } from '#web/platform/api/query.ts';
import { hasInstallments, installmentsQuery, quoteQuery, chargedTotal } from '../price/use-purchase.ts';
import { type Tip, retainsKey } from './pay-machine.ts';
import { isOpen } from '#contract/order-status.ts';
import type { Money } from '#contract/money.ts';
import { recordAttemptStart, nextPollDelay } from '#web/domain/payments/use-payment-state.ts';
import { invalidatePersonalQueries } from '#web/domain/payments/invalidate-personal-queries.ts';
import { resumePath } from '#web/domain/payments/resume-path.ts';
import { persistLanguage } from '#web/platform/i18n/active.ts';
import { endCheckoutDraft } from '#web/platform/session/storage/checkout-draft.ts';
import { resultTokenKey } from '#web/platform/session/storage/result-token-key.ts';
import { endEntries } from '../checkout-entries.ts';
import { lastMethodKey } from '../method/last-method.ts';

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
  return phase === 'sending' && hooks.isMounted();
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
  for (let tries = 0; tries < resends && hooks.isMounted() && !spent && !hooks.stop.aborted; tries += 1) {
    if (tries > 0) await unlessStopped(pause(retryDelayMs(tries)), hooks.stop);
    if (hooks.stop.aborted) break;
    const outcome = await withFreshTotal(await sendPayment(request, hooks.stop), plan, hooks);
    const bought = { planId: plan.input.planId, methodCode: plan.method.code };
    if (applyOutcome(outcome, bought, { ...hooks, intent, shown: plan.shown })) return;
    spent = outcome.kind === 'spent';
  }
  await pollPaymentOutcome(
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

/** First phase of a tap: reads price, installments and tip again; undefined after the error was sent to the machine. */
async function valuePurchase(plan: PayPlan, hooks: PayHooks) {
  try {
    const answers = await readPrices(plan, hooks);
    return answers && priceOf(plan, answers, hooks);
  } catch (thrown) {
    const error = callErrorOf(thrown);
    if (!error) throw thrown;
    hooks.send({ type: 'valueFailed', code: error.code, ...error.params });
    return undefined;
  }
}

type Answers = readonly [quote: Quote, options: readonly InstallmentOption[], tip: Tip];

/** Undefined if the customer stops waiting. */
async function readPrices({ input, method }: PayPlan, { client, stop }: PayHooks): Promise<Answers | undefined> {
  const fresh = { staleTime: 0 } as const;
  const tipQuery = q(paymentTip, { query: { planId: input.planId } }, { quiet: true });
  const asked = Promise.all([
    client.fetchQuery({ ...quoteQuery(input), ...fresh }),
    hasInstallments(method) ? client.fetchQuery({ ...installmentsQuery(input), ...fresh }) : [],
    client.fetchQuery({ ...tipQuery, ...fresh }),
  ]);
  const answers = await unlessStopped(asked, stop);
  if (answers) return answers;
  // or the next tap would wait for the same hanging requests
  for (const { queryKey } of [quoteQuery(input), installmentsQuery(input), tipQuery]) {
    void client.cancelQueries({ queryKey });
  }
  return undefined;
}

function priceOf({ installments: count, renews }: PayPlan, [quote, options, tip]: Answers, { send }: PayHooks) {
  if (options.length > 0 && !options.some((option) => option.count === count)) {
    send({ type: 'valueFailed', code: errorCode('invalidRequest'), field: 'installments' });
    return undefined;
  }
  const total = chargedTotal(quote.total, options, count);
  return { tip, installments: count, quoteId: quote.quoteId, total, ...renewalOf(renews, quote) };
}

/**
 * The customer's answer about renewal, and its current price beside the one on the screen: nobody agrees to an unseen
 * price.
 */
function renewalOf(seen: PayPlan['renews'], { renewal }: Quote) {
  if (!seen?.offer) return {};
  if (!seen.chosen || !renewal) return { renew: false };
  return { renew: true, later: { shown: seen.offer.price, total: renewal.price } };
}

/** An order is committed before its provider is called, so a request that arrived is visible within seconds. */
const looksForNothing = 3;
/** Longer than any request, whose timeout is a minute. In milliseconds. */
const gaveUpMs = 120_000;

interface LookupHooks extends PayHooks {
  readonly intent: PurchaseIntentStore;
  /** the key is known to be used */
  readonly spent: boolean;
  /** the total on the button, if the page is still the one that sent it */
  readonly shown: Money | undefined;
}

/** Last phase of a tap: asks for the outcome of a request until the server knows it, or knows of no such payment. */
export async function pollPaymentOutcome(lookup: Lookup, hooks: LookupHooks): Promise<void> {
  let nothings = 0;
  for (let tries = 0; nothings < looksForNothing && hooks.isMounted(); tries += 1) {
    if (tries > 0) await pause(retryDelayMs(tries - nothings));
    const found = await lookUpPayment(lookup);
    if (found.kind === 'outcome') {
      const { outcome, methodCode } = found;
      if (applyOutcome(outcome, { planId: lookup.planId, methodCode }, hooks)) return;
    }
    nothings = found.kind === 'nothing' ? nothings + 1 : 0;
  }
  if (nothings < looksForNothing) return;
  if (hooks.spent || serverNow() - lookup.sentAt > gaveUpMs) hooks.intent.replace();
  hooks.send({ type: 'notFound' });
}

interface Bought {
  readonly planId: string;
  readonly methodCode: string;
}

/** Stores the outcome and sends it to the machine; true when the lookup is finished. */
function applyOutcome(outcome: PayOutcome, bought: Bought, hooks: Omit<LookupHooks, 'spent'>): boolean {
  storeOutcome(outcome, bought, hooks.intent);
  invalidatePersonalQueries(hooks.client);
  return hooks.send({ type: 'outcome', outcome, shown: hooks.shown }).phase !== 'checking';
}

/**
 * Stores on the device what follows from an outcome: the key or a new one, and where to continue. Runs even if the page
 * was left.
 */
function storeOutcome(outcome: PayOutcome, { planId, methodCode }: Bought, intent: PurchaseIntentStore): void {
  if (!retainsKey(outcome)) intent.replace();
  if (outcome.kind !== 'answered') return;
  const { orderId, status, resultToken, next } = outcome.answer;
  intent.clear();
  endCheckoutDraft(planId);
  endEntries(planId, orderId);
  recordAttemptStart(orderId);
  persistLanguage();
  lastMethodKey.set(methodCode);
  resultTokenKey.set({ orderId, token: resultToken });
  if (!isOpen(status)) return;
  const expiresAt = next.type === 'none' ? null : (next.expiresAt ?? null);
  paymentInProgress.set({
    orderId,
    methodCode,
    startedAt: serverNow(),
    expiresAt,
    resumePath: resumePath(orderId, next),
    resultToken,
  });
}

/** The delay before the next request after so many failures, in milliseconds. */
function retryDelayMs(failures: number): number {
  const moment = { elapsed: 0, now: 0, expiresAt: null, errors: Math.max(0, failures - 1), chance: 0.5 };
  return nextPollDelay(moment) ?? 0;
}

/** Resolves with `act`, or to undefined when the customer stops waiting. */
function unlessStopped<T>(act: Promise<T>, stop: AbortSignal): Promise<T | undefined> {
  const stopped = new Promise<undefined>((resolve) => {
    if (stop.aborted) resolve(undefined);
    else stop.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([act, stopped]);
}

/** Waits `ms`, or less if the network or the page becomes available again. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      window.removeEventListener('pageshow', end);
      document.removeEventListener('visibilitychange', shown);
      resolve();
    };
    const shown = () => document.visibilityState === 'visible' && end();
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    window.addEventListener('pageshow', end);
    document.addEventListener('visibilitychange', shown);
  });
}
