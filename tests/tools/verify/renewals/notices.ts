import { sql } from 'drizzle-orm';
import { statementRows } from '#server/db/connect.ts';
import { latestNoticeMs, noticeLeadMs } from '#server/billing/subscriptions/renewal-rules.ts';
import type { Mailbox } from './mails.ts';
import type { World } from './world.ts';

const hourMs = 3_600_000;
/** The largest set-back of the clock, and the longest downtime of the shop plus the time between two rounds. */
const setBackMs = 30 * hourMs;
const downtimeMs = (3 * 24 + 13) * hourMs;

/**
 * Checks that each automatic charge was announced since the last payment, at a price that was not lower: by a notice at
 * least a day before, or by the customer's own agreement in the account. A payment in the checkout at the time of the
 * charge may have followed it. Returns the number of first attempts that were announced as early as promised.
 */
export async function auditNotices(world: World, { notices }: Mailbox): Promise<number> {
  const { db, faults, people } = world;
  const yes = new Map([...people.values()].map((person) => [person.uid, person.yes]));
  const tries = await statementRows(
    db,
    sql`select uid, order_id, days, attempts.amount::int as amount, attempts.created_at::float8 as at,
        max(attempts.created_at) over (partition by order_id)::float8 as last_at,
        attempts.created_at = min(attempts.created_at) over (partition by order_id) as is_first,
        (select max(ledger.at) from ledger join orders paid using (order_id)
          where paid.uid = attempts.uid and ledger.order_id <> attempts.order_id and kind = 'capture' and ledger.at < attempts.created_at)::float8 as paid_at
      from attempts join orders using (order_id, uid) where idempotency_key like 'renewal %'`,
  );
  let inTime = 0;
  for (const { uid, days, ...one } of tries) {
    const [at, amount, since] = [Number(one.at), Number(one.amount), Number(one.paid_at) - setBackMs];
    // a new card is charged at once, and the clock may have been set back since the first attempt
    const lastAt = Number(one.last_at);
    const isValid = (notice: { at: number; price: number }) => notice.at >= since && notice.price >= amount;
    const own = (notices.get(String(uid)) ?? []).filter((one) => isValid(one) && one.at <= lastAt - latestNoticeMs);
    const agreed = (yes.get(String(uid)) ?? []).some((one) => isValid(one) && one.at <= at);
    if (own.length === 0 && !agreed)
      faults.push(
        `${String(uid)} was charged ${amount} at ${at} without an earlier notice: paid ${Number(one.paid_at)}, notices ${JSON.stringify(notices.get(String(uid))?.slice(-4) ?? [])}, agreements ${JSON.stringify(yes.get(String(uid)) ?? [])}`,
      );
    const lead = noticeLeadMs(Number(days)) - downtimeMs;
    if (one.is_first === true && own.some((notice) => notice.at <= at - lead)) inTime += 1;
  }
  return inTime;
}
