import { sql, type SQL } from 'drizzle-orm';
import { statementRows } from '#server/db/connect.ts';
import { timesOf, type Mailbox, type Times } from './mails.ts';
import { auditLeaving } from './account-deletion.ts';
import { auditNotices } from './notices.ts';
import type { World } from './world.ts';

/** The totals and the faults of a run. */
export interface Audit {
  readonly periods: number;
  readonly charges: number;
  readonly refusals: number;
  readonly refusalMails: number;
  readonly notices: number;
  /** charges with a notice the full 7 or 30 days before */
  readonly toldInTime: number;
  readonly deleted: number;
  readonly faults: readonly string[];
}

const dayMs = 86_400_000;
/** The grace period of all tested plans. */
const graceMs = 7 * dayMs;
/** The tolerance of timestamps, because the clock may be moved during a write. */
const toleranceMs = 60 * 60_000;

/** Invariants at any time, each checked by one query over the whole database. */
const invariants: readonly (readonly [violation: string, query: (now: number) => SQL])[] = [
  [
    'has access for longer than paid plus grace',
    () => sql`select uid from users where grace_until > expired_time + ${graceMs}`,
  ],
  [
    'has a grace period without an active renewal',
    (now) => sql`select uid from users join subscriptions using (brand, uid)
      where grace_until > greatest(expired_time, ${now}) and status in ('off', 'ended')`,
  ],
  [
    'was charged for a period by more than one order',
    () => sql`select min(uid) as uid from orders where subscription_id is not null
      group by subscription_id, period having count(*) > 1`,
  ],
];

export async function auditNow(world: World): Promise<void> {
  for (const [violation, query] of invariants) await recordViolations(world, violation, query(world.clock.now));
}

async function recordViolations({ db, faults }: World, violation: string, query: SQL): Promise<void> {
  const rows = await statementRows(db, query);
  for (const { uid } of rows.slice(0, 5)) faults.push(`${String(uid)} ${violation}`);
  if (rows.length > 5) faults.push(`${rows.length} customers: ${violation}`);
}

/** Invariants of the final state, when nothing is open. */
const finalInvariants: readonly (readonly [violation: string, query: SQL])[] = [
  ['has an unfinished charge', sql`select uid from attempts where state in ('INTENT', 'PENDING')`],
  ['waits for the outcome of a charge', sql`select uid from subscriptions where status = 'renewing'`],
  [
    'has paid an order twice without a refund',
    sql`select min(orders.uid) as uid from orders join ledger using (order_id) where kind in ('capture', 'refund')
      group by order_id having sum(case kind when 'capture' then 1 else -1 end) > 1`,
  ],
  [
    'has paid an order without service and without a refund',
    sql`select min(orders.uid) as uid from orders join ledger using (order_id) where paid_at is null
      group by order_id having sum(ledger.amount) > 0`,
  ],
  [
    'has another number of days than the paid one',
    sql`select uid from orders where paid_at is not null and status = 'PAYMENT_SUCCEEDED'
      and service_end - service_start <> days::bigint * ${dayMs}::bigint`,
  ],
  [
    'has paid for the same day twice',
    sql`select uid from (select uid, service_start, status,
        lag(service_end) over (partition by uid order by service_start, service_end) as before
      from orders where service_end > service_start) periods where before > service_start`,
  ],
  [
    'has access after the last paid day',
    sql`select users.uid from users join (select uid, max(service_end) as ends from orders group by uid) paid using (uid)
      where expired_time > ends`,
  ],
];

/** Audits all records of the shop and the bank. */
export async function auditAll(world: World, mailbox: Mailbox): Promise<Audit> {
  await auditNow(world);
  for (const [violation, query] of finalInvariants) await recordViolations(world, violation, query);
  const charges = await auditCharges(world);
  const mails = await auditMails(world, mailbox);
  const toldInTime = await auditNotices(world, mailbox);
  const deleted = await auditLeaving(world, mailbox);
  return { ...charges, ...mails, toldInTime, deleted, faults: world.faults };
}

/** The charges of the bank equal the captures of the shop, and each automatic charge paid one period. */
async function auditCharges({ db, bank, faults }: World): Promise<{ periods: number; charges: number }> {
  const booked = await statementRows(
    db,
    sql`select attempt_id, ledger.amount::int as amount, subscription_id, period, idempotency_key like 'renewal %' as own
      from ledger join attempts on attempts.id = attempt_id join orders on orders.order_id = ledger.order_id
      where kind = 'capture'`,
  );
  const periods = new Set<string>();
  const keys = new Set<string>();
  for (const { attempt_id: id, amount, subscription_id: renewal, period, own } of booked) {
    const key = String(id);
    const charge = bank.charges.get(key);
    keys.add(key);
    if (charge?.state !== 'paid' || charge.amount !== amount)
      faults.push(`${key} is booked without an equal charge at the bank`);
    if (own !== charge?.own) faults.push(`the bank and the shop disagree whether ${key} was automatic`);
    if (own === true) periods.add(`${String(renewal)} ${String(period)}`);
  }
  const taken = [...bank.charges.values()].filter(({ state }) => state === 'paid');
  for (const { key, uid } of taken)
    if (!keys.has(key)) faults.push(`${uid}: the charge ${key} of the bank is not booked`);
  const charges = taken.filter(({ own }) => own).length;
  if (charges !== periods.size) faults.push(`${charges} charges for ${periods.size} periods`);
  return { periods: periods.size, charges };
}

/** Each refusal, end and stop has exactly one mail, written at the same time. */
async function auditMails({ db, faults }: World, mailbox: Mailbox) {
  const when = async (query: SQL) =>
    timesOf((await statementRows(db, query)).map(({ uid, at }) => ({ uid: String(uid), at: Number(at) })));
  const moves = (which: SQL) => when(sql`select uid, at::float8 as at from renewal_moves where ${which}`);
  const refusals = await moves(sql`refused`);
  const refusalMails = mailbox.written(['refused', 'confirm']);
  faults.push(...differences('refusal', refusals, refusalMails));
  const off = await moves(sql`after = 'off' and before in ('on', 'pastDue', 'renewing') and not leaves`);
  faults.push(...differences('stop', off, mailbox.written(['off'])));
  const ended = await moves(sql`after = 'ended' and before in ('on', 'pastDue')`);
  faults.push(...differences('end', ended, mailbox.written(['ended'])));
  const failed = await when(failedCharges);
  for (const [uid, times] of failed)
    for (const at of times)
      if (!refusalMails.get(uid)?.some((mailAt) => isSame(at, mailAt)))
        faults.push(`${uid} ${at}: a refused charge has no mail`);
  return { refusals: sum(refusals), refusalMails: sum(refusalMails), notices: sum(mailbox.written(['notice'])) };
}

/**
 * Automatic charges that failed. They need no mail if the renewal was turned off while the charge was pending, or if
 * days were bought in the checkout meanwhile.
 */
const failedCharges = sql`select attempts.uid, attempts.updated_at::float8 as at from attempts join orders using (order_id)
  where idempotency_key like 'renewal %' and state in ('FAILED', 'EXPIRED', 'ORPHANED')
    and not exists (select 1 from renewal_moves moves where moves.uid = attempts.uid and before = 'renewing'
      and after in ('off', 'on') and at between attempts.created_at and attempts.updated_at + ${toleranceMs})`;

const sum = (all: Times) => [...all.values()].reduce((count, times) => count + times.length, 0);

function isSame(at: number | undefined, mailAt: number | undefined): boolean {
  return at !== undefined && mailAt !== undefined && Math.abs(at - mailAt) <= toleranceMs;
}

function differences(what: string, happened: Times, mailed: Times): string[] {
  return [...new Set([...happened.keys(), ...mailed.keys()])].flatMap((uid) => {
    const [moves = [], mails = []] = [happened.get(uid), mailed.get(uid)];
    const fits = moves.length === mails.length && moves.every((at, index) => isSame(at, mails[index]));
    return fits ? [] : [`${uid}: ${what} at ${moves.join()}, mails at ${mails.join()}`];
  });
}
