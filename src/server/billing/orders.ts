import { and, count, desc, inArray } from 'drizzle-orm';
import { statusesShownAs } from '../../contract/order-status.ts';
import type { order, orders as ordersCall, service } from '../../contract/orders.ts';
import { orders } from '../db/schema.ts';
import type { Handler } from '../mount.ts';
import { orderView } from './order-view.ts';
import { ownedBy, ownOrder } from './own-orders.ts';

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
  const { orderId, planName, serviceStart, serviceEnd } = orderView(await ownOrder(context, params.id), context);
  return { orderId, planName, serviceStart, serviceEnd };
};
