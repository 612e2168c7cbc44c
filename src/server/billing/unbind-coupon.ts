import type { unbindDiscountCode } from '#contract/orders.ts';
import { isOpen } from '#contract/order-status.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import { isBlockingCoupon } from './coupons.ts';
import { cancelUnpaidOrder } from './cancel-unpaid-order.ts';
import { ownPurchase } from './own-orders.ts';

/** An answer that comes while we ask changes what was asked about; then it is asked about once more. */
const rounds = 2;

/**
 * Frees a coupon from the customer's own open order, which cancels that order. Any coupon for a first purchase is in the way
 * of any other, so the one that is wanted may be named for the one that is held. `couponNotRemoved` when the order has
 * neither, when it is paid, and when its provider cannot say that it never will be; then nothing is changed. Money that
 * comes all the same takes the coupon again.
 */
export const handleUnbindCoupon: Handler<typeof unbindDiscountCode> = async ({ query }, context) => {
  const { orderId, discountCode } = query;
  for (let round = 0; round < rounds; round += 1) {
    const purchase = await ownPurchase(context, orderId);
    const { order } = purchase;
    const isAsked = await isBlockingCoupon(context.deps.db, order.brand, order.discountCode, discountCode);
    if (!isAsked || order.paidAt !== null) return context.refuse('couponNotRemoved');
    // a failed or cancelled order has let go of its coupon
    if (!isOpen(order.status)) return { orderId, status: order.status };
    const outcome = await cancelUnpaidOrder(context.deps, { ...purchase, customer: context.user });
    if (outcome === 'cancelled') return { orderId, status: 'PAYMENT_CANCELLED' };
    if (outcome !== 'changed') return context.refuse('couponNotRemoved');
  }
  return context.refuse('couponNotRemoved');
};
