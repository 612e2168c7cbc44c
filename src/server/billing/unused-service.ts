import { and, eq, gte, ne, sql, type SQL } from 'drizzle-orm';
import type { PeriodChange } from '#contract/periods.ts';
import type { Database } from '#server/db/connect.ts';
import { orders } from '#server/db/schema/orders.ts';
import { users } from '#server/db/schema/users.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';

/**
 * Revokes the remaining access of an order, from now or from its start to its end. Later periods move forward by that
 * time and keep their plan and devices, so the customer loses no more than this order gave, and nothing of the past.
 * Each order stores what changed and why, and a second call finds nothing to revoke. `tx` has locked the customer's
 * orders; `now` is epoch milliseconds.
 */
export async function revokeUnusedService(
  tx: Database,
  { brand, uid, orderId }: Pick<OrderRow, 'brand' | 'uid' | 'orderId'>,
  because: PeriodChange['because'],
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
  const changed = (kind: PeriodChange['kind']) => appendChange({ at: now, kind, because, orderId, ms: taken });
  await tx
    .update(orders)
    .set({ serviceEnd: from, serviceChanges: changed('shortened') })
    .where(and(mine, eq(orders.orderId, orderId)));
  await tx
    .update(orders)
    .set({
      serviceStart: sql`${orders.serviceStart} - ${taken}`,
      serviceEnd: sql`${orders.serviceEnd} - ${taken}`,
      serviceChanges: changed('moved'),
    })
    .where(and(mine, ne(orders.orderId, orderId), gte(orders.serviceStart, end)));
  await tx
    .update(users)
    .set({
      expiredTime: sql`greatest(least(${users.expiredTime}, ${now}::bigint), ${users.expiredTime} - ${taken}::bigint)`,
    })
    .where(and(eq(users.brand, brand), eq(users.uid, uid)));
}

function appendChange(change: PeriodChange): SQL {
  return sql`${orders.serviceChanges} || ${JSON.stringify([change])}::jsonb`;
}
