import type { pay } from '#contract/billing.ts';
import { withSavedPayer } from './cards/payer.ts';
import { ApiRefusal } from '#server/runtime/request/api-error.ts';
import type { ContextOf, Handler } from '#server/runtime/request/request-context.ts';
import { placeOrder } from './place-order.ts';
import { admitPayment } from './payment-limits.ts';
import { namesOfPayment, newAttempt, newOrder, preparePurchase } from './prepare-purchase.ts';
import { fingerprintRequest, type PayBody } from './request-hash.ts';
import { processPayment, type CommittedAttempt, answerForKey, isUsedKey } from './process-payment.ts';

/**
 * Starts a purchase. The unique index finds a key that is already consumed, so a first call needs no query for it. A
 * refused call is checked for a consumed key first: the price may have changed since, or the coupon may be reserved by
 * the very order of this key.
 */
export const handlePay: Handler<typeof pay> = async ({ body }, context) => {
  const { deps, idempotencyKey } = context;
  const mark = fingerprintRequest(deps.env, 'pay', body);
  let committed: CommittedAttempt;
  const { body: complete, keepIt } = await withSavedPayer(context, body);
  try {
    // repeats of one key wait and find it consumed, instead of using up the customer's payment limits
    committed = await context.deps.runSerially(keyOf(context), () => commit(context, complete, mark.hash));
  } catch (error) {
    const mayBeConsumed = error instanceof ApiRefusal || isUsedKey(error);
    const known = mayBeConsumed ? await answerForKey(context, idempotencyKey, mark) : undefined;
    if (known) return known;
    throw error;
  }
  const answer = await processPayment(context, committed);
  await keepIt();
  return answer;
};

const keyOf = ({ brand, user, idempotencyKey }: ContextOf<typeof pay>) =>
  `pay ${brand.code} ${user.uid} ${idempotencyKey}`;

/** The first of the two phases ([Note: Two phases]). */
async function commit(context: ContextOf<typeof pay>, body: PayBody, requestHash: string): Promise<CommittedAttempt> {
  const prepared = await preparePurchase(context, body);
  const admitted = await admitPayment(context, body, { opensOrder: true });
  const order = newOrder(context, prepared);
  const attempt = newAttempt(context, order, prepared, body, { idempotencyKey: context.idempotencyKey, requestHash });
  try {
    await placeOrder(context.refuse, context.deps.db, order, attempt, namesOfPayment(context, body));
  } catch (error) {
    // the key was consumed before, or the coupon is used up
    await admitted.uncount();
    throw error;
  }
  return { order, attempt, prepared, body, admitted };
}
