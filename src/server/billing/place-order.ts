import { and, eq, sql, TransactionRollbackError } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { payerNames } from '#server/db/schema/cards.ts';
import { orders } from '#server/db/schema/orders.ts';
import { type CouponErrors, replaceCoupon, reserveCoupon } from './coupons.ts';
import { retriedMove } from './order-moves.ts';
import type { AttemptRow, OrderRow } from '#server/db/purchase-rows.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';

/**
 * [Note: Two phases] First the intent is committed: the order and an attempt in state INTENT. Then the provider is
 * called, outside any transaction, with the attempt's ID as its key, and then its answer is stored. If a process stops
 * between the phases, the job `reconcile` requests the state of the attempt from the provider.
 */

/** The words of the name that the payer typed ([Note: Payer names]). */
type Names = readonly (typeof payerNames.$inferInsert)[];

/**
 * Inserts an order and its first attempt in one statement. `couponUnavailable`, `couponUsedUp`: see `reserveCoupon`.
 */
export async function placeOrder(
  refuse: Refuse<'couponNotVerified' | 'couponUnavailable' | 'couponUsedUp'>,
  db: Database,
  order: OrderRow,
  attempt: AttemptRow,
  names: Names = [],
): Promise<void> {
  const { discountCode } = order;
  if (discountCode === null) return insertBoth(db, order, attempt, names);
  await db.transaction(async (tx) => {
    await reserveCoupon(refuse, tx, order, discountCode);
    await insertBoth(tx, order, attempt, names);
  });
}

async function insertBoth(db: Database, order: OrderRow, attempt: AttemptRow, names: Names): Promise<void> {
  const placed = db.$with('placed').as(db.insert(orders).values(order).returning({ orderId: orders.orderId }));
  if (names.length === 0) return void (await db.with(placed).insert(attempts).values(attempt));
  const named = db.$with('named').as(insertNames(db, names));
  await db.with(placed, named).insert(attempts).values(attempt);
}

const insertNames = (db: Database, names: Names) =>
  db
    .insert(payerNames)
    .values([...names])
    .onConflictDoNothing()
    .returning({ uid: payerNames.uid });

/** For jobs, which have no request to refuse: their orders use no coupon, so these errors cannot occur. */
export const throwCouponRefusal: Refuse<CouponErrors> = (error) => {
  throw new Error(`an order without a coupon cannot meet ${error}`);
};

/** What a repay may change about its order: the method, and what it costs. */
export type RepayTerms = Pick<
  OrderRow,
  | 'methodCode'
  | 'methodNames'
  | 'flow'
  | 'currency'
  | 'original'
  | 'discount'
  | 'total'
  | 'installments'
  | 'discountCode'
>;

/**
 * Adds an attempt to an order that can be repaid; false when the order changed meanwhile. The unique index over live
 * attempts admits only one of two repays. The old coupon is released and the new one reserved.
 * The attempt is inserted before the order is updated, as everywhere: a transaction that stores an outcome locks the
 * attempt and then the order, so the reverse order would deadlock.
 */
export async function placeRetry(
  refuse: Refuse<'couponNotVerified' | 'couponUnavailable' | 'couponUsedUp'>,
  db: Database,
  order: OrderRow,
  terms: RepayTerms,
  attempt: AttemptRow,
  names: Names = [],
): Promise<boolean> {
  const held = order.status === 'PAYMENT_PENDING' ? order.discountCode : null;
  try {
    await db.transaction(async (tx) => {
      await tx.insert(attempts).values(attempt);
      if (names.length > 0) await insertNames(tx, names);
      const moved = await tx
        .update(orders)
        .set({ ...terms, status: retriedMove.status, failureCode: null, expiresAt: null, rejection: null })
        .where(and(sameOrder(order), isUnchanged(order), retriedMove.possible))
        .returning({ orderId: orders.orderId });
      if (moved.length === 0) tx.rollback();
      await replaceCoupon(refuse, tx, order, { held, wanted: terms.discountCode });
    });
    return true;
  } catch (error) {
    if (error instanceof TransactionRollbackError) return false;
    throw error;
  }
}

/** Another attempt in the meantime may have changed the coupon. */
function isUnchanged({ status, discountCode }: OrderRow) {
  return and(eq(orders.status, status), sql`${orders.discountCode} is not distinct from ${discountCode}`);
}

function sameOrder({ brand, uid, orderId }: OrderRow) {
  return and(eq(orders.brand, brand), eq(orders.uid, uid), eq(orders.orderId, orderId));
}
