import type { Input } from '#contract/endpoint.ts';
import { pay, repay, type PaymentAnswer, type PaymentMethod } from '#contract/billing.ts';
import type { RefusalParams } from '#contract/envelope.ts';
import { errorCode, errorEntry, errorNameOf, errorRule } from '#contract/error-codes.ts';
import type { Money } from '#contract/money.ts';
import type { Order } from '#contract/order.ts';
import { orders, paymentInfo } from '#contract/orders.ts';
import type { Scene } from '#contract/scene.ts';
import { isOutcomeUnknown, type CallError } from '#web/platform/api/api-error.ts';
import { attempt, type Attempt } from '#web/platform/api/client.ts';
import type { CaptchaAnswer } from '#web/domain/auth/captcha/captcha-answer.ts';
import {
  requiredGroups,
  toCard,
  toPayer,
  type CardUse,
  type PayerForm,
} from '#web/domain/payments/payer/payer-form.ts';
import type { PriceInput } from '../price/use-purchase.ts';

/** A payment request and its idempotency key, which are always sent together, also on a resend. */
export interface PayRequest {
  readonly idempotencyKey: string;
  readonly body: Input<typeof pay>['body'];
  /** the order that is repaid, if any */
  readonly orderId: string | undefined;
  /** see the contract's `repay` */
  readonly replaceAttempt: boolean;
}

interface Parts {
  readonly input: PriceInput;
  readonly method: PaymentMethod;
  readonly quoteId: string;
  readonly installments: number;
  readonly form: PayerForm;
  readonly cardUse?: CardUse | undefined;
  readonly scene: Scene;
  /** the customer's answer about renewal; undefined if it was not offered */
  readonly renew?: boolean | undefined;
  /** the captcha answer, if one was required */
  readonly ticket?: CaptchaAnswer | undefined;
}

/** The body of pay and repay. The provider redirects to the result page, whose path the server completes. */
export function payBody(parts: Parts): PayRequest['body'] {
  const { input, method, quoteId, installments, form, cardUse = {}, scene, renew, ticket } = parts;
  const { planId, methodCode, currency, discountCode } = input;
  const { saved, save, savedGroups } = cardUse;
  const asked = requiredGroups(method.fields, cardUse);
  const card = toCard(form, asked, save);
  return {
    planId,
    methodCode,
    currency,
    ...(discountCode === undefined ? {} : { discountCode }),
    ...(card ? { card } : {}),
    ...(saved ? { cardId: saved.cardId } : {}),
    ...(asked.includes('savedCode') ? { cardCode: form.code } : {}),
    ...(asked.includes('cardPage') && save ? { saveCard: true } : {}),
    ...(renew === undefined ? {} : { renew }),
    installments,
    quoteId,
    payer: toPayer(form, asked),
    ...(savedGroups && !saved ? { keepPayer: true } : {}),
    returnUrl: '/paymentResult',
    source: scene,
    ...ticket,
  };
}

/** The outcome of sending a payment, as far as this device knows it. */
export type PayOutcome =
  | { readonly kind: 'answered'; readonly answer: PaymentAnswer }
  | { readonly kind: 'declined'; readonly code: number; readonly orderId: string | undefined }
  | { readonly kind: 'priceChanged'; readonly total: Money }
  /** The key belongs to another request: a payment of this intent is already in progress elsewhere. */
  | { readonly kind: 'spent' }
  | {
      readonly kind: 'refused';
      readonly code: number | undefined;
      readonly replaceKey: boolean;
      /** the refused part of the request, by the server's name */
      readonly field?: string | undefined;
      /** the conflicting order: the one that the coupon is bound to */
      readonly orderId?: string | undefined;
      readonly onlyFor?: RefusalParams['onlyFor'];
      /** of `tooFrequent`: when the next attempt is allowed */
      readonly waitSeconds?: number | undefined;
      /** of `wrongCaptcha`: the only accepted method */
      readonly way?: RefusalParams['way'];
    }
  /** The session ended meanwhile; after the next login the outcome is looked up by the retained key. */
  | { readonly kind: 'signedOut' }
  /** The connection was lost, or the server failed after it may have acted. */
  | { readonly kind: 'unknown' };

/**
 * Sends a payment once and returns its outcome; never throws for server or network errors. `signal` ends the waiting,
 * which says nothing about whether the request arrived. Not a mutation: its page may be gone before the outcome.
 */
export async function sendPayment(request: PayRequest, signal: AbortSignal): Promise<PayOutcome> {
  const { body, orderId, replaceAttempt, idempotencyKey } = request;
  // quiet already; an error that counted as shown here would not open the page of a new password
  const options = { idempotencyKey, quiet: true, shownErrors: [], signal };
  const { result, error } =
    orderId === undefined
      ? await attempt(pay, { body }, options)
      : await attempt(repay, { body: { ...body, orderId, ...(replaceAttempt && { replaceAttempt }) } }, options);
  return error ? outcomeOfError(error) : outcomeOfAnswer(result);
}

/** A response that reports a failed attempt is a decline, like the refusal that the first request received. */
export function outcomeOfAnswer(answer: PaymentAnswer): PayOutcome {
  if (answer.status !== 'PAYMENT_FAILED') return { kind: 'answered', answer };
  return { kind: 'declined', code: answer.failureCode ?? errorCode('paymentFailed'), orderId: answer.orderId };
}

/**
 * Anything but a definite refusal counts as unknown: repeating the request with the same key is better than charging
 * twice.
 */
export function outcomeOfError(error: CallError): PayOutcome {
  const { kind, code, lost, status } = error;
  if (kind === 'refused' && code !== undefined) return outcomeOfCode(code, error.params);
  if (lost === 'stale') return { kind: 'signedOut' };
  const refusedByProxy = kind === 'http' && !isOutcomeUnknown(error) && status !== 408;
  return refusedByProxy ? { kind: 'refused', code: undefined, replaceKey: false } : { kind: 'unknown' };
}

function outcomeOfCode(code: number, params: RefusalParams): PayOutcome {
  const { orderId, newTotal, field, onlyFor, waitSeconds, way } = params;
  const error = errorNameOf(code);
  const entry = errorEntry(error);
  const hasEnded = entry?.declines === 'withOrder' ? orderId !== undefined : entry?.declines === 'always';
  if (hasEnded) return { kind: 'declined', code, orderId };
  // a payment that could not be placed may have been placed; one that was refused for its price was not
  if (error === 'placePaymentFailed') return newTotal ? { kind: 'priceChanged', total: newTotal } : { kind: 'unknown' };
  if (error === 'invalidRequest' && field?.toLowerCase() === 'idempotency-key') return { kind: 'spent' };
  // an error that declines an order is raised without an order before anything is written, whatever its status
  if (!entry || (entry.status >= 500 && !entry.declines)) return { kind: 'unknown' };
  if (errorRule(error).endsSession) return { kind: 'signedOut' };
  // a required captcha or wait means that nothing was written: the same key pays afterwards
  const passing = entry.status === 401 || entry.status === 429 || error === 'wrongCaptcha';
  const told = { ...(waitSeconds !== undefined && { waitSeconds }), ...(way && { way }) };
  return { kind: 'refused', code, replaceKey: !passing, field, orderId, onlyFor, ...told };
}

/**
 * The server's date has a resolution of a second, and the device's clock drifts between two responses. In milliseconds.
 */
const clockSlackMs = 10_000;

export interface Lookup {
  readonly planId: string;
  /** when the request may have been sent, epoch milliseconds by the server's clock */
  readonly sentAt: number;
  /** the order that it repaid, if any */
  readonly orderId: string | undefined;
}

/** The newest order that a lost request can have created. */
export function orderOfLookup(items: readonly Order[], { planId, sentAt, orderId }: Lookup): Order | undefined {
  if (orderId !== undefined) return items.find((order) => order.orderId === orderId);
  return items
    .filter((order) => order.planId === planId && order.date >= sentAt - clockSlackMs)
    .toSorted((a, b) => b.date - a.date)[0];
}

export type Found =
  | { readonly kind: 'outcome'; readonly outcome: PayOutcome; readonly methodCode: string }
  | { readonly kind: 'nothing' }
  /** the server could not be reached; the outcome is still unknown */
  | { readonly kind: 'unasked' };

/** Asks the server for the outcome of a payment whose page is gone. */
export async function lookUpPayment(lookup: Lookup): Promise<Found> {
  const found = await findOrder(lookup);
  if (found.error) return { kind: 'unasked' };
  const order = found.result;
  if (!order || order.status === 'PAYMENT_CANCELLED') return { kind: 'nothing' };
  const { methodCode } = order;
  if (order.status !== 'PAYMENT_FAILED') {
    const outcome = await answerOf(order.orderId);
    return outcome ? { kind: 'outcome', methodCode, outcome } : { kind: 'unasked' };
  }
  // A repaid order may have failed before the lost request arrived: that failure says nothing about it.
  if (lookup.orderId !== undefined) return { kind: 'nothing' };
  const code = order.failureCode ?? errorCode('paymentFailed');
  return { kind: 'outcome', methodCode, outcome: { kind: 'declined', code, orderId: order.orderId } };
}

async function findOrder(lookup: Lookup): Promise<Attempt<Order | undefined>> {
  if (lookup.orderId !== undefined) {
    const { result, error } = await readPayment(lookup.orderId);
    return error ? { error } : { result: result.order };
  }
  const { result, error } = await attempt(orders, { body: { page: 1, size: 20 } }, { quiet: true });
  return error ? { error } : { result: orderOfLookup(result.items, lookup) };
}

/** Undefined if the server could not be reached. */
async function answerOf(orderId: string): Promise<PayOutcome | undefined> {
  const { result } = await readPayment(orderId);
  if (!result) return undefined;
  const { order, next, resultToken } = result;
  return { kind: 'answered', answer: { orderId, status: order.status, resultToken, next } };
}

const readPayment = (orderId: string) => attempt(paymentInfo, { body: { orderId } }, { quiet: true });
