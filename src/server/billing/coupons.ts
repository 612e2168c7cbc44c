import { and, asc, eq, exists, inArray, isNotNull, ne, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { CouponTerms } from '#contract/coupons.ts';
import type { RefusalParams } from '#contract/envelope.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import { lockCustomer } from '#server/auth/evict.ts';
import type { Database } from '#server/db/connect.ts';
import { coupons, isOpenOrder, orders } from '#server/db/schema/orders.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';
import { planName } from '#server/site/plans.ts';
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

/** The errors of coupons. */
export type CouponErrors =
  | 'couponNotUsable'
  | 'couponNotVerified'
  | 'couponUnavailable'
  | 'couponUsedUp'
  | 'invalidCoupon';

/** Why a coupon cannot be used; `orderId` when another open order of the customer's holds it. */
export interface CouponRefusal {
  readonly refused: CouponErrors;
  readonly orderId?: string;
  /** the plans that it is for */
  readonly planIds?: readonly string[];
  readonly onlyFor?: CouponTerms;
}

/** What helps its customer with a refusal of a coupon: the order that holds it, or what it is for. */
export function couponParams(
  { orderId, planIds, onlyFor }: CouponRefusal,
  { brand, language }: Pick<CustomerContext, 'brand' | 'language'>,
): RefusalParams | undefined {
  if (onlyFor !== undefined) return { onlyFor };
  if (orderId !== undefined) return { orderId };
  const sold = brand.plans.filter(({ id }) => planIds?.includes(id));
  if (sold.length === 0) return undefined;
  return { onlyFor: { plans: sold.map(({ id }) => planName(brand, id, language) ?? id) } };
}

type Holder = Pick<CouponUse, 'brand' | 'uid' | 'code'>;

/**
 * [Note: Coupon uses] A use is taken when an order is made with the coupon (`used < max_uses` in the same transaction),
 * given back when that order fails or is cancelled, taken again by its repay, and taken in any case by money that comes
 * late. So an open payment holds its discount, and an abandoned one does not eat a use for ever.
 *
 * While an open order holds a coupon, its customer cannot use it for another one, however many uses it has: the
 * other one is told whose it is, and `unbindDiscountCode` frees it. All coupons for a first purchase count as one there:
 * nobody has two first purchases.
 *
 * What is seen before the purchase may have changed when it is written, so it is looked at again with the customer's row
 * locked: one order of a customer at a time takes a coupon, and a payment that is being booked locks that row as well.
 * Who holds more than one row holds them in the order attempt, order, customer, coupon; no two wait for each other.
 *
 * Money that comes late for an order that was given up pays it at the price that was promised, also when a coupon for
 * the first purchase has been used elsewhere since. It was asked for at that price, and a provider that takes it for a
 * closed payment is no fault of the one who pays.
 */

/** What the coupon takes off this purchase, or why it does not. `now` is epoch milliseconds. */
export async function findCoupon(db: Database, use: CouponUse, now: number): Promise<Reduction | CouponRefusal> {
  const found = await couponNow(db, use);
  if (!found) return { refused: 'invalidCoupon' };
  return couponRefusal(found.coupon, use, { ...found, now }) ?? found.coupon;
}

export interface CouponState {
  readonly coupon: CouponRow;
  /** open orders of the customer that hold this coupon, oldest first */
  readonly holders: readonly string[];
  /** those that hold another one for a first purchase, when this is one */
  readonly others: readonly string[];
  /** whether the customer has bought anything */
  readonly bought: boolean;
}

/** A coupon as it stands for a customer, in one statement. */
async function couponNow(db: Database, { brand, uid, code }: Holder): Promise<CouponState | undefined> {
  const mine = and(eq(orders.brand, brand), eq(orders.uid, uid));
  const open = and(mine, isOpenOrder(orders));
  const alike = db
    .select({ code: other.code })
    .from(other)
    .where(and(eq(other.brand, brand), eq(other.code, orders.discountCode), eq(other.firstPurchaseOnly, true)));
  const orderIds = (which: SQL | undefined) =>
    db
      .select({ orderId: orders.orderId })
      .from(orders)
      .where(and(open, which))
      .orderBy(asc(orders.createdAt), asc(orders.orderId));
  const likeThis = and(coupons.firstPurchaseOnly, ne(orders.discountCode, code), exists(alike));
  const purchases = db
    .select({ orderId: orders.orderId })
    .from(orders)
    .where(and(mine, isNotNull(orders.paidAt)));
  const [row] = await db
    .select({
      coupon: coupons,
      holders: sql<string[]>`array${orderIds(eq(orders.discountCode, code))}`,
      others: sql<string[]>`array${orderIds(likeThis)}`,
      bought: sql<boolean>`exists ${purchases}`,
    })
    .from(coupons)
    .where(and(eq(coupons.brand, brand), eq(coupons.code, code)))
    .limit(1);
  return row;
}

const other = alias(coupons, 'other');

/**
 * Why a coupon cannot be used for this purchase. What unbinding could not mend is told first, so that nobody cancels an
 * order for a coupon that is then refused all the same.
 */
export function couponRefusal(
  coupon: CouponRow,
  use: Pick<CouponUse, 'planId' | 'currency' | 'orderId'>,
  { holders, others, bought, now }: Omit<CouponState, 'coupon'> & { now: number },
): CouponRefusal | undefined {
  if (coupon.planIds.length > 0 && !coupon.planIds.includes(use.planId)) {
    return { refused: 'couponNotUsable', planIds: coupon.planIds };
  }
  if (coupon.kind === 'amount' && coupon.currency !== use.currency) {
    return { refused: 'couponNotUsable', ...(coupon.currency !== null && { onlyFor: { currency: coupon.currency } }) };
  }
  if (now < coupon.startsAt) return { refused: 'couponUnavailable', onlyFor: { from: coupon.startsAt } };
  if (now >= coupon.endsAt) return { refused: 'couponUnavailable', onlyFor: { before: coupon.endsAt } };
  if (coupon.firstPurchaseOnly && bought) return { refused: 'couponNotVerified', onlyFor: 'firstPurchase' };
  const orderId = [...holders, ...others].find((holder) => holder !== use.orderId);
  if (orderId !== undefined) return { refused: 'couponUnavailable', orderId };
  return coupon.used >= coupon.maxUses && holders.length === 0 ? { refused: 'couponUsedUp' } : undefined;
}

type OrderOf = Pick<CouponUse, 'brand' | 'uid'> & { readonly orderId: string };

/**
 * Takes one use for an order, if one is left (`couponUsedUp`). The rows of customer and coupon are locked until the transaction
 * ends, so buyers cannot share the last one; and a customer with two purchases at once finds here the one that was faster
 * (`couponUnavailable` with its order, `couponNotVerified` when it was paid and the coupon is for a first purchase).
 */
export async function reserveCoupon(
  refuse: Refuse<'couponNotVerified' | 'couponUnavailable' | 'couponUsedUp'>,
  tx: Database,
  order: OrderOf,
  code: string,
): Promise<void> {
  await lockCustomer(tx, order);
  const { brand } = order;
  const taken = await tx
    .update(coupons)
    .set({ used: sql`${coupons.used} + 1` })
    .where(and(eq(coupons.brand, brand), eq(coupons.code, code), sql`${coupons.used} < ${coupons.maxUses}`))
    .returning({ code: coupons.code });
  await assertMayHold(refuse, tx, order, code);
  if (taken.length === 0) refuse('couponUsedUp');
}

async function assertMayHold(
  refuse: Refuse<'couponNotVerified' | 'couponUnavailable'>,
  tx: Database,
  { brand, uid, orderId }: OrderOf,
  code: string,
): Promise<void> {
  const found = await couponNow(tx, { brand, uid, code });
  if (!found) return;
  const { coupon, holders, others, bought } = found;
  if (coupon.firstPurchaseOnly && bought) refuse('couponNotVerified', { onlyFor: 'firstPurchase' });
  const holder = [...holders, ...others].find((one) => one !== orderId);
  if (holder !== undefined) refuse('couponUnavailable', { orderId: holder });
}

/** Lets an order have another coupon, or none; one that it keeps must still be for it. */
export async function replaceCoupon(
  refuse: Refuse<'couponNotVerified' | 'couponUnavailable' | 'couponUsedUp'>,
  tx: Database,
  order: OrderOf,
  { held, wanted }: { held: string | null; wanted: string | null },
): Promise<void> {
  if (held === null && wanted === null) return;
  await lockCustomer(tx, order);
  if (held !== null && held !== wanted) await releaseCoupon(tx, order.brand, held);
  if (wanted === null) return;
  if (held === wanted) await assertMayHold(refuse, tx, order, wanted);
  else await reserveCoupon(refuse, tx, order, wanted);
}

/** Gives one use back. */
async function releaseCoupon(tx: Database, brand: string, code: string): Promise<void> {
  await tx
    .update(coupons)
    .set({ used: sql`greatest(0, ${coupons.used} - 1)` })
    .where(and(eq(coupons.brand, brand), eq(coupons.code, code)));
}

/** Whether a coupon that an order holds is what keeps its customer from another one. */
export async function isBlockingCoupon(
  db: Database,
  brand: string,
  held: string | null,
  wanted: string,
): Promise<boolean> {
  if (held === null || held === wanted) return held === wanted;
  const rows = await db
    .select({ code: coupons.code })
    .from(coupons)
    .where(and(eq(coupons.brand, brand), inArray(coupons.code, [held, wanted]), eq(coupons.firstPurchaseOnly, true)));
  return rows.length === 2;
}
