import type { cancelOrder } from '#contract/orders.ts';
import { isOpen } from '#contract/order-status.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import { cancelUnpaidOrder } from './cancel-unpaid-order.ts';
import { ownPurchase } from './own-orders.ts';

/** An answer that comes while we ask changes what was asked about; then it is asked about once more. */
const rounds = 2;

/**
 * Cancels the customer's own order that waits to be paid, and frees its coupon ([Note: Two phases]: the provider closes the
 * payment first). The answer is how the order stands then. One that is being looked at is not cancelled, because its money is
 * on its way; neither is the order of a renewal, which ends with the renewal.
 */
export const handleCancelOrder: Handler<typeof cancelOrder> = async ({ body: { orderId } }, context) => {
  for (let round = 0; round < rounds; round += 1) {
    const purchase = await ownPurchase(context, orderId);
    const { status, underReview, subscriptionId } = purchase.order;
    if (!isOpen(status)) return { orderId, status };
    if (underReview || subscriptionId !== null) return context.refuse('operationUnsupported');
    const outcome = await cancelUnpaidOrder(context.deps, { ...purchase, customer: context.user });
    if (outcome === 'uncertain') return { orderId, status };
  }
  const { order } = await ownPurchase(context, orderId);
  return { orderId, status: order.status };
};
