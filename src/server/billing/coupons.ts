import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { ErrorCode } from '../../contract/error-codes.ts';
import type { Database } from '../db/connect.ts';
import { coupons, orders } from '../db/schema.ts';
import type { Reduction } from './pricing.ts';

type CouponRow = typeof coupons.$inferSelect;

export interface CouponUse {
  readonly brand: string;
  readonly uid: string;
  readonly code: string;
  readonly planId: string;
  readonly currency: string;
}

/**
 * [Note: Coupon uses] A use is taken when an order is made with the coupon (`used < max_uses` in the same transaction),
 * given back when that order fails or is cancelled, taken again by its repay, and taken in any case by money that comes
 * late. So an open payment holds its discount, and an abandoned one does not eat a use for ever.
 */

/** What the coupon takes off this purchase, or why it does not. `now` is epoch milliseconds. */
export async function findCoupon(db: Database, use: CouponUse, now: number): Promise<Reduction | ErrorCode> {
  const own = and(eq(orders.brand, use.brand), eq(orders.uid, use.uid));
  const holds = db.select({ one: sql`1` }).from(orders);
  const [row] = await db
    .select({
      coupon: coupons,
      held: sql<boolean>`exists ${holds.where(
        and(own, eq(orders.discountCode, use.code), inArray(orders.status, ['SUBMITTED', 'PAYMENT_PENDING'])),
      )}`,
      bought: sql<boolean>`exists ${db
        .select({ one: sql`1` })
        .from(orders)
        .where(and(own, isNotNull(orders.paidAt)))}`,
    })
    .from(coupons)
    .where(and(eq(coupons.brand, use.brand), eq(coupons.code, use.code)))
    .limit(1);
  if (!row) return 9001;
  return couponRefusal(row.coupon, use, { ...row, now }) ?? row.coupon;
}

/** Why a coupon cannot be used for this purchase. A use that the customer's own open order holds is theirs to use. */
export function couponRefusal(
  coupon: CouponRow,
  use: Pick<CouponUse, 'planId' | 'currency'>,
  { held, bought, now }: { held: boolean; bought: boolean; now: number },
): ErrorCode | undefined {
  if (coupon.planIds.length > 0 && !coupon.planIds.includes(use.planId)) return 9002;
  if (coupon.kind === 'amount' && coupon.currency !== use.currency) return 9002;
  if (now < coupon.startsAt || now >= coupon.endsAt) return 9000;
  if (coupon.firstPurchaseOnly && bought) return 9991;
  return coupon.used >= coupon.maxUses && !held ? 9003 : undefined;
}

/** Takes one use, if one is left. The row is locked until the transaction ends, so buyers cannot share the last one. */
export async function takeCoupon(tx: Database, brand: string, code: string): Promise<boolean> {
  const taken = await tx
    .update(coupons)
    .set({ used: sql`${coupons.used} + 1` })
    .where(and(eq(coupons.brand, brand), eq(coupons.code, code), sql`${coupons.used} < ${coupons.maxUses}`))
    .returning({ code: coupons.code });
  return taken.length > 0;
}

/** Gives one use back. */
export async function releaseCoupon(tx: Database, brand: string, code: string): Promise<void> {
  await tx
    .update(coupons)
    .set({ used: sql`greatest(0, ${coupons.used} - 1)` })
    .where(and(eq(coupons.brand, brand), eq(coupons.code, code)));
}
