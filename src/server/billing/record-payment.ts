import { sql, type SQL } from 'drizzle-orm';
import { unpaidStatuses } from '#contract/order-status.ts';
import { type Database, statementRows } from '#server/db/connect.ts';
import { sqlLiterals } from '#server/db/schema/columns.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { brands } from '#server/db/schema/brands.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { coupons, orders } from '#server/db/schema/orders.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { pushWatches } from '#server/db/schema/push.ts';
import { users } from '#server/db/schema/users.ts';
import { deletedUserType } from '#server/auth/users.ts';
import { queuePaidPush } from '#server/messages/push/write-push.ts';
import type { QueuedMail } from '#server/messages/message-requests.ts';
import { paidMove } from './order-moves.ts';
import type { AttemptRow, OrderRow } from '#server/db/purchase-rows.ts';
import { type AgreedRenewal, renewalAfterPurchase } from './subscriptions/record-purchase.ts';

export interface PaymentFacts {
  readonly attempt: AttemptRow;
  /**
   * the order with this attempt's terms: each row is found by a known key, never by a join that may be planned badly
   */
  readonly order: OrderRow;
  readonly providerRef: string | null;
  /** epoch milliseconds */
  readonly now: number;
  readonly ledgerId: string;
  readonly mailId: string;
  /** seller, buyer and card for the receipt */
  readonly seller: OrderRow['seller'];
  readonly buyerSealed: OrderRow['buyerSealed'];
  readonly cardLast4: string | null;
  /** undefined for a customer without an email address */
  readonly mail: QueuedMail | undefined;
  /** the automatic renewal that the customer has chosen */
  readonly renewal: AgreedRenewal | undefined;
}

const dayMs = 86_400_000;

/**
 * Records a payment in one statement, so that all of it is written or nothing: the capture, the order's status and
 * terms, its period behind all existing ones ([Note: Periods]), the coupon, the receipt in the outbox, the push
 * messages and the renewal. Returns whether this payment paid the order. Repeating it changes nothing. If the period
 * starts later, plan and devices of the customer's row stay, because they belong to days that no order gave.
 * [Note: Grace] An unpaid renewal leaves access on for a while. Days that are paid in that time begin where the paid
 * ones ended, so the customer gets every paid day once.
 * Money for an order that is already paid, or whose customer deleted the account, is booked and scheduled for its
 * refund (job `refundDuplicates`). It is booked after the existing entries, even within one millisecond, because the
 * first capture is the one that paid the order. The locked order decides which one that is: two concurrent captures do
 * not see each other in the ledger.
 */
export async function recordPayment(db: Database, facts: PaymentFacts): Promise<boolean> {
  const { now, order, attempt } = facts;
  const rows = await statementRows(
    db,
    sql`with attempt as (
      update ${attempts} set state = 'SUCCEEDED', next = null, failure_code = null, updated_at = ${now},
        provider_ref = coalesce(${facts.providerRef}, provider_ref)
      where id = ${attempt.id} and state <> 'SUCCEEDED'
      returning id, brand, order_id, amount, currency
    ), held as (
      ${held(order, now)}
    ), booked as (
      insert into ${ledger} (id, brand, order_id, attempt_id, kind, amount, currency, at, give_back_at, invoice_at)
      select ${facts.ledgerId}, attempt.brand, order_id, id, 'capture', amount, currency,
        greatest(${now}::bigint, held.paid_at + 1,
          (select max(earlier.at) + 1 from ${ledger} earlier where earlier.order_id = attempt.order_id)),
        case when not held.payable and amount > 0 then ${now}::bigint end,
        case when held.payable and amount > 0 then (select ${now}::bigint from ${brands}
          where ${brands.code} = attempt.brand and ${brands.invoices} is not null) end
      from attempt, held
      on conflict (attempt_id, kind) do nothing
      returning order_id
    ), bought as (
      select *, starts + days::bigint * ${dayMs}::bigint as ends from held where payable and exists (select 1 from booked)
    ), moved as (
      update ${orders} set status = ${paidMove.status}, paid_at = ${now}, failure_code = null, expires_at = null,
        service_start = bought.starts, service_end = bought.ends, rejection = null,
        ${paidTerms(facts)} seller = ${json(facts.seller)}::jsonb, buyer_sealed = ${facts.buyerSealed}, card_last4 = ${facts.cardLast4}
      from bought where ${orders.orderId} = ${order.orderId}
    ), entitled as (
      update ${users} set expired_time = bought.ends, grace_until = null,
        plan_id = case when bought.starts > ${now} then ${users.planId} else bought.plan_id end,
        limit_count = case when bought.starts > ${now} then ${users.limitCount} else bought.devices end
      from bought where ${users.uid} = ${order.uid}
    ), ${queuePaidPush(sql`${pushWatches.orderId} = ${order.orderId} and exists (select 1 from bought)`, now)}${couponUse(facts)}${renewalAfterPurchase(order, attempt, facts.renewal, now)}${mailed(facts)}
    select 1 as paid from bought`,
  );
  return rows.length > 0;
}

const json = (value: unknown) => (value === null ? null : JSON.stringify(value));

/** Locks order and customer, and computes when the new period starts. */
function held(order: OrderRow, now: number): SQL {
  return sql`select ${orders.brand}, ${orders.planId}, ${orders.days}, ${orders.devices}, ${orders.paidAt},
        ${orders.discountCode} as held_code, ${users.leavesAt} is not null as leaves, ${paidMove.possible} and ${users.userType} <> ${deletedUserType} as payable,
        ${orders.status} in (${sqlLiterals(unpaidStatuses)}) as released,
        case when ${users.graceUntil} > ${now} then ${users.expiredTime}
          else greatest(coalesce(${users.expiredTime}, 0), ${now}::bigint) end as starts
      from ${orders}, ${users}
      where ${orders.orderId} = ${order.orderId} and ${users.uid} = ${order.uid} and exists (select 1 from attempt)
      for update of "orders", "users"`;
}

/** Writes the terms of the attempt that paid: a later attempt may have overwritten them. */
function paidTerms({ order }: PaymentFacts): SQL {
  return sql`method_code = ${order.methodCode}, method_names = ${json(order.methodNames)}::jsonb, flow = ${order.flow},
        currency = ${order.currency}, original = ${order.original}, discount = ${order.discount}, total = ${order.total},
        installments = ${order.installments}, discount_code = ${order.discountCode}, `;
}

/**
 * Counts the coupon of the attempt that was paid, even beyond its limit, because its price was promised and paid. An
 * open order releases the coupon of its latest attempt; one that failed or was cancelled has released it already.
 */
function couponUse({ order }: PaymentFacts): SQL {
  return sql`, counted as (
      update ${coupons} set used = greatest(0, used + change.uses)
      from (
        select code, sum(uses)::int as uses
        from (select ${order.discountCode}::text as code, 1 as uses from bought
          union all select held_code, -1 from bought where not released) each_use
        where code is not null group by code having sum(uses) <> 0
      ) change
      where ${coupons.brand} = ${order.brand} and ${coupons.code} = change.code
    )`;
}

function mailed({ mail, mailId, now }: PaymentFacts): SQL {
  if (!mail) return sql``;
  return sql`, mailed as (
      insert into ${outbox} (id, brand, recipient, subject, text, html, receipt, created_at, tries, next_try_at)
      select ${mailId}, brand, ${mail.to}, ${mail.subject}, ${mail.text}, ${mail.html}, ${json(mail.receipt ?? null)}::jsonb, ${now}::bigint, 0, ${now}::bigint
      from bought
    )`;
}
