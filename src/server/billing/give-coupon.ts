import type { UserRow } from '#server/auth/users.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { type coupons, customerCoupons } from '#server/db/schema/orders.ts';
import type { Deps } from '#server/deps.ts';
import { couponMail } from '#server/messages/offer-mails.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { planName } from '#server/site/plan.ts';
import type { unbindDiscountCode } from '#contract/orders.ts';
import { isOpen } from '#contract/order-status.ts';
import type { Handler } from '#server/runtime/request/request-context.ts';
import { isBlockingCoupon } from './coupons.ts';
import { cancelUnpaidOrder } from './cancel-unpaid-order.ts';
import { ownPurchase } from './orders.ts';

interface Gift {
  readonly brand: Brand;
  readonly user: UserRow;
  readonly coupon: typeof coupons.$inferSelect;
}

/**
 * Gives a coupon to a customer and sends an email if there is an address and the coupon has not expired. Returns false,
 * without an email, if the customer has it already. `tx` is a transaction.
 */
export async function giveCoupon(
  tx: Database,
  { brand, user, coupon }: Gift,
  deps: Pick<Deps, 'clock' | 'random'>,
): Promise<boolean> {
  const now = deps.clock();
  const { code, kind, value, currency, planIds, firstPurchaseOnly, startsAt, endsAt } = coupon;
  const written = await tx
    .insert(customerCoupons)
    .values({ brand: brand.code, uid: user.uid, code, givenAt: now })
    .onConflictDoNothing()
    .returning({ code: customerCoupons.code });
  if (written.length === 0) return false;
  if (user.email === null || endsAt <= now) return true;
  const { language } = user;
  const mail = couponMail(brand, language, {
    code,
    off: kind === 'percent' || currency === null ? value : { amount: value, currency },
    plans: planIds.map((id) => planName(brand, id, language) ?? id),
    firstPurchaseOnly,
    startsAt: startsAt > now ? startsAt : null,
    endsAt,
  });
  await queueMail(tx, { brand, to: user.email, ...mail }, deps);
  return true;
}

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
