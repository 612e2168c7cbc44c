import { paymentFailureOf, type PaymentFailure } from '#contract/error-codes.ts';
import type { PaymentAnswer } from '#contract/billing.ts';
import { violatedIndex } from '#server/db/driver-results.ts';
import { refuseInput, type Refuse } from '#server/runtime/request/api-error.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';
import { purchaseOfKey, type OwnPurchase } from './own-orders.ts';
import { nextStepOf } from './payment-state.ts';
import { isSameRequest, type RequestMark } from './request-hash.ts';
import { refuseDecline } from './apply-gateway-result.ts';

/**
 * [Note: Idempotency] A key is spent by the attempt that it made (unique over brand, customer and key). The database
 * decides who was first; everybody else, at once or a year later, is answered from what that attempt has become. So a
 * repeat never charges, and a repeat with another body is refused, because its key stands for another request. The hash
 * of the request is cleared when the account is deleted.
 */
export async function answerForKey(
  context: CustomerContext<PaymentFailure>,
  key: string,
  mark: RequestMark,
): Promise<PaymentAnswer | undefined> {
  const purchase = await purchaseOfKey(context, key);
  if (!purchase) return undefined;
  if (!isSameRequest(purchase.attempt.requestHash, mark)) refuseInput('Idempotency-Key');
  return currentAnswer(context.refuse, purchase, context.deps.clock());
}

/** Whether another call has spent the key: an attempt's id is made of its key, so that either index may say so first. */
export function isUsedKey(error: unknown): boolean {
  const index = violatedIndex(error);
  return index === 'attempts_key' || index === 'attempts_pkey';
}

/** What pay answers about an attempt as it stands: a decline that is still the last word is refused again. */
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
