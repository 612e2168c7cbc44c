import type { PaymentAnswer } from '../../contract/billing.ts';
import { refuseInput } from '../api-error.ts';
import type { CustomerContext } from '../request-context.ts';
import { purchaseOfKey, type OwnPurchase } from './own-orders.ts';
import { nextStepOf } from './payment-state.ts';
import { refuseDecline } from './settle.ts';

/**
 * [Note: Idempotency] A key is spent by the attempt that it made (unique over brand, customer and key). The database
 * decides who was first; everybody else, at once or a year later, is answered from what that attempt has become. So a
 * repeat never charges, and a repeat with another body is told that its key stands for something else.
 */
export async function answerForKey(
  context: CustomerContext,
  key: string,
  hash: string,
): Promise<PaymentAnswer | undefined> {
  const purchase = await purchaseOfKey(context, key);
  if (!purchase) return undefined;
  if (purchase.attempt.requestHash !== hash) refuseInput('Idempotency-Key');
  return currentAnswer(purchase, context.deps.clock());
}

/** What pay answers about an attempt as it stands: a decline that is still the last word is refused again. */
export function currentAnswer(purchase: OwnPurchase, now: number): PaymentAnswer {
  const { order, attempt } = purchase;
  const hasEnded = attempt.state === 'FAILED' || attempt.state === 'ORPHANED';
  if (hasEnded && order.status === 'PAYMENT_FAILED') refuseDecline(order.orderId, attempt.failureCode);
  return {
    orderId: order.orderId,
    status: order.status,
    failureCode: order.failureCode,
    resultToken: order.resultToken,
    next: nextStepOf(purchase, now),
  };
}

/** Which unique index stopped a write, if one did. Drizzle puts the driver's error under `cause`. */
export function violatedIndex(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && at.code === '23505' && 'constraint' in at) return String(at.constraint);
  }
  return undefined;
}
