import { and, asc, eq, isNotNull, sql } from 'drizzle-orm';
import type { ErrorCode } from '../../contract/error-codes.ts';
import { refuse } from '../api-error.ts';
import type { Database } from '../db/connect.ts';
import { coupons, isOpenOrder, orders } from '../db/schema.ts';
import type { Reduction } from './pricing.ts';

type CouponRow = typeof coupons.$inferSelect;

export interface CouponUse {
  readonly brand: string;
  readonly uid: string;
  readonly code: string;
  readonly planId: string;
  readonly currency: string;
  /** the order that is to be repaid: what it holds is its own to use */
  readonly orderId: string | undefined;
}

/** Why a coupon cannot be used; `orderId` when another open order of the customer's holds it. */
export interface CouponRefusal {
  readonly refused: ErrorCode;
  readonly orderId?: string;
}

/**
 * [Note: Coupon uses] A use is taken when an order is made with the coupon (`used < max_uses` in the same transaction),
 * given back when that order fails or is cancelled, taken again by its repay, and taken in any case by money that comes
 * late. So an open payment holds its discount, and an abandoned one does not eat a use for ever.
 *
 * While an open order holds a coupon, its customer cannot use it for another one, however many uses it has (spec 4): the
 * other one is told whose it is, and `unbindDiscountCode` frees it.
 */

/** What the coupon takes off this purchase, or why it does not. `now` is epoch milliseconds. */
export async function findCoupon(db: Database, use: CouponUse, now: number): Promise<Reduction | CouponRefusal> {
  const paid = and(eq(orders.brand, use.brand), eq(orders.uid, use.uid), isNotNull(orders.paidAt));
  const purchases = db.select({ orderId: orders.orderId }).from(orders).where(paid);
  const [row] = await db
    .select({
      coupon: coupons,
      holders: sql<string[]>`array${holdersOf(db, use)}`,
      bought: sql<boolean>`exists ${purchases}`,
    })
    .from(coupons)
    .where(and(eq(coupons.brand, use.brand), eq(coupons.code, use.code)))
    .limit(1);
  if (!row) return { refused: 9001 };
  return couponRefusal(row.coupon, use, { ...row, now }) ?? row.coupon;
}

/** The open orders of the customer that hold the coupon, oldest first. */
function holdersOf(db: Database, { brand, uid, code }: Pick<CouponUse, 'brand' | 'uid' | 'code'>) {
  return db
    .select({ orderId: orders.orderId })
    .from(orders)
    .where(and(eq(orders.brand, brand), eq(orders.uid, uid), eq(orders.discountCode, code), isOpenOrder(orders)))
    .orderBy(asc(orders.createdAt), asc(orders.orderId));
}

/**
 * Why a coupon cannot be used for this purchase. What unbinding could not mend is told first, so that nobody cancels an
 * order for a coupon that is then refused all the same.
 */
export function couponRefusal(
  coupon: CouponRow,
  use: Pick<CouponUse, 'planId' | 'currency' | 'orderId'>,
  { holders, bought, now }: { holders: readonly string[]; bought: boolean; now: number },
): CouponRefusal | undefined {
  if (coupon.planIds.length > 0 && !coupon.planIds.includes(use.planId)) return { refused: 9002 };
  if (coupon.kind === 'amount' && coupon.currency !== use.currency) return { refused: 9002 };
  if (now < coupon.startsAt || now >= coupon.endsAt) return { refused: 9000 };
  if (coupon.firstPurchaseOnly && bought) return { refused: 9991 };
  const orderId = holders.find((holder) => holder !== use.orderId);
  if (orderId !== undefined) return { refused: 9000, orderId };
  return coupon.used >= coupon.maxUses && holders.length === 0 ? { refused: 9003 } : undefined;
}

/**
 * Takes one use for an order, if one is left (9003). The row is locked until the transaction ends, so buyers cannot share
 * the last one; and a customer with two purchases at once finds here the one that was faster (9000 with its order).
 */
export async function takeCoupon(
  tx: Database,
  { brand, uid, orderId }: Pick<CouponUse, 'brand' | 'uid'> & { readonly orderId: string },
  code: string,
): Promise<void> {
  const taken = await tx
    .update(coupons)
    .set({ used: sql`${coupons.used} + 1` })
    .where(and(eq(coupons.brand, brand), eq(coupons.code, code), sql`${coupons.used} < ${coupons.maxUses}`))
    .returning({ code: coupons.code });
  const other = (await holdersOf(tx, { brand, uid, code })).find((holder) => holder.orderId !== orderId);
  if (other) refuse(9000, { orderId: other.orderId });
  if (taken.length === 0) refuse(9003);
}

/** Gives one use back. */
export async function releaseCoupon(tx: Database, brand: string, code: string): Promise<void> {
  await tx
    .update(coupons)
    .set({ used: sql`greatest(0, ${coupons.used} - 1)` })
    .where(and(eq(coupons.brand, brand), eq(coupons.code, code)));
}
