import { paymentFailureOf, type PaymentFailure } from '#contract/error-codes.ts';
import type { GatewayAnswer } from '../gateway.ts';
import { fromPaypal } from './currencies.ts';
import { payableUntil, type PaypalAttempt, captureReference, orderReference } from './find-attempt.ts';
import { linkOf, type Capture, type PaypalOrder } from './schemas.ts';

export const unknown: GatewayAnswer = { state: 'unknown' };
export const failed = (failure: PaymentFailure): GatewayAnswer => ({ state: 'failed', failure });

/** How long PayPal may review a payment before the money is ours, in milliseconds. */
const reviewMs = 10 * 24 * 60 * 60_000;

/** The order waits for its payer on PayPal's page. */
export function waiting(
  attempt: PaypalAttempt,
  { id, instrument, page }: { id: string; instrument: number; page: string | undefined },
): GatewayAnswer {
  const expiresAt = payableUntil(attempt);
  return {
    state: 'pending',
    providerRef: orderReference(id, instrument),
    expiresAt,
    // only a capture moves money, and this order has none
    unpaid: true,
    // without an address the previous one stays valid: an order has the same page throughout
    ...(page !== undefined && { next: { type: 'redirect', url: page, expiresAt, finish: 'paypal' } }),
  };
}

/** `payer-action` if the order names its payment source, otherwise `approve`. */
export const pageOf = (order: PaypalOrder) => linkOf(order, 'payer-action', 'approve');

/** The outcome of an order that PayPal calls completed: its capture decides, not the order. */
export function completed(attempt: PaypalAttempt, order: PaypalOrder): GatewayAnswer {
  const capture = order.purchase_units[0]?.payments?.captures[0];
  return capture ? captured(capture, attempt.createdAt + reviewMs) : unknown;
}

/** The state of a payment by its capture. `reviewUntil` is in epoch milliseconds. */
export function captured({ id, status, amount }: Capture, reviewUntil: number): GatewayAnswer {
  const money = amount && fromPaypal(amount);
  if (amount && !money) return unknown;
  const known = { providerRef: captureReference(id), ...money };
  switch (status) {
    case 'COMPLETED':
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED':
      return { state: 'succeeded', ...known };
    case 'PENDING':
      // a review by PayPal, or a slow bank: neither the customer nor the shop can act
      return { state: 'pending', ...money, next: { type: 'none' }, expiresAt: reviewUntil };
    case 'DECLINED':
    case 'FAILED':
      return failed('cardRejected');
  }
}

/** An attempt that has ended stays ended, whatever the state of its order at PayPal. */
export function ended({ state, failureCode }: PaypalAttempt): GatewayAnswer {
  if (state === 'SUCCEEDED') return { state: 'succeeded' };
  if (state === 'EXPIRED') return { state: 'expired' };
  return failed(paymentFailureOf(failureCode));
}
