import type { QueryClient } from '@tanstack/react-query';
import { errorCode } from '#contract/error-codes.ts';
import { type PaymentMethod, type Quote } from '#contract/billing.ts';
import { paymentTip } from '#contract/orders.ts';
import type { Money } from '#contract/money.ts';
import { isOpen } from '#contract/order-status.ts';
import { track } from '#web/platform/analytics/events.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { q } from '#web/platform/api/query.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { currentScene } from '#web/platform/entry/scene.ts';
import type { CaptchaAnswer } from '#web/domain/auth/captcha/given.ts';
import { invalidatePersonalQueries } from '#web/domain/payments/invalidate-personal-queries.ts';
import { persistLanguage } from '#web/platform/i18n/remember-language.ts';
import { markAttemptStarted } from '#web/domain/payments/latest-attempt.ts';
import { resumePath } from '#web/domain/payments/resume-path.ts';
import { nextPollDelay } from '#web/domain/payments/poll-schedule.ts';
import { endCheckoutDraft } from '#web/platform/session/storage/checkout-draft.ts';
import { resultTokenKey } from '#web/platform/session/storage/result-token-key.ts';
import { paymentInProgress, purchaseIntent, type PurchaseIntentStore } from '#web/platform/session/storage/purchase.ts';
import { chargedTotal } from '../price/installments.ts';
import { endEntries } from '../checkout-entries.ts';
import { lastMethodKey } from '../method/last-method.ts';
import type { CardUse, PayerForm } from '#web/domain/payments/payer/payer-form.ts';
import {
  hasInstallments,
  installmentsQuery,
  quoteQuery,
  type PriceInput,
  type Purchase,
} from '../price/use-purchase.ts';
import { retainsKey, type PayEvent, type PayState } from './pay-machine.ts';
import { lookUpPayment, payBody, sendPayment, type Lookup, type PayOutcome, type PayRequest } from './pay-request.ts';

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
  readonly replaceAttempt: boolean;
  /** the total on the button */
  readonly shown: Money;
  /** orders that the customer knows of and pays beside */
  readonly accepted: readonly string[];
  /** whether it shall renew, and the terms that are on the screen */
  readonly renews?: Purchase['renewal'] | undefined;
  /** takes the answer to a captcha, where one was required; it waits while the device works on it */
  readonly takeTicket?: (() => Promise<CaptchaAnswer>) | undefined;
}

export interface PayHooks {
  readonly client: QueryClient;
  /** tells the machine; answers with the state it is in then */
  readonly send: (event: PayEvent) => PayState;
  readonly alive: () => boolean;
  /** the customer has stopped waiting: what was not sent stays here, and what was sent is looked up and not sent again */
  readonly stop: AbortSignal;
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
  const { quoteId, installments, renew, ...priced } = value;
  const state = hooks.send({ type: 'valued', shown: plan.shown, accepted: plan.accepted, ...priced });
  if (state.phase !== 'sending' || !hooks.alive()) return;
  const ticket = await plan.takeTicket?.();
  const body = payBody({ ...plan, quoteId, installments, renew, ticket, scene: currentScene().scene });
  intent.markSent();
  track('pay', 'payment', { method_code: plan.method.code });
  await deliver({ body, idempotencyKey, orderId: plan.orderId, replaceAttempt: plan.replaceAttempt }, plan, hooks);
}

/** Price, installments and tip, all fresh; undefined once the machine has heard why not. */
async function revalue({ input, method, installments: count, renews }: PayPlan, hooks: PayHooks) {
  const { client, stop } = hooks;
  const fresh = { staleTime: 0 } as const;
  const tipQuery = q(paymentTip, { query: { planId: input.planId } }, { quiet: true });
  try {
    const asked = Promise.all([
      client.fetchQuery({ ...quoteQuery(input), ...fresh }),
      hasInstallments(method) ? client.fetchQuery({ ...installmentsQuery(input), ...fresh }) : [],
      client.fetchQuery({ ...tipQuery, ...fresh }),
    ]);
    const answers = await unlessStopped(asked, stop);
    if (!answers) {
      // or the next tap would wait for the same silence
      for (const { queryKey } of [quoteQuery(input), installmentsQuery(input), tipQuery]) {
        void client.cancelQueries({ queryKey });
      }
      return undefined;
    }
    const [quote, options, tip] = answers;
    if (options.length > 0 && !options.some((option) => option.count === count)) {
      hooks.send({ type: 'valueFailed', code: errorCode('invalidRequest'), field: 'installments' });
      return undefined;
    }
    const total = chargedTotal(quote.total, options, count);
    return { tip, installments: count, quoteId: quote.quoteId, total, ...renewalOf(renews, quote) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    hooks.send({ type: 'valueFailed', code: error.code, ...error.params });
    return undefined;
  }
}

/** What is said about renewal, and its price of now beside the one that was read: nobody agrees to what they did not see. */
function renewalOf(seen: PayPlan['renews'], { renewal }: Quote) {
  if (!seen?.offer) return {};
  if (!seen.chosen || !renewal) return { renew: false };
  return { renew: true, later: { shown: seen.offer.price, total: renewal.price } };
}

/** Sends, and sends the same again while the outcome is unknown. */
async function deliver(request: PayRequest, plan: PayPlan, hooks: PayHooks): Promise<void> {
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
      const { outcome, methodCode } = found;
      if (conclude(outcome, { planId: lookup.planId, methodCode }, hooks)) return;
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

interface Bought {
  readonly planId: string;
  readonly methodCode: string;
}

/** Keeps what came of it and tells the machine; true when there is nothing more to ask. */
function conclude(outcome: PayOutcome, bought: Bought, hooks: Omit<LookupHooks, 'spent'>): boolean {
  keepOutcome(outcome, bought, hooks.intent);
  invalidatePersonalQueries(hooks.client);
  return hooks.send({ type: 'outcome', outcome, shown: hooks.shown }).phase !== 'checking';
}

/** What stays on the phone after an outcome: the key or a new one, where to go on, in which words. Done even if nobody looks. */
function keepOutcome(outcome: PayOutcome, { planId, methodCode }: Bought, intent: PurchaseIntentStore): void {
  if (!retainsKey(outcome)) intent.replace();
  if (outcome.kind !== 'answered') return;
  const { orderId, status, resultToken, next } = outcome.answer;
  intent.clear();
  endCheckoutDraft(planId);
  endEntries(planId, orderId);
  markAttemptStarted(orderId);
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

/** What comes first: the end of `act`, or undefined when the customer stops waiting for it. */
function unlessStopped<T>(act: Promise<T>, stop: AbortSignal): Promise<T | undefined> {
  const stopped = new Promise<undefined>((resolve) => {
    if (stop.aborted) resolve(undefined);
    else stop.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([act, stopped]);
}

/** Waits `ms`, or less when the network or the customer comes back. */
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
