import { sql } from 'drizzle-orm';
import { type Database, statementRows } from '#server/db/connect.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { users } from '#server/db/schema/users.ts';
import { renewalMoved } from './subscriptions/record-purchase.ts';

interface Gift {
  readonly brand: string;
  readonly uid: string;
  readonly days: number;
  /** only for a customer without remaining days; otherwise the current plan applies */
  readonly plan: { readonly id: string; readonly devices: number } | undefined;
}

const dayMs = 86_400_000;

/**
 * Gives a customer days without an order, behind all existing ones ([Note: Periods]). The next charge of a renewal moves
 * behind them, as after a purchase; a grace ends, because access is no longer on credit. Returns when access ends, in
 * epoch milliseconds; undefined for an unknown customer.
 */
export async function grantDays(tx: Database, { brand, uid, days, plan }: Gift, now: number) {
  const renewing = sql`(select ${subscriptions.planId} from ${subscriptions}
    where ${subscriptions.brand} = ${brand} and ${subscriptions.uid} = ${uid})`;
  const [row] = await statementRows(
    tx,
    sql`with bought as (
      select ${users.uid}, greatest(coalesce(${users.expiredTime}, 0), ${now}::bigint) + ${days}::bigint * ${dayMs}::bigint as ends,
        coalesce(${renewing}, ${users.planId}) as plan_id, false as leaves
      from ${users} where ${users.brand} = ${brand} and ${users.uid} = ${uid} for update
    ), entitled as (
      update ${users} set expired_time = bought.ends, grace_until = null,
        plan_id = coalesce(${plan?.id ?? null}, ${users.planId}),
        limit_count = coalesce(${plan?.devices ?? null}::int, ${users.limitCount})
      from bought where ${users.uid} = bought.uid
    )${renewalMoved({ brand, uid, orderId: '' }, now)} select ends from bought`,
  );
  return row && Number(row['ends']);
}
