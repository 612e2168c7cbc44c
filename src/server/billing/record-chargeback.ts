import { sql } from 'drizzle-orm';
import type { Database } from '../db/connect.ts';
import { attempts, ledger, orders } from '../db/schema.ts';
import { chargedBack } from './order-moves.ts';
import { statementRows } from './statement-rows.ts';

/** The bank has taken the money of a captured attempt back: booked once, and the order shows it. */
export async function recordChargeback(
  db: Database,
  facts: { attemptId: string; ledgerId: string; now: number },
): Promise<boolean> {
  const rows = await statementRows(
    db,
    sql`with booked as (
      insert into ${ledger} (id, brand, order_id, attempt_id, kind, amount, currency, at)
      select ${facts.ledgerId}, brand, order_id, id, 'chargeback', -amount, currency, ${facts.now}::bigint
      from ${attempts} where id = ${facts.attemptId} and state = 'SUCCEEDED'
      on conflict (attempt_id, kind) do nothing
      returning order_id
    )
    update ${orders} set status = ${chargedBack.status}
    from booked where ${orders.orderId} = booked.order_id and ${chargedBack.possible}
    returning ${orders.orderId}`,
  );
  return rows.length > 0;
}
