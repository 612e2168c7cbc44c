import type { QueryClient } from '@tanstack/react-query';
import { type PaymentMethod } from '../../../../contract/billing.ts';
import { paymentTip } from '../../../../contract/orders.ts';
import type { Money } from '../../../../contract/money.ts';
import { isOpen } from '../../../../contract/order-status.ts';
import { track } from '../../../analytics/events.ts';
import { ApiError } from '../../../api/api-error.ts';
import { q } from '../../../api/query.ts';
import { serverNow } from '../../../api/server-clock.ts';
import { currentScene } from '../../../entry/scene.ts';
import { askAnew } from '../../../payment-state/ask-anew.ts';
import { keepLanguage } from '../../../i18n/remember-language.ts';
import { noteTry } from '../../../payment-state/latest-try.ts';
import { resumePath } from '../../../payment-state/resume-path.ts';
import { nextPollDelay } from '../../../payment-state/poll-schedule.ts';
import { resultTokenKey } from '../../../storage/result-token-key.ts';
import { paymentInProgress, purchaseIntent, type PurchaseIntentStore } from '../../../storage/purchase.ts';
import { chargedTotal, chosenInstallments } from '../price/installments.ts';
import { endEntries } from '../checkout-entries.ts';
import { lookUpPayment, type Lookup } from './look-up-payment.ts';
import { lastMethodKey } from '../method/last-method.ts';
import { keepsKey, type PayEvent, type PayState } from './pay-machine.ts';
import type { PayOutcome } from './pay-outcome.ts';
import { payBody, sendPayment, type PayRequest } from './pay-request.ts';
import type { CardUse, PayerForm } from '../payer/payer-form.ts';
import { pause } from './pause.ts';
import { hasInstallments, installmentsQuery, quoteQuery, type PriceInput } from '../price/use-purchase.ts';

/** What the customer sees and typed at the moment of the tap. */
export interface PayPlan {
  readonly uid: string;
  readonly input: PriceInput;
  readonly method: PaymentMethod;
  readonly installments: number;
  readonly form: PayerForm;
  /** of a card method: which card, and whether a new one is kept */
  readonly cardUse?: CardUse | undefined;
  /** the order that is repaid */
  readonly orderId: string | undefined;
  /** what waits for that order is closed first, also where the same method is taken again */
  readonly anew: boolean;
  /** the total on the button */
  readonly shown: Money;
  /** orders that the customer knows of and pays beside */
  readonly accepted: readonly string[];
}

export interface PayHooks {
  readonly client: QueryClient;
  /** tells the machine; answers with the state it is in then */
  readonly send: (event: PayEvent) => PayState;
  readonly alive: () => boolean;
}

/** After so many lost requests the server is asked what it knows instead. */
const resends = 6;
/** An order is written before its provider is asked, so a request that arrived shows within seconds. */
const looksForNothing = 3;
/** No request outlives its timeout of a minute by as much as this. */
const gaveUpMs = 120_000;

/** One tap of the pay button, from the price to the outcome ([Note: The pay act]). */
export async function runPayment(plan: PayPlan, hooks: PayHooks): Promise<void> {
  // The key is read before the tip: when another tab pays in between, either the tip or the spent key tells.
  const intent = purchaseIntent(plan.uid, plan.input.planId);
  const { idempotencyKey } = intent.getOrCreate();
  const value = await revalue(plan, hooks);
  if (!value) return;
  const { quoteId, installments, ...priced } = value;
  const state = hooks.send({ type: 'valued', shown: plan.shown, accepted: plan.accepted, ...priced });
  if (state.phase !== 'sending' || !hooks.alive()) return;
  const body = payBody({ ...plan, quoteId, installments, scene: currentScene().scene });
  intent.markSent();
  track('pay', 'payment', { method_code: plan.method.code });
  await deliver({ body, idempotencyKey, orderId: plan.orderId, anew: plan.anew }, plan, hooks);
}

/** Price, installments and tip, all fresh; undefined once the machine has heard why not. */
async function revalue({ input, method, installments: count }: PayPlan, hooks: PayHooks) {
  const { client } = hooks;
  const fresh = { staleTime: 0 } as const;
  try {
    const [quote, options, tip] = await Promise.all([
      client.fetchQuery({ ...quoteQuery(input), ...fresh }),
      hasInstallments(method) ? client.fetchQuery({ ...installmentsQuery(input), ...fresh }) : [],
      client.fetchQuery({ ...q(paymentTip, { query: { planId: input.planId } }, { quiet: true }), ...fresh }),
    ]);
    const installments = chosenInstallments(options, count, count);
    return { tip, installments, quoteId: quote.quoteId, total: chargedTotal(quote.total, options, installments) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    hooks.send({ type: 'valueFailed', code: error.code, orderId: error.params.orderId });
    return undefined;
  }
}

/** Sends, and sends the same again while the outcome is unknown. */
async function deliver(request: PayRequest, plan: PayPlan, hooks: PayHooks): Promise<void> {
  const intent = purchaseIntent(plan.uid, plan.input.planId);
  const sentAt = serverNow();
  let spent = false;
  for (let tries = 0; tries < resends && hooks.alive() && !spent; tries += 1) {
    if (tries > 0) await pause(waitAfter(tries));
    const outcome = await withFreshTotal(await sendPayment(request), plan, hooks);
    settle(outcome, { planId: plan.input.planId, methodCode: plan.method.code }, intent);
    askAnew(hooks.client);
    if (conclude(outcome, plan.shown, hooks)) return;
    spent = outcome.kind === 'spent';
  }
  await lookUp(
    { planId: plan.input.planId, sentAt, orderId: plan.orderId },
    { ...hooks, intent, spent, shown: plan.shown },
  );
}

/** The server tells the new price; what will be taken may have interest on top, so it is valued again. */
async function withFreshTotal(outcome: PayOutcome, plan: PayPlan, hooks: PayHooks): Promise<PayOutcome> {
  if (outcome.kind !== 'priceChanged') return outcome;
  const value = await revalue(plan, hooks);
  return value ? { ...outcome, total: value.total } : outcome;
}

export interface LookupHooks extends PayHooks {
  readonly intent: PurchaseIntentStore;
  /** the key is known to be used up */
  readonly spent: boolean;
  /** the total that was on the button, where the page is still the one that sent it */
  readonly shown: Money | undefined;
}

/** Asks what became of a request until the server knows, or knows of nothing. */
export async function lookUp(lookup: Lookup, hooks: LookupHooks): Promise<void> {
  let nothings = 0;
  for (let tries = 0; nothings < looksForNothing && hooks.alive(); tries += 1) {
    if (tries > 0) await pause(waitAfter(tries - nothings));
    const found = await lookUpPayment(lookup);
    if (found.kind === 'outcome') {
      settle(found.outcome, { planId: lookup.planId, methodCode: found.methodCode }, hooks.intent);
      askAnew(hooks.client);
      if (conclude(found.outcome, hooks.shown, hooks)) return;
    }
    nothings = found.kind === 'nothing' ? nothings + 1 : 0;
  }
  if (nothings < looksForNothing) return;
  if (hooks.spent || serverNow() - lookup.sentAt > gaveUpMs) hooks.intent.replace();
  hooks.send({ type: 'notFound' });
}

function waitAfter(failures: number): number {
  const moment = { elapsed: 0, now: 0, expiresAt: null, errors: Math.max(0, failures - 1), chance: 0.5 };
  return nextPollDelay(moment) ?? 0;
}

/** Tells the machine; true when there is nothing more to ask. */
function conclude(outcome: PayOutcome, shown: Money | undefined, hooks: PayHooks): boolean {
  return hooks.send({ type: 'outcome', outcome, shown }).phase !== 'checking';
}

interface Bought {
  readonly planId: string;
  readonly methodCode: string;
}

/** What stays on the phone after an outcome: the key or a new one, where to go on, in which words. Done even if nobody looks. */
function settle(outcome: PayOutcome, { planId, methodCode }: Bought, intent: PurchaseIntentStore): void {
  if (!keepsKey(outcome)) intent.replace();
  if (outcome.kind !== 'answered') return;
  const { orderId, status, resultToken, next } = outcome.answer;
  intent.clear();
  endEntries(planId, orderId);
  noteTry(orderId);
  keepLanguage();
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
