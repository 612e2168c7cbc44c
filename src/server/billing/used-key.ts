import { paymentFailureOf, type PaymentFailure } from '#contract/error-codes.ts';
import type { PaymentAnswer } from '#contract/billing.ts';
import { violatedIndex } from '#server/db/driver-results.ts';
import { refuseInput, type Refuse } from '#server/runtime/request/api-error.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';
import { findPurchaseByKey, type OwnPurchase } from './own-orders.ts';
import { nextStepOf } from './payment-state.ts';
import { isSameRequest, type RequestFingerprint } from './request-hash.ts';
import { refuseDecline } from './apply-gateway-result.ts';

/**
 * [Note: Idempotency] A key is consumed by the attempt that it created (unique over brand, customer and key). The
 * database decides which call is first; every other call, at once or a year later, gets the current state of that
 * attempt. So a repeat never charges, and a repeat with another body is refused. Deleting the account clears the hash
 * of the request.
 */
export async function answerForKey(
  context: CustomerContext<PaymentFailure>,
  key: string,
  mark: RequestFingerprint,
): Promise<PaymentAnswer | undefined> {
  const purchase = await findPurchaseByKey(context, key);
  if (!purchase) return undefined;
  if (!isSameRequest(purchase.attempt.requestHash, mark)) refuseInput('Idempotency-Key');
  return currentAnswer(context.refuse, purchase, context.deps.clock());
}

/**
 * Whether another call has consumed the key. The attempt's ID is derived from the key, so either index may report it.
 */
export function isUsedKey(error: unknown): boolean {
  const index = violatedIndex(error);
  return index === 'attempts_key' || index === 'attempts_pkey';
}

/** The answer of `pay` for an existing attempt; a decline that is still the latest outcome is refused again. */
export function currentAnswer(refuse: Refuse<PaymentFailure>, purchase: OwnPurchase, now: number): PaymentAnswer {
  const { order, attempt } = purchase;
  const hasEnded = attempt.state === 'FAILED' || attempt.state === 'ORPHANED';
  if (hasEnded && order.status === 'PAYMENT_FAILED')
    refuseDecline(refuse, order.orderId, paymentFailureOf(attempt.failureCode));
  return {
    orderId: order.orderId,
    status: order.status,
    failureCode: order.failureCode,
    resultToken: order.resultToken,
    next: nextStepOf(purchase, now),
  };
}
