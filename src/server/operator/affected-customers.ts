import { and, count, eq, inArray, isNotNull, not, or, sql, type SQL } from 'drizzle-orm';
import type { Differences } from '#server/brand/folder/differences.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts, liveStates } from '#server/db/schema/attempts.ts';
import { sqlLiterals } from '#server/db/schema/columns.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { counted } from './wording.ts';

/**
 * Says how many renewals a change of a brand ends, or asks to accept a higher price, and how many payments by a method
 * that is no longer sold are open; no line for none.
 */
export async function describeAffectedCustomers(
  db: Database,
  brand: string,
  { plans, methods }: Differences['parts'],
): Promise<string[]> {
  const { planId, methodCode, currency } = subscriptions;
  const ended = plans.changed.filter(({ before, after }) => before.active && !(after.active && after.renews));
  const gone = methods.changed.filter(({ before, after }) => before.active && !after.active);
  const endedIds = ended.map(({ after }) => after.id);
  const goneCodes = gone.map(({ after }) => after.code);
  const ends = or(inArray(planId, endedIds), inArray(methodCode, goneCodes)) ?? sql`false`;
  const raised = plans.changed.flatMap(({ before, after }) =>
    Object.entries(after.prices)
      .filter(([code, price]) => !endedIds.includes(after.id) && price > (before.prices[code] ?? price))
      .map(([code]) => and(eq(planId, after.id), eq(currency, code))),
  );
  const [ending, asking, open] = [
    await countRunning(db, brand, ends),
    raised.length === 0 ? 0 : await countRunning(db, brand, and(or(...raised), not(ends))),
    await countOpen(db, brand, goneCodes),
  ];
  return [
    ...(ending === 0 ? [] : [`! ${counted(ending, 'renewal')} will be turned off, and the customers told, when due`]),
    ...(asking === 0 ? [] : [`! ${counted(asking, 'renewal')} will ask the customers to accept the higher price`]),
    ...(open === 0 ? [] : [`! ${counted(open, 'open payment')} by what is no longer sold can still be paid`]),
  ];
}

/** Renewals that are on or wait for a payment. What has ended is never due. */
async function countRunning(db: Database, brand: string, which: SQL | undefined): Promise<number> {
  const { status, dueAt } = subscriptions;
  const isRunning = and(isNotNull(dueAt), inArray(status, ['on', 'renewing', 'pastDue']));
  const [row] = await db
    .select({ rows: count() })
    .from(subscriptions)
    .where(and(eq(subscriptions.brand, brand), isRunning, which));
  return row?.rows ?? 0;
}

/** Payments by these methods whose outcome is not known yet. The states are literals, as in the partial index. */
async function countOpen(db: Database, brand: string, methods: readonly string[]): Promise<number> {
  const isOpen = sql`${attempts.state} in (${sqlLiterals(liveStates)})`;
  const [row] = await db
    .select({ rows: count() })
    .from(attempts)
    .where(and(eq(attempts.brand, brand), isOpen, inArray(attempts.methodCode, [...methods])));
  return row?.rows ?? 0;
}
