import { and, desc, eq, gt, or } from 'drizzle-orm';
import type { queryCart } from '../../contract/orders.ts';
import { orders } from '../db/schema.ts';
import type { Handler } from '../mount.ts';
import { orderView } from './order-view.ts';
import { ownedBy, waitsForPayer } from './own-orders.ts';

/** For how long an order whose payment failed is offered again, in milliseconds: a week. */
const keptMs = 7 * 86_400_000;
const shown = 10;

/** What the customer has begun and not paid: on this phone or on another. */
export const handleQueryCart: Handler<typeof queryCart> = async (_, context) => {
  const { db, clock } = context.deps;
  const failedLately = and(eq(orders.status, 'PAYMENT_FAILED'), gt(orders.createdAt, clock() - keptMs));
  const rows = await db
    .select()
    .from(orders)
    .where(and(ownedBy(context), or(waitsForPayer(), failedLately)))
    .orderBy(desc(orders.createdAt), desc(orders.orderId))
    .limit(shown);
  return { items: rows.map((row) => orderView(row, context)) };
};
