import { sql } from 'drizzle-orm';
import { statementRows } from '../billing/statement-rows.ts';
import { attempts, ledger } from '../db/schema.ts';
import type { Deps } from '../deps.ts';

/**
 * Gives back what was paid twice: a late Pix and a new card for the same order can both arrive, and the books show it
 * as a second capture, of which money is left. The queue is the ledger itself, so nothing can be lost from it. Answers
 * how many were refunded.
 */
export async function refundDuplicates({ db, clock, random, gateways, log }: Deps): Promise<number> {
  const rows = await statementRows(
    db,
    sql`select a.id, a.gateway, a.brand, a.order_id, a.amount::float8 as amount, a.currency
      from ${ledger} second join ${attempts} a on a.id = second.attempt_id
      where second.kind = 'capture'
        and exists (select 1 from ${ledger} first where first.order_id = second.order_id and first.kind = 'capture'
          and (first.at, first.id) < (second.at, second.id))
        and (select sum(own.amount) from ${ledger} own where own.attempt_id = second.attempt_id) > 0
      limit 20`,
  );
  let refunded = 0;
  for (const row of rows) {
    const attemptId = String(row.id);
    if (!(await gateways[String(row.gateway)]?.refund(attemptId))) {
      log.error({ attemptId }, 'a second payment of an order could not be given back yet');
      continue;
    }
    await db
      .insert(ledger)
      .values({
        id: random.id(),
        brand: String(row.brand),
        orderId: String(row.order_id),
        attemptId,
        kind: 'refund',
        amount: -Number(row.amount),
        currency: String(row.currency),
        at: clock(),
      })
      .onConflictDoNothing();
    refunded += 1;
  }
  return refunded;
}
