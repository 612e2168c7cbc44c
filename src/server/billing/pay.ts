import type { pay } from '../../contract/billing.ts';
import { ApiRefusal } from '../api-error.ts';
import type { Handler } from '../mount.ts';
import { placeOrder } from './place-order.ts';
import { newAttempt, newOrder, preparePurchase } from './prepare-purchase.ts';
import { requestHash } from './request-hash.ts';
import { answerForKey, violatedIndex } from './spent-key.ts';
import { takePayment } from './take-payment.ts';

/**
 * Starts a purchase. A key that is spent already is found where it matters, in the unique index; a first call pays no
 * look-up for it. A call that cannot go on is looked up before it is refused, because its price may have changed since.
 */
export const handlePay: Handler<typeof pay> = async ({ body }, context) => {
  const { deps, idempotencyKey } = context;
  const hash = requestHash(deps.env.SIGNING_SECRET, 'pay', body);
  try {
    const prepared = await preparePurchase(context, body);
    const order = newOrder(context, prepared);
    const attempt = newAttempt(context, order, prepared, { idempotencyKey, requestHash: hash });
    await placeOrder(deps.db, order, attempt);
    return await takePayment(context, { order, attempt, prepared, body });
  } catch (error) {
    const isDecline = error instanceof ApiRefusal && error.params?.orderId !== undefined;
    const mayBeSpent = error instanceof ApiRefusal ? !isDecline : violatedIndex(error) === 'attempts_key';
    const known = mayBeSpent ? await answerForKey(context, idempotencyKey, hash) : undefined;
    if (known) return known;
    throw error;
  }
};
