import { and, desc, eq, gt, type SQL } from 'drizzle-orm';
import type { queryCart } from '#contract/orders.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';
import { orderView } from './order-view.ts';
import { ownedBy, waitsForPayer } from './own-orders.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';

/** How long an order whose payment failed is offered again, in milliseconds: a week. */
const failedShownMs = 7 * 86_400_000;
const shown = 10;

/** The orders that the customer has started and not paid, on any device. */
export const handleQueryCart: Handler<typeof queryCart> = async (_, context) => {
  const { clock } = context.deps;
  const failedLately = and(eq(orders.status, 'PAYMENT_FAILED'), gt(orders.createdAt, clock() - failedShownMs));
  // two queries, each with its own index, so that a long history of paid orders is not read
  const rows = [...(await newest(context, waitsForPayer())), ...(await newest(context, failedLately))].sort(newerFirst);
  return { items: rows.slice(0, shown).map((row) => orderView(row, context)) };
};

function newest(context: CustomerContext, which: SQL | undefined): Promise<OrderRow[]> {
  return context.deps.db
    .select()
    .from(orders)
    .where(and(ownedBy(context), which))
    .orderBy(desc(orders.createdAt), desc(orders.orderId))
    .limit(shown);
}

function newerFirst(one: OrderRow, other: OrderRow): number {
  return other.createdAt - one.createdAt || (one.orderId < other.orderId ? 1 : -1);
}
