import { and, asc, eq, exists, inArray, isNotNull, ne, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { CouponTerms } from '#contract/coupons.ts';
import type { RefusalParams } from '#contract/envelope.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import { lockCustomer } from '#server/auth/users.ts';
import type { Database } from '#server/db/connect.ts';
import { coupons, isOpenOrder, orders } from '#server/db/schema/orders.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';
import { planName } from '#server/site/plan.ts';
import type { Reduction } from './pricing.ts';

type CouponRow = typeof coupons.$inferSelect;

export interface CouponUse {
  readonly brand: string;
  readonly uid: string;
  readonly code: string;
  readonly planId: string;
  readonly currency: string;
  /** the order to repay: a coupon that it reserves does not block it */
  readonly orderId: string | undefined;
}

export type CouponErrors =
  | 'couponNotUsable'
  | 'couponNotVerified'
  | 'couponUnavailable'
  | 'couponUsedUp'
  | 'invalidCoupon';

/** Why a coupon cannot be used; `orderId` is another open order of the customer that reserves it. */
export interface CouponRefusal {
  readonly refused: CouponErrors;
  readonly orderId?: string;
  /** the plans that the coupon is for */
  readonly planIds?: readonly string[];
  readonly onlyFor?: CouponTerms;
}

/** Parameters that explain a refused coupon: the order that reserves it, or what it is valid for. */
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
 * A coupon is reserved when an order is created with it (`used < max_uses` in the same transaction) and released when
 * that order fails or is cancelled. A repay reserves it again, and so does late money in any case.
 * While an open order reserves a coupon, its customer cannot use it for another order; the refusal names the order, and
 * `unbindDiscountCode` releases it. All first-purchase coupons count as one in this rule.
 * The check before the purchase is repeated when the order is written, with the customer's row locked; recording a
 * payment locks that row as well. The lock order is attempt, order, customer, coupon, so that no two transactions
 * deadlock.
 * Late money for a cancelled order pays it at the promised price, even if a first-purchase coupon was used elsewhere
 * since: the customer is not responsible for a provider that charges a closed payment.
 */

/** The reduction by a coupon for this purchase, or why it cannot be used. `now` is epoch milliseconds. */
export async function findCoupon(db: Database, use: CouponUse, now: number): Promise<Reduction | CouponRefusal> {
  const found = await couponState(db, use);
  if (!found) return { refused: 'invalidCoupon' };
  return couponRefusal(found.coupon, use, { ...found, now }) ?? found.coupon;
}

export interface CouponState {
  readonly coupon: CouponRow;
  /** open orders of the customer that reserve this coupon, oldest first */
  readonly holders: readonly string[];
  /** open orders that reserve another first-purchase coupon, if this is one */
  readonly others: readonly string[];
  readonly bought: boolean;
}

/** A coupon and its use by a customer, in one statement. */
async function couponState(db: Database, { brand, uid, code }: Holder): Promise<CouponState | undefined> {
  const mine = and(eq(orders.brand, brand), eq(orders.uid, uid));
  const open = and(mine, isOpenOrder(orders));
  const sameKind = db
    .select({ code: other.code })
    .from(other)
    .where(and(eq(other.brand, brand), eq(other.code, orders.discountCode), eq(other.firstPurchaseOnly, true)));
  const orderIds = (which: SQL | undefined) =>
    db
      .select({ orderId: orders.orderId })
      .from(orders)
      .where(and(open, which))
      .orderBy(asc(orders.createdAt), asc(orders.orderId));
  const reservesAnother = and(coupons.firstPurchaseOnly, ne(orders.discountCode, code), exists(sameKind));
  const purchases = db
    .select({ orderId: orders.orderId })
    .from(orders)
    .where(and(mine, isNotNull(orders.paidAt)));
  const [row] = await db
    .select({
      coupon: coupons,
      holders: sql<string[]>`array${orderIds(eq(orders.discountCode, code))}`,
      others: sql<string[]>`array${orderIds(reservesAnother)}`,
      bought: sql<boolean>`exists ${purchases}`,
    })
    .from(coupons)
    .where(and(eq(coupons.brand, brand), eq(coupons.code, code)))
    .limit(1);
  return row;
}

const other = alias(coupons, 'other');

/**
 * Why a coupon cannot be used for this purchase. Reasons that releasing an order cannot solve come first, so that no
 * customer cancels an order for a coupon that is then refused all the same.
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
 * Reserves one use for an order (`couponUsedUp` if none is left). Customer and coupon stay locked until the transaction
 * ends, so that two buyers cannot both get the last use. If the same customer's other purchase was faster, it refuses
 * with `couponUnavailable` and that order, or with `couponNotVerified` if that purchase is paid and the coupon is for a
 * first purchase.
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
  await assertMayReserve(refuse, tx, order, code);
  if (taken.length === 0) refuse('couponUsedUp');
}

async function assertMayReserve(
  refuse: Refuse<'couponNotVerified' | 'couponUnavailable'>,
  tx: Database,
  { brand, uid, orderId }: OrderOf,
  code: string,
): Promise<void> {
  const found = await couponState(tx, { brand, uid, code });
  if (!found) return;
  const { coupon, holders, others, bought } = found;
  if (coupon.firstPurchaseOnly && bought) refuse('couponNotVerified', { onlyFor: 'firstPurchase' });
  const holder = [...holders, ...others].find((one) => one !== orderId);
  if (holder !== undefined) refuse('couponUnavailable', { orderId: holder });
}

/** Replaces or removes the coupon of an order; a coupon that stays is checked again. */
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
  if (held === wanted) await assertMayReserve(refuse, tx, order, wanted);
  else await reserveCoupon(refuse, tx, order, wanted);
}

/** Releases one use. */
async function releaseCoupon(tx: Database, brand: string, code: string): Promise<void> {
  await tx
    .update(coupons)
    .set({ used: sql`greatest(0, ${coupons.used} - 1)` })
    .where(and(eq(coupons.brand, brand), eq(coupons.code, code)));
}

/** Whether the coupon that an order reserves prevents its customer from using the wanted one. */
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
