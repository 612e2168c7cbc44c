import { and, desc, eq, not, or, sql, type SQL } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { attempts, liveStates } from '#server/db/schema/attempts.ts';
import { sqlLiterals } from '#server/db/schema/columns.ts';
import { isOpenOrder, orders } from '#server/db/schema/orders.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';
import { ordersOf, type AttemptRow, type OrderRow } from '#server/db/purchase-rows.ts';

type Owner = Pick<CustomerContext, 'brand' | 'user'>;

/** Ownership is always part of the query: an order of another customer is not found, like one that does not exist. */
export function ownedBy({ brand, user }: Owner) {
  const inCheckout = user.checkout ? ordersOf(user.checkout) : undefined;
  return and(eq(orders.brand, brand.code), eq(orders.uid, user.uid), inCheckout);
}

/** The outcome of an attempt is unknown: it may be paid ([Note: Two phases]). */
const outcomeUnknown = sql`exists (select 1 from ${attempts} where ${attempts.orderId} = ${orders.orderId} and ${attempts.state} = 'INTENT')`;

/** The payer has done their part, and the money has not arrived yet. */
export const isWaitingForMoney = () => and(isOpenOrder(orders), or(eq(orders.underReview, true), outcomeUnknown));

/**
 * Unpaid orders that the payer can continue. Those where the payer has done their part are excluded, because the
 * customer would pay twice.
 */
export const isWaitingForPayer = () => and(isOpenOrder(orders), eq(orders.underReview, false), not(outcomeUnknown));

/** The customer's own order, else `orderNotFound`. */
export async function ownOrder(context: CustomerContext<'orderNotFound'>, orderId: string): Promise<OrderRow> {
  const [row] = await context.deps.db
    .select()
    .from(orders)
    .where(and(ownedBy(context), eq(orders.orderId, orderId)))
    .limit(1);
  return row ?? context.refuse('orderNotFound');
}

export interface OwnPurchase {
  readonly order: OrderRow;
  readonly attempt: AttemptRow;
}

/** The customer's own order with its latest attempt, else `orderNotFound`. */
export async function ownPurchase(context: CustomerContext<'orderNotFound'>, orderId: string): Promise<OwnPurchase> {
  return (
    (await findNewestPurchase(context.deps.db, and(ownedBy(context), eq(orders.orderId, orderId)))) ??
    context.refuse('orderNotFound')
  );
}

/** An order with its latest attempt. `which` must name the brand and either the customer or the result token. */
export async function findNewestPurchase(db: Database, which: SQL | undefined): Promise<OwnPurchase | undefined> {
  const [row] = await latest(db)
    .where(which)
    .orderBy(...newestAttempt)
    .limit(1);
  return row;
}

/** The purchase that consumed the customer's key, if any. */
export async function findPurchaseByKey(context: CustomerContext, key: string): Promise<OwnPurchase | undefined> {
  const [row] = await latest(context.deps.db)
    .where(
      and(
        ownedBy(context),
        eq(attempts.uid, context.user.uid),
        eq(attempts.brand, context.brand.code),
        eq(attempts.idempotencyKey, key),
      ),
    )
    .limit(1);
  return row;
}

function latest(db: Database) {
  return db
    .select({ order: orders, attempt: attempts })
    .from(orders)
    .innerJoin(attempts, eq(attempts.orderId, orders.orderId));
}

/** Live attempts come first, then paid ones, then those that ended last. */
const newestAttempt = [
  sql`case when ${attempts.state} in (${sqlLiterals(liveStates)}) then 0 when ${attempts.state} = 'SUCCEEDED' then 1 else 2 end`,
  desc(attempts.createdAt),
];
