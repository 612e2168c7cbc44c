import { and, count, desc, inArray } from 'drizzle-orm';
import { statusesShownAs } from '#contract/order-status.ts';
import type { order, orders as ordersCall, service } from '#contract/orders.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import { orderView } from './order-view.ts';
import { ownedBy, ownOrder } from './own-orders.ts';
import { periodsOf, shownPeriodsOf } from '#server/site/periods.ts';

export const handleOrders: Handler<typeof ordersCall> = async ({ body }, context) => {
  const { db } = context.deps;
  const { page, size, status } = body;
  const mine = and(ownedBy(context), status && inArray(orders.status, statusesShownAs(status)));
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
