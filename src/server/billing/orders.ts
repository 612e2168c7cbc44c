import type { Order } from '#contract/order.ts';
import { isOpen, statusesDisplayedAs } from '#contract/order-status.ts';
import type { Language } from '#contract/fields.ts';
import type { RequestContext, Handler, CustomerContext } from '#server/runtime/request/request-context.ts';
import { localize } from '#server/site/documents.ts';
import { type OrderRow, type AttemptRow, ordersOf } from '#server/db/purchase-rows.ts';
import { withdrawalOf } from './withdrawals.ts';
import { and, count, desc, inArray, eq, not, or, sql, type SQL } from 'drizzle-orm';
import type { order, orders as ordersCall, service } from '#contract/orders.ts';
import { orders, isOpenOrder } from '#server/db/schema/orders.ts';
import { periodsOf, shownPeriodsOf } from '#server/site/periods.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts, liveStates } from '#server/db/schema/attempts.ts';
import { sqlLiterals } from '#server/db/schema/columns.ts';

type OrderViewer = Pick<RequestContext, 'language' | 'brand'> & Partial<Pick<RequestContext, 'user'>>;

/** An order as its customer sees it, with the names of the time of the purchase. */
export function orderView(row: OrderRow, context: OrderViewer): Order {
  const { language, brand } = context;
  const money = (amount: number) => ({ amount, currency: row.currency });
  const name = (texts: Partial<Record<Language, string>>) => localize(texts, language, brand) ?? '';
  return {
    orderId: row.orderId,
    status: row.status,
    paymentType: row.installments > 1 ? 'INSTALLMENTS' : 'FULL',
    installments: row.installments,
    date: row.createdAt,
    planId: row.planId,
    planName: name(row.planNames),
    methodCode: row.methodCode,
    methodName: name(row.methodNames),
    flow: row.flow,
    original: money(row.original),
    discount: money(row.discount),
    total: money(row.total),
    refunded: row.refunded > 0 ? money(row.refunded) : null,
    discountCode: row.discountCode,
    serviceStart: row.serviceStart,
    serviceEnd: row.serviceEnd,
    expiresAt: row.expiresAt,
    paidAt: row.paidAt,
    failureCode: row.failureCode,
    underReview: isOpen(row.status) && row.underReview,
    rejection: isOpen(row.status) ? row.rejection : null,
    cardLast4: row.paidAt === null ? null : row.cardLast4,
    renewal: row.subscriptionId !== null,
    withdrawal: withdrawalOf(row, context),
    receipt: row.paidAt !== null,
  };
}

export const handleOrders: Handler<typeof ordersCall> = async ({ body }, context) => {
  const { db } = context.deps;
  const { page, size, status } = body;
  const mine = and(ownedBy(context), status && inArray(orders.status, statusesDisplayedAs(status)));
  const rows = await db
    .select()
    .from(orders)
    .where(mine)
    .orderBy(desc(orders.createdAt), desc(orders.orderId))
    .limit(size)
    .offset((page - 1) * size);
  const [counted] = await db.select({ total: count() }).from(orders).where(mine);
  return { items: rows.map((row) => orderView(row, context)), total: counted?.total ?? 0, page };
};

export const handleOrder: Handler<typeof order> = async ({ params }, context) =>
  orderView(await ownOrder(context, params.id), context);

export const handleService: Handler<typeof service> = async ({ params }, context) => {
  const { deps, user } = context;
  const row = await ownOrder(context, params.id);
  const { orderId, planName, serviceStart, serviceEnd } = orderView(row, context);
  const { days, devices, serviceChanges: changes } = row;
  const now = deps.clock();
  const waits = serviceStart !== null && serviceStart > now && serviceStart !== serviceEnd;
  const periods = waits ? await periodsOf(deps.db, user, now) : [];
  const before = shownPeriodsOf(
    periods.filter(({ until }) => waits && until <= serviceStart),
    context,
  );
  return { orderId, planName, serviceStart, serviceEnd, days, devices, changes, before };
};

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
