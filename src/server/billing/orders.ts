import type { Order } from '#contract/order.ts';
import { isOpen, statusesDisplayedAs } from '#contract/order-status.ts';
import type { Language } from '#contract/fields.ts';
import type { RequestContext, Handler } from '#server/runtime/request/request-context.ts';
import { localize } from '#server/site/localize.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';
import { withdrawalOf } from './withdrawals.ts';
import { and, count, desc, inArray } from 'drizzle-orm';
import type { order, orders as ordersCall, service } from '#contract/orders.ts';
import { orders } from '#server/db/schema/orders.ts';
import { ownedBy, ownOrder } from './own-orders.ts';
import { periodsOf, shownPeriodsOf } from '#server/site/periods.ts';

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
