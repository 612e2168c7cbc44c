import type { cancelOrder } from '#contract/orders.ts';
import { isOpen } from '#contract/order-status.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import { cancelUnpaidOrder } from './cancel-unpaid-order.ts';
import { ownPurchase } from './own-orders.ts';

/** A provider's answer that arrives during the call changes the order; then it is tried once again. */
const rounds = 2;

/**
 * Cancels the customer's own unpaid order and frees its coupon, and returns the state of the order. The provider closes
 * the payment first ([Note: Two phases]). Orders under review are refused, because their money is on its way, and
 * renewal orders, because they end with the renewal.
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
