import type { unbindDiscountCode } from '#contract/orders.ts';
import { isOpen } from '#contract/order-status.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import { isBlockingCoupon } from './coupons.ts';
import { cancelUnpaidOrder } from './cancel-unpaid-order.ts';
import { ownPurchase } from './own-orders.ts';

/** A provider's answer that arrives during the call changes the order; then it is tried once again. */
const rounds = 2;

/**
 * Releases a coupon from the customer's own open order by cancelling that order. The wanted coupon may be named instead
 * of the reserved one if both are for a first purchase. `couponNotRemoved`: the order has neither, is paid, or its
 * provider cannot rule out a payment; nothing changes then. Late money reserves the coupon again.
 */
export const handleUnbindCoupon: Handler<typeof unbindDiscountCode> = async ({ query }, context) => {
  const { orderId, discountCode } = query;
  for (let round = 0; round < rounds; round += 1) {
    const purchase = await ownPurchase(context, orderId);
    const { order } = purchase;
    const isBlocking = await isBlockingCoupon(context.deps.db, order.brand, order.discountCode, discountCode);
    if (!isBlocking || order.paidAt !== null) return context.refuse('couponNotRemoved');
    // a failed or cancelled order has released its coupon
    if (!isOpen(order.status)) return { orderId, status: order.status };
    const outcome = await cancelUnpaidOrder(context.deps, { ...purchase, customer: context.user });
    if (outcome === 'cancelled') return { orderId, status: 'PAYMENT_CANCELLED' };
    if (outcome !== 'changed') return context.refuse('couponNotRemoved');
  }
  return context.refuse('couponNotRemoved');
};
