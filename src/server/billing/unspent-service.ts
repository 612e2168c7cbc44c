import { and, desc, eq, gt, gte, ne, sql } from 'drizzle-orm';
import type { Database } from '../db/connect.ts';
import { orders, users } from '../db/schema.ts';
import type { OrderRow } from './purchase-rows.ts';

/**
 * Takes back what is left of the service that an order bought: from now, or from its beginning, to its end. The order's
 * period then ends there, so a second call finds nothing to take. Services that were to follow begin that much earlier;
 * the customer never loses more than this order gave, and nothing of the past. `tx` holds the customer's orders locked,
 * `now` is epoch milliseconds.
 */
export async function takeUnspentService(
  tx: Database,
  { brand, uid, orderId }: Pick<OrderRow, 'brand' | 'uid' | 'orderId'>,
  now: number,
): Promise<void> {
  const mine = and(eq(orders.brand, brand), eq(orders.uid, uid));
  const [given] = await tx
    .select()
    .from(orders)
    .where(and(mine, eq(orders.orderId, orderId)));
  const start = given?.serviceStart ?? now;
  const end = given?.serviceEnd ?? now;
  const from = Math.max(now, start);
  const taken = end - from;
  if (taken <= 0) return;
  await tx
    .update(orders)
    .set({ serviceEnd: from })
    .where(and(mine, eq(orders.orderId, orderId)));
  await tx
    .update(orders)
    .set({ serviceStart: sql`${orders.serviceStart} - ${taken}`, serviceEnd: sql`${orders.serviceEnd} - ${taken}` })
    .where(and(mine, ne(orders.orderId, orderId), gte(orders.serviceStart, end)));
  const [left] = await tx
    .select({ planId: orders.planId, devices: orders.devices })
    .from(orders)
    .where(and(mine, gt(orders.serviceEnd, sql`greatest(${now}::bigint, ${orders.serviceStart})`)))
    .orderBy(desc(orders.paidAt))
    .limit(1);
  await tx
    .update(users)
    .set({
      expiredTime: sql`greatest(least(${users.expiredTime}, ${now}::bigint), ${users.expiredTime} - ${taken}::bigint)`,
      planId: left?.planId ?? null,
      ...(left && { limitCount: left.devices }),
    })
    .where(and(eq(users.brand, brand), eq(users.uid, uid)));
}
