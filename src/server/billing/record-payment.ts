import { sql, type SQL } from 'drizzle-orm';
import type { Database } from '../db/connect.ts';
import { attempts, coupons, ledger, orders, outbox, users } from '../db/schema.ts';
import type { QueuedMail } from '../email/outbox.ts';
import { paid } from './order-moves.ts';
import type { OrderRow } from './purchase-rows.ts';
import { statementRows } from './statement-rows.ts';

export interface PaymentFacts {
  readonly attemptId: string;
  /** the order of the attempt: every row is found by a key that is known, never by a join that may be planned badly */
  readonly order: OrderRow;
  readonly providerRef: string | null;
  /** epoch milliseconds */
  readonly now: number;
  readonly ledgerId: string;
  readonly mailId: string;
  /** undefined for a customer without an address */
  readonly mail: QueuedMail | undefined;
}

const dayMs = 86_400_000;

/**
 * Money has arrived for an attempt: one statement, so all of it or nothing. Books the capture, moves the order, gives
 * the service, takes back a coupon that was released meanwhile, and leaves the receipt in the outbox.
 *
 * Telling it again changes nothing. Money for an order that another attempt has already paid is booked and the order
 * stays as it is, with the mark that it is to be given back (job `refundDuplicates`). It is booked after what is there, also in one millisecond:
 * whoever asks which payment paid the order takes the first. True when this payment is the one that paid the order.
 *
 * Which one that is, the order itself tells, locked and read again when another payment of it was written meanwhile:
 * what two captures see of each other in the books, when they come at the same moment, is nothing.
 */
export async function recordPayment(db: Database, facts: PaymentFacts): Promise<boolean> {
  const { now, order } = facts;
  const rows = await statementRows(
    db,
    sql`with attempt as (
      update ${attempts} set state = 'SUCCEEDED', next = null, failure_code = null, updated_at = ${now},
        provider_ref = coalesce(${facts.providerRef}, provider_ref)
      where id = ${facts.attemptId} and state <> 'SUCCEEDED'
      returning id, brand, order_id, amount, currency
    ), held as (
      select ${orders.brand}, ${orders.planId}, ${orders.days}, ${orders.devices}, ${orders.paidAt},
        ${paid.possible} as payable, ${orders.status} in ('PAYMENT_CANCELLED', 'PAYMENT_FAILED') as released,
        greatest(coalesce(${users.expiredTime}, 0), ${now}::bigint) as starts
      from ${orders}, ${users}
      where ${orders.orderId} = ${order.orderId} and ${users.uid} = ${order.uid} and exists (select 1 from attempt)
      for update of "orders", "users"
    ), booked as (
      insert into ${ledger} (id, brand, order_id, attempt_id, kind, amount, currency, at, give_back_at)
      select ${facts.ledgerId}, attempt.brand, order_id, id, 'capture', amount, currency,
        greatest(${now}::bigint, held.paid_at + 1,
          (select max(earlier.at) + 1 from ${ledger} earlier where earlier.order_id = attempt.order_id)),
        case when not held.payable and amount > 0 then ${now}::bigint end
      from attempt, held
      on conflict (attempt_id, kind) do nothing
      returning order_id
    ), bought as (
      select * from held where payable and exists (select 1 from booked)
    ), moved as (
      update ${orders} set status = ${paid.status}, paid_at = ${now}, failure_code = null, expires_at = null,
        service_start = bought.starts, service_end = bought.starts + bought.days::bigint * ${dayMs}::bigint
      from bought where ${orders.orderId} = ${order.orderId}
    ), entitled as (
      update ${users} set expired_time = bought.starts + bought.days::bigint * ${dayMs}::bigint,
        plan_id = bought.plan_id, limit_count = bought.devices
      from bought where ${users.uid} = ${order.uid}
    )${retakenCoupon(order)}${mailed(facts)}
    select 1 as paid from bought`,
  );
  return rows.length > 0;
}

/** A coupon is released when its order fails or is cancelled; money that comes anyway uses it after all. */
function retakenCoupon({ brand, discountCode }: OrderRow): SQL {
  if (discountCode === null) return sql``;
  return sql`, retaken as (
      update ${coupons} set used = used + 1 from bought
      where bought.released and ${coupons.brand} = ${brand} and ${coupons.code} = ${discountCode}
    )`;
}

function mailed({ mail, mailId, now }: PaymentFacts): SQL {
  if (!mail) return sql``;
  return sql`, mailed as (
      insert into ${outbox} (id, brand, recipient, subject, text, html, created_at, tries, next_try_at)
      select ${mailId}, brand, ${mail.to}, ${mail.subject}, ${mail.text}, ${mail.html}, ${now}::bigint, 0, ${now}::bigint
      from bought
    )`;
}
