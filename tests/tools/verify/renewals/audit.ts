import { sql, type SQL } from 'drizzle-orm';
import { statementRows } from '#server/db/driver-results.ts';
import { timesOf, type Mailbox, type Times } from './mails.ts';
import { auditLeaving } from './leaving.ts';
import { auditNotices } from './notices.ts';
import type { World } from './world.ts';

/** What was counted, and what is off, in words. */
export interface Audit {
  readonly periods: number;
  readonly charges: number;
  readonly refusals: number;
  readonly refusalMails: number;
  readonly notices: number;
  /** charges that were told of a full 7 or 30 days before */
  readonly toldInTime: number;
  readonly deleted: number;
  readonly faults: readonly string[];
}

const dayMs = 86_400_000;
/** Half of a month's days or seven, whichever is less. */
const graceMs = 7 * dayMs;
/** The clock may be moved while something is written. */
const sameMs = 60 * 60_000;

/** Laws that hold at every moment, asked of the whole database at once. */
const always: readonly (readonly [words: string, query: (now: number) => SQL])[] = [
  [
    'has access for longer than paid plus grace',
    () => sql`select uid from users where grace_until > expired_time + ${graceMs}`,
  ],
  [
    'has access on credit without a renewal that could pay for it',
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
  for (const [words, query] of always) await complainOf(world, words, query(world.clock.now));
}

async function complainOf({ db, faults }: World, words: string, query: SQL): Promise<void> {
  const rows = await statementRows(db, query);
  for (const { uid } of rows.slice(0, 5)) faults.push(`${String(uid)} ${words}`);
  if (rows.length > 5) faults.push(`${rows.length} customers: ${words}`);
}

/** Laws of the end, when nothing is open any more. */
const atLast: readonly (readonly [words: string, query: SQL])[] = [
  ['has a charge without an end', sql`select uid from attempts where state in ('INTENT', 'PENDING')`],
  ['waits for the outcome of a charge', sql`select uid from subscriptions where status = 'renewing'`],
  [
    'has paid an order twice, and got nothing back',
    sql`select min(orders.uid) as uid from orders join ledger using (order_id) where kind in ('capture', 'refund')
      group by order_id having sum(case kind when 'capture' then 1 else -1 end) > 1`,
  ],
  [
    'has paid an order that gives nothing, and got nothing back',
    sql`select min(orders.uid) as uid from orders join ledger using (order_id) where paid_at is null
      group by order_id having sum(ledger.amount) > 0`,
  ],
  [
    'has got another number of days than paid for',
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
    'has access until another day than the last paid one',
    sql`select users.uid from users join (select uid, max(service_end) as ends from orders group by uid) paid using (uid)
      where expired_time > ends`,
  ],
];

/** Looks at everything that was written down, here and at the bank. */
export async function auditAll(world: World, mailbox: Mailbox): Promise<Audit> {
  await auditNow(world);
  for (const [words, query] of atLast) await complainOf(world, words, query);
  const charges = await auditCharges(world);
  const mails = await auditMails(world, mailbox);
  const toldInTime = await auditNotices(world, mailbox);
  const deleted = await auditLeaving(world, mailbox);
  return { ...charges, ...mails, toldInTime, deleted, faults: world.faults };
}

/** What the bank has taken is what the shop has booked, coin by coin; and each charge of its own paid for one period. */
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
      faults.push(`${key} is booked, and the bank took nothing like it`);
    if (own !== charge?.own) faults.push(`${key} was not made as the shop has it`);
    if (own === true) periods.add(`${String(renewal)} ${String(period)}`);
  }
  const taken = [...bank.charges.values()].filter(({ state }) => state === 'paid');
  for (const { key, uid } of taken)
    if (!keys.has(key)) faults.push(`${uid}: the bank took ${key}, and nothing is booked`);
  const charges = taken.filter(({ own }) => own).length;
  if (charges !== periods.size) faults.push(`${charges} charges of ${periods.size} periods`);
  return { periods: periods.size, charges };
}

/** Each refusal, end and stop has been told by one mail, written in the same moment, and by no other. */
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
      if (!refusalMails.get(uid)?.some((told) => isSame(at, told)))
        faults.push(`${uid} ${at}: a refused charge was not told`);
  return { refusals: sum(refusals), refusalMails: sum(refusalMails), notices: sum(mailbox.written(['notice'])) };
}

/**
 * Charges of the shop's own that brought no money. There is nothing to tell where the renewal was taken back while one was
 * on its way, or days were bought by hand meanwhile.
 */
const failedCharges = sql`select attempts.uid, attempts.updated_at::float8 as at from attempts join orders using (order_id)
  where idempotency_key like 'renewal %' and state in ('FAILED', 'EXPIRED', 'ORPHANED')
    and not exists (select 1 from renewal_moves moves where moves.uid = attempts.uid and before = 'renewing'
      and after in ('off', 'on') and at between attempts.created_at and attempts.updated_at + ${sameMs})`;

const sum = (all: Times) => [...all.values()].reduce((count, times) => count + times.length, 0);

function isSame(at: number | undefined, told: number | undefined): boolean {
  return at !== undefined && told !== undefined && Math.abs(at - told) <= sameMs;
}

function differences(what: string, happened: Times, told: Times): string[] {
  return [...new Set([...happened.keys(), ...told.keys()])].flatMap((uid) => {
    const [moves = [], mails = []] = [happened.get(uid), told.get(uid)];
    const fits = moves.length === mails.length && moves.every((at, index) => isSame(at, mails[index]));
    return fits ? [] : [`${uid}: ${what} at ${moves.join()}, told at ${mails.join()}`];
  });
}
