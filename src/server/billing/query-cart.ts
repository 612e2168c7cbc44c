import { and, desc, eq, gt, inArray, notExists, or, sql } from 'drizzle-orm';
import type { queryCart } from '../../contract/orders.ts';
import type { Database } from '../db/connect.ts';
import { attempts, orders } from '../db/schema.ts';
import type { Handler } from '../mount.ts';
import { orderView } from './order-view.ts';
import { ownedBy } from './own-orders.ts';

/** For how long an order whose payment failed is offered again, in milliseconds: a week. */
const keptMs = 7 * 86_400_000;
const shown = 10;

/** What the customer has begun and not paid: on this phone or on another. */
export const handleQueryCart: Handler<typeof queryCart> = async (_, context) => {
  const { db, clock } = context.deps;
  const open = inArray(orders.status, ['SUBMITTED', 'PAYMENT_PENDING']);
  const waits = and(open, notExists(doneByPayer(db)));
  const failedLately = and(eq(orders.status, 'PAYMENT_FAILED'), gt(orders.createdAt, clock() - keptMs));
  const rows = await db
    .select()
    .from(orders)
    .where(and(ownedBy(context), or(waits, failedLately)))
    .orderBy(desc(orders.createdAt), desc(orders.orderId))
    .limit(shown);
  return { items: rows.map((row) => orderView(row, context)) };
};

/** The live attempt of an order whose payer has nothing more to do: offered, it would be paid a second time. */
function doneByPayer(db: Database) {
  const proofIsThere = sql`${attempts.next}->>'proof' = 'received'`;
  const coinsAreThere = sql`(${attempts.next}->'chosen'->>'missing')::numeric = 0`;
  return db
    .select({ orderId: attempts.orderId })
    .from(attempts)
    .where(and(eq(attempts.orderId, orders.orderId), eq(attempts.state, 'PENDING'), or(proofIsThere, coinsAreThere)));
}
