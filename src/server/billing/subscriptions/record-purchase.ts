import { sql, type SQL } from 'drizzle-orm';
import { type Database, statementRows } from '#server/db/connect.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { users } from '#server/db/schema/users.ts';
import type { AttemptRow, OrderRow } from '#server/db/purchase-rows.ts';
import { chargeLeadMs, noticeLeadOf, statusAfter } from './renewal-rules.ts';

/** What a customer with automatic renewal has agreed to. */
export interface AgreedRenewal {
  readonly subscriptionId: string;
  readonly cardId: string;
  /** minor units of the attempt's currency */
  readonly price: number;
}

/**
 * The part of `recordPayment`'s statement that updates the customer's renewal, so that both are written or neither.
 * `bought` has one row: `days`, `devices`, `plan_id`, `starts` and `ends` of the period, and `leaves`: late money does
 * not turn a renewal on for a customer who is deleting the account.
 * A renewal's own charge ends its period. Days bought by hand are used first: the next charge moves behind them, and
 * the renewing plan stays the agreed one, unless this purchase turned renewal on. A running charge keeps its period
 * until its outcome is known.
 */
export function renewalAfterPurchase(
  order: OrderRow,
  attempt: AttemptRow,
  chosen: AgreedRenewal | undefined,
  now: number,
): SQL {
  return chosen ? renewalChosen(order, attempt, chosen, now) : renewalMoved(order, now);
}

/** The part for days that are bought or given without renewal; `orderId` is empty for given days. */
export function renewalMoved({ brand, uid, orderId }: Pick<OrderRow, 'brand' | 'uid' | 'orderId'>, now: number): SQL {
  const {
    orderId: own,
    graceSpent,
    period,
    refusals,
    noticed,
    cardTold,
    planId,
    days,
    nextChargeAt,
    dueAt,
  } = subscriptions;
  const next = nextTimes(sql`bought.ends`, days);
  const waits = sql`standing.becomes = 'renewing'`;
  return sql`, standing as (
      select id, case when ${own} = ${orderId} then ${statusAfter('paid')} else ${statusAfter('bought')} end as becomes
      from ${subscriptions}
      where ${subscriptions.brand} = ${brand} and ${subscriptions.uid} = ${uid} and exists (select 1 from bought) for update
    ), renewed as (
      update ${subscriptions} set status = standing.becomes, paid_until = bought.ends, updated_at = ${now},
        period = ${period} + case when ${waits} or ${own} is null then 0 else 1 end,
        order_id = case when ${waits} then ${own} end, refusals = case when ${waits} then ${refusals} else 0 end,
        noticed = case when ${waits} then ${noticed} else 0 end, card_told = ${waits} and ${cardTold},
        asks = null, grace_spent = ${graceSpent} and ${own} is distinct from ${orderId},
        plan_id = case standing.becomes when 'off' then bought.plan_id else ${planId} end,
        next_charge_at = case standing.becomes when 'on' then ${next.chargeAt} when 'renewing' then ${nextChargeAt} end,
        due_at = case standing.becomes when 'on' then ${next.dueAt} when 'off' then bought.ends else ${dueAt} end
      from bought, standing where ${subscriptions.id} = standing.id
    )`;
}

function renewalChosen(
  { brand, uid, orderId }: OrderRow,
  attempt: AttemptRow,
  chosen: AgreedRenewal,
  now: number,
): SQL {
  const next = nextTimes(sql`bought.ends`, sql`bought.days`);
  const becomes = statusAfter('chosen');
  const waits = sql`(${becomes}) = 'renewing'`;
  const unless = (column: string) =>
    sql`case when ${waits} then ${subscriptions}.${sql.identifier(column)} else excluded.${sql.identifier(column)} end`;
  return sql`, renewed as (
      insert into ${subscriptions} (id, brand, uid, status, plan_id, days, method_code, card_id, price, currency, paid_until,
        next_charge_at, due_at, created_at, updated_at)
      select ${chosen.subscriptionId}, ${brand}, ${uid}, 'on', bought.plan_id, bought.days, ${attempt.methodCode},
        ${chosen.cardId}, ${chosen.price}::bigint, ${attempt.currency}, bought.ends, ${next.chargeAt}, ${next.dueAt},
        ${now}::bigint, ${now}::bigint
      from bought where not bought.leaves
      on conflict (brand, uid) do update set status = ${becomes}, plan_id = excluded.plan_id, days = excluded.days,
        method_code = excluded.method_code, card_id = excluded.card_id, price = excluded.price,
        currency = excluded.currency, paid_until = excluded.paid_until, updated_at = excluded.updated_at,
        next_charge_at = ${unless('next_charge_at')}, due_at = ${unless('due_at')},
        period = ${subscriptions.period} + case when ${waits} or ${subscriptions.orderId} is null then 0 else 1 end,
        order_id = case when ${waits} then ${subscriptions.orderId} end, refusals = ${unless('refusals')},
        noticed = ${unless('noticed')}, card_told = false, asks = null, told_price = null,
        off_reason = null, off_by = null, off_at = null,
        grace_spent = ${subscriptions.graceSpent} and ${subscriptions.orderId} is distinct from ${orderId}
      returning ${subscriptions.id}
    )`;
}

/**
 * Turns on the renewal that a recorded purchase agreed to, when its provider saves the account after the payment. Not
 * if the payment was returned, or if the customer or a job has changed the renewal since. Returns whether it is on.
 */
export async function turnOnAfterPurchase(
  db: Database,
  { order, attempt }: { readonly order: OrderRow; readonly attempt: AttemptRow },
  chosen: AgreedRenewal,
  now: number,
): Promise<boolean> {
  const rows = await statementRows(
    db,
    sql`with bought as (
      select ${orders.planId}, ${orders.days}, ${users.expiredTime} as ends, ${users.leavesAt} is not null as leaves
      from ${orders}, ${users}
      where ${orders.orderId} = ${order.orderId} and ${orders.status} = 'PAYMENT_SUCCEEDED' and ${users.uid} = ${order.uid}
        and ${users.expiredTime} > ${now}::bigint
        and exists (select 1 from ${ledger}
          where ${ledger.attemptId} = ${attempt.id} and ${ledger.kind} = 'capture' and ${ledger.giveBackAt} is null)
        and not exists (select 1 from ${subscriptions}
          where ${subscriptions.brand} = ${order.brand} and ${subscriptions.uid} = ${order.uid}
            and ${subscriptions.updatedAt} > ${orders.paidAt})
      for update of "users"
    )${renewalChosen(order, attempt, chosen, now)} select 1 from renewed`,
  );
  return rows.length > 0;
}

/** When the next charge is due, and when its notice is. */
function nextTimes(ends: SQL, days: Parameters<typeof noticeLeadOf>[0]) {
  const chargeAt = sql`${ends} - ${chargeLeadMs}::bigint`;
  return { chargeAt, dueAt: sql`${chargeAt} - ${noticeLeadOf(days)}` };
}
