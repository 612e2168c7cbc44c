import { sql, type SQL } from 'drizzle-orm';
import { type PaymentFailure, errorCode } from '#contract/error-codes.ts';
import type { NextStep } from '#contract/next-step.ts';
import { type Database, statementRows } from '#server/db/connect.ts';
import { attempts, liveStates, renewalKeyPrefix } from '#server/db/schema/attempts.ts';
import { sqlLiterals } from '#server/db/schema/columns.ts';
import { coupons, orders } from '#server/db/schema/orders.ts';
import { cancelledMove, failedMove, openedMove } from './order-moves.ts';
import type { AttemptRow, OrderRow } from '#server/db/purchase-rows.ts';

/** The provider waits for the customer or for the money. Missing facts leave the stored ones unchanged. */
export async function recordPending(
  db: Database,
  attemptId: string,
  facts: { next: NextStep | undefined; providerRef: string | null; expiresAt: number | null; now: number },
): Promise<boolean> {
  const next = facts.next ? JSON.stringify(facts.next) : null;
  const rows = await statementRows(
    db,
    sql`with attempt as (
      update ${attempts} set state = 'PENDING', next = coalesce(${next}::jsonb, next),
        expires_at = coalesce(${facts.expiresAt}::bigint, expires_at), provider_ref = coalesce(${facts.providerRef}, provider_ref),
        updated_at = ${facts.now}
      where id = ${attemptId} and ${live} returning order_id, expires_at, next, idempotency_key
    )
    update ${orders} set status = ${openedMove.status}, expires_at = attempt.expires_at,
      under_review = ${doneByPayer}, rejection = attempt.next->'rejection'
    from attempt where ${orders.orderId} = attempt.order_id and ${openedMove.possible}
    returning ${orders.orderId}`,
  );
  return rows.length > 0;
}

/** No money moved and none will. The order can be repaid; its coupon is released until then. */
export function recordFailure(
  db: Database,
  attemptId: string,
  facts: { failure: PaymentFailure; now: number },
): Promise<boolean> {
  return endUnpaid(db, attemptId, { ...facts, state: 'FAILED' });
}

/** The gateway is not installed, so the outcome is unknown. The order fails with `methodUnsupported`. */
export function recordOrphan(db: Database, attemptId: string, now: number): Promise<boolean> {
  return endUnpaid(db, attemptId, { failure: 'methodUnsupported', now, state: 'ORPHANED' });
}

/** No provider was called, and none will be: the order is cancelled ([Note: Calling off]). */
export function recordUnchargedCancellation(db: Database, attemptId: string, now: number): Promise<boolean> {
  return endUnpaid(db, attemptId, { failure: 'paymentFailed', now, state: 'FAILED', move: cancelledMove });
}

async function endUnpaid(
  db: Database,
  attemptId: string,
  {
    move = failedMove,
    ...facts
  }: { failure: PaymentFailure; now: number; state: 'FAILED' | 'ORPHANED'; move?: typeof failedMove | undefined },
): Promise<boolean> {
  const rows = await statementRows(
    db,
    sql`with attempt as (
      update ${attempts} set state = ${facts.state}, next = null, failure_code = ${errorCode(facts.failure)}, updated_at = ${facts.now}
      where id = ${attemptId} and ${live} returning order_id
    ), moved as (
      update ${orders} set status = ${move.status}, failure_code = ${errorCode(facts.failure)}, expires_at = null,
        under_review = false
      from attempt where ${orders.orderId} = attempt.order_id and ${move.possible}
      returning ${orders.orderId}, ${orders.brand}, ${orders.discountCode}
    ), ${releasedCoupon}
    select order_id from moved`,
  );
  return rows.length > 0;
}

/**
 * The code has expired. The order waits, so that the customer can get a new code, even if the provider's first answer
 * was lost. Without a stored expiry, its time counts from now.
 */
export async function recordExpiry(db: Database, attemptId: string, now: number): Promise<boolean> {
  const rows = await statementRows(
    db,
    sql`with attempt as (
      update ${attempts} set state = 'EXPIRED', next = null, updated_at = ${now}
      where id = ${attemptId} and ${live} returning order_id
    ), waits as (
      update ${orders} set status = ${openedMove.status}, expires_at = coalesce(${orders.expiresAt}, ${now}::bigint),
        under_review = false
      from attempt where ${orders.orderId} = attempt.order_id and ${openedMove.possible}
    )
    select order_id from attempt`,
  );
  return rows.length > 0;
}

/**
 * Cancels up to `most` orders whose last code expired before `expiredBefore` (epoch milliseconds), and returns how
 * many. Locked rows are left for the next run. The live attempt is a scalar subquery, because PostgreSQL could plan a
 * join as a scan of both tables.
 */
export async function cancelAbandoned(db: Database, expiredBefore: number, most: number): Promise<number> {
  const rows = await statementRows(
    db,
    sql`with abandoned as (
      select ${orders.orderId} from ${orders}
      where ${orders.expiresAt} < ${expiredBefore} and ${orders.status} || '' = 'PAYMENT_PENDING'
        and (select 1 from ${attempts} where ${attempts.orderId} = ${orders.orderId} and ${live} limit 1) is null
      order by ${orders.expiresAt} limit ${most} for update of "orders" skip locked
    ), moved as (
      update ${orders} set status = ${cancelledMove.status}, expires_at = null
      where ${orders.orderId} = any(array(select order_id from abandoned)) and ${cancelledMove.possible}
      returning ${orders.orderId}, ${orders.brand}, ${orders.discountCode}
    ), ${releasedCoupon}
    select order_id from moved`,
  );
  return rows.length;
}

/**
 * Cancels an order for its customer, with the attempt that the provider has just closed, and releases its coupon. Both
 * must be unchanged since they were read: a new answer or another attempt wins. The attempt is updated first, as
 * everywhere, to avoid deadlocks.
 */
export async function cancelByCustomer(
  db: Database,
  { order, attempt }: { order: OrderRow; attempt: AttemptRow },
  facts: { failure: PaymentFailure; now: number },
): Promise<boolean> {
  const { brand, uid, orderId, discountCode, expiresAt, status } = order;
  const rows = await statementRows(
    db,
    sql`with ended as (
      update ${attempts} set state = 'FAILED', next = null, failure_code = ${errorCode(facts.failure)}, updated_at = ${facts.now}
      where id = ${attempt.id} and ${live} and state = ${attempt.state} and updated_at = ${attempt.updatedAt}
      returning order_id
    ), moved as (
      update ${orders} set status = ${cancelledMove.status}, expires_at = null
      where ${orders.brand} = ${brand} and ${orders.uid} = ${uid} and ${orders.orderId} = ${orderId}
        and ${orders.discountCode} is not distinct from ${discountCode} and ${orders.expiresAt} is not distinct from ${expiresAt}::bigint
        and ${orders.status} = ${status} and ${cancelledMove.possible}
        and (exists (select 1 from ended)
          or not exists (select 1 from ${attempts} where ${attempts.orderId} = ${orderId} and ${live}))
      returning ${orders.orderId}, ${orders.brand}, ${orders.discountCode}
    ), ${releasedCoupon}
    select order_id from moved`,
  );
  return rows.length > 0;
}

/**
 * Whether the payer of `attempt` has nothing more to do; another request would cause a second payment. A renewal that
 * the shop charges itself never needs the payer.
 */
const doneByPayer: SQL = sql.raw(
  `(coalesce(attempt.next->>'proof' = 'received' or (attempt.next->'chosen'->>'missing')::numeric = 0, false)
    or attempt.idempotency_key like '${renewalKeyPrefix}%')`,
);

/**
 * The expression matches no partial index on purpose: the attempt or the order is known, and PostgreSQL would choose a
 * worse plan.
 */
const live: SQL = sql`"attempts"."state" || '' in (${sqlLiterals(liveStates)})`;

/**
 * Several orders may release the same coupon in one statement, which updates a row only once, so the uses are summed
 * first.
 */
const releasedCoupon = sql`released as (
      update ${coupons} set used = greatest(0, used - freed.uses)
      from (select brand, discount_code, count(*)::int as uses from moved group by brand, discount_code) freed
      where ${coupons.brand} = freed.brand and ${coupons.code} = freed.discount_code
    )`;
