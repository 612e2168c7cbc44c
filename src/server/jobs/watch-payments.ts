import { and, asc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import { statementRows } from '#server/db/connect.ts';
import { orders } from '#server/db/schema/orders.ts';
import { pushWatches } from '#server/db/schema/push.ts';
import type { Deps } from '#server/deps.ts';
import { queuePaidPush } from '#server/messages/push/write-push.ts';
import { runInBatches } from './run-concurrently.ts';

const batch = 100;
const soonestMs = 60_000;
const latestMs = 60 * 60_000;

/**
 * Notifies browsers that watch an order. The statement that pays an order notifies those that watched when it began
 * (`billing/record-payment.ts`); a browser that subscribed at that very moment is found here, after a minute and then
 * ever more rarely. Returns how many were checked.
 */
export function watchPayments({ db, clock }: Deps, stopping?: AbortSignal): Promise<number> {
  return runInBatches({ full: batch, stopping }, async () => {
    const now = clock();
    const { orderId, subscriptionId } = pushWatches;
    const due = db
      .$with('due')
      .as(
        db
          .select({ orderId, subscriptionId })
          .from(pushWatches)
          .where(lte(pushWatches.lookAt, now))
          .orderBy(asc(pushWatches.lookAt))
          .limit(batch)
          .for('update', { skipLocked: true }),
      );
    const wait = sql`greatest(${soonestMs}::bigint, least(${latestMs}::bigint, (${now}::bigint - ${pushWatches.createdAt}) / 4))`;
    const looked = await db
      .with(due)
      .update(pushWatches)
      .set({ lookAt: sql`${now}::bigint + ${wait}` })
      .from(due)
      .where(and(eq(orderId, due.orderId), eq(subscriptionId, due.subscriptionId)))
      .returning({ orderId });
    const ids = [...new Set(looked.map((watch) => watch.orderId))];
    const paid = await db
      .select({ orderId: orders.orderId })
      .from(orders)
      .where(and(inArray(orders.orderId, ids), isNotNull(sql`${orders.paidAt} + 0`)));
    for (const order of paid) {
      const which = sql`${orderId} = ${order.orderId}`;
      await statementRows(db, sql`with ${queuePaidPush(which, now)} select 1 as one from told`);
    }
    return looked.length;
  });
}
