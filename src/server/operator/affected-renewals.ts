import { and, count, eq, inArray, isNotNull, or, type SQL } from 'drizzle-orm';
import type { Differences } from '#server/brand/folder/differences.ts';
import type { Database } from '#server/db/connect.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { counted } from './wording.ts';

/** Says how many renewals a change of a brand ends, or asks to accept a higher price; no line for none. */
export async function describeAffectedRenewals(
  db: Database,
  brand: string,
  { plans, methods }: Differences['parts'],
): Promise<string[]> {
  const { planId, methodCode, currency } = subscriptions;
  const ended = plans.changed.filter(({ before, after }) => before.active && !(after.active && after.renews));
  const gone = methods.changed.filter(({ before, after }) => before.active && !after.active);
  const endedIds = ended.map(({ after }) => after.id);
  const ends = or(
    inArray(planId, endedIds),
    inArray(
      methodCode,
      gone.map(({ after }) => after.code),
    ),
  );
  const raised = plans.changed.flatMap(({ before, after }) =>
    Object.entries(after.prices)
      .filter(([code, price]) => !endedIds.includes(after.id) && price > (before.prices[code] ?? price))
      .map(([code]) => and(eq(planId, after.id), eq(currency, code))),
  );
  const [ending, asking] = [
    await countRunning(db, brand, ends),
    raised.length === 0 ? 0 : await countRunning(db, brand, or(...raised)),
  ];
  return [
    ...(ending === 0 ? [] : [`! ${counted(ending, 'renewal')} will be turned off, and the customers told, when due`]),
    ...(asking === 0 ? [] : [`! ${counted(asking, 'renewal')} will ask the customers to accept the higher price`]),
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
