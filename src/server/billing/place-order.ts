import { and, eq, sql, TransactionRollbackError } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { orders } from '#server/db/schema/orders.ts';
import { type CouponErrors, replaceCoupon, reserveCoupon } from './coupons.ts';
import { retried } from './order-moves.ts';
import type { AttemptRow, OrderRow } from '#server/db/purchase-rows.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';

/**
 * [Note: Two phases] First the intent is committed: the order and an attempt in state INTENT. Only then is the provider
 * asked, outside any transaction, with the attempt's id as its key; then its answer is written. Whatever is cut between
 * the phases, the attempt is there to ask about, and the job `reconcile` asks.
 */

/**
 * A new order with its first attempt, in one statement: both or neither. `couponUnavailable` and `couponUsedUp` as
 * `reserveCoupon` says.
 */
export async function placeOrder(
  refuse: Refuse<'couponNotVerified' | 'couponUnavailable' | 'couponUsedUp'>,
  db: Database,
  order: OrderRow,
  attempt: AttemptRow,
): Promise<void> {
  const { discountCode } = order;
  if (discountCode === null) return insertBoth(db, order, attempt);
  await db.transaction(async (tx) => {
    await reserveCoupon(refuse, tx, order, discountCode);
    await insertBoth(tx, order, attempt);
  });
}

async function insertBoth(db: Database, order: OrderRow, attempt: AttemptRow): Promise<void> {
  const placed = db.$with('placed').as(db.insert(orders).values(order).returning({ orderId: orders.orderId }));
  await db.with(placed).insert(attempts).values(attempt);
}

/** For jobs, which have no request to refuse: what they place takes no coupon, so that nothing can be said against it. */
export const refusesNothing: Refuse<CouponErrors> = (error) => {
  throw new Error(`an order without a coupon cannot meet ${error}`);
};

/** What a repay may change about its order: how it is paid, and what that costs. */
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
 * Another attempt for an order, if it still waits for one; false when it has moved on meanwhile. The unique index over
 * live attempts lets only one of two repays through. The order's old coupon is let go and the new one taken.
 *
 * The attempt goes first, as everywhere: an outcome that is being written holds an attempt and wants its order, so who held
 * the order and waited for the index over attempts would wait for ever.
 */
export async function placeRetry(
  refuse: Refuse<'couponNotVerified' | 'couponUnavailable' | 'couponUsedUp'>,
  db: Database,
  order: OrderRow,
  terms: RepayTerms,
  attempt: AttemptRow,
): Promise<boolean> {
  const held = order.status === 'PAYMENT_PENDING' ? order.discountCode : null;
  try {
    await db.transaction(async (tx) => {
      await tx.insert(attempts).values(attempt);
      const moved = await tx
        .update(orders)
        .set({ ...terms, status: retried.status, failureCode: null, expiresAt: null, rejection: null })
        .where(and(sameOrder(order), asSeen(order), retried.possible))
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

/** Another try that came and went meanwhile has left its own coupon behind. */
function asSeen({ status, discountCode }: OrderRow) {
  return and(eq(orders.status, status), sql`${orders.discountCode} is not distinct from ${discountCode}`);
}

function sameOrder({ brand, uid, orderId }: OrderRow) {
  return and(eq(orders.brand, brand), eq(orders.uid, uid), eq(orders.orderId, orderId));
}
