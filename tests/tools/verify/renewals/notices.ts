import { sql } from 'drizzle-orm';
import { statementRows } from '#server/db/driver-results.ts';
import { latestNoticeMs, noticeLeadMs } from '#server/billing/subscriptions/times.ts';
import type { Mailbox } from './mails.ts';
import type { World } from './world.ts';

const hourMs = 3_600_000;
/** How far the clock is put back at most, and how long the shop is away at most, with the time between two rounds. */
const putBackMs = 30 * hourMs;
const awayMs = (3 * 24 + 13) * hourMs;

/**
 * Each charge that the shop has tried by itself was told of: by a notice a day before at the latest, or by its customer's
 * own yes in the account, written since they paid last, at a price that was not lower. What they pay by hand at the very
 * moment of the charge may have come after it. Answers how many of the first
 * tries were told of as long before as is promised.
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
    const [at, amount, since] = [Number(one.at), Number(one.amount), Number(one.paid_at) - putBackMs];
    // a new card is charged at once, and the clock may have been put back since the first try
    const lastAt = Number(one.last_at);
    const fits = (told: { at: number; price: number }) => told.at >= since && told.price >= amount;
    const own = (notices.get(String(uid)) ?? []).filter((told) => fits(told) && told.at <= lastAt - latestNoticeMs);
    const said = (yes.get(String(uid)) ?? []).some((told) => fits(told) && told.at <= at);
    if (own.length === 0 && !said)
      faults.push(
        `${String(uid)} was charged ${amount} at ${at} and not told before: paid ${Number(one.paid_at)}, told ${JSON.stringify(notices.get(String(uid))?.slice(-4) ?? [])}, yes ${JSON.stringify(yes.get(String(uid)) ?? [])}`,
      );
    const lead = noticeLeadMs(Number(days)) - awayMs;
    if (one.is_first === true && own.some((told) => told.at <= at - lead)) inTime += 1;
  }
  return inTime;
}
