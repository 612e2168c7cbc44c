import { eq, sql } from 'drizzle-orm';
import { statementRows } from '../billing/statement-rows.ts';
import { attempts, ledger } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import { inLanes, inSteps } from './in-steps.ts';

const batch = 20;
const lanes = 5;
/** Until another process, or the next round, tries again what was not done: longer each time. In milliseconds. */
const shortestRetryMs = 60_000;
const longestRetryMs = 10 * 60_000;

/**
 * Gives back what was paid twice: a late Pix and a new card for the same order can both arrive. The second capture is
 * marked in the books when it is booked, and the mark goes in the same statement that books the refund, so nothing can be
 * lost: whoever stops in between asks again, and a provider gives back once per key. Claiming moves the mark into the
 * future, so no two processes ask at once and one that fails does not keep the others waiting. Answers how many were
 * refunded.
 */
export async function refundDuplicates(deps: Deps, stopping?: AbortSignal): Promise<number> {
  let refunded = 0;
  await inSteps({ full: batch, stopping }, async () => {
    const claimed = await claimMarked(deps);
    await inLanes(claimed, lanes, async (marked) => {
      try {
        if (await giveBack(deps, marked)) refunded += 1;
      } catch (error) {
        deps.log.error({ err: error, attemptId: marked.attemptId }, 'giving back a second payment failed');
      }
    });
    return claimed.length;
  });
  return refunded;
}

interface Marked {
  /** the capture's */
  readonly ledgerId: string;
  readonly attemptId: string;
  /** there was a payment before, and its money is still here; otherwise the mark says nothing */
  readonly isDue: boolean;
}

async function claimMarked({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Marked[]> {
  const now = clock();
  const rows = await statementRows(
    db,
    sql`update ${ledger} set give_back_at = ${now}::bigint
        + least(${longestRetryMs}::bigint, greatest(${shortestRetryMs}::bigint, (${now}::bigint - ${ledger.at}) / 8))
      where ${ledger.id} = any(array(
        select id from ${ledger} marked where marked.kind = 'capture' and marked.give_back_at <= ${now}
        order by marked.give_back_at limit ${batch} for update skip locked))
      returning ${ledger.id}, ${ledger.attemptId},
        exists (select 1 from ${ledger} first where first.order_id = ${ledger.orderId} and first.kind = 'capture'
          and (first.at, first.id) < (${ledger.at}, ${ledger.id}))
        and (select sum(own.amount) from ${ledger} own where own.attempt_id = ${ledger.attemptId}) > 0 as is_due`,
  );
  return rows.map((row) => ({
    ledgerId: String(row.id),
    attemptId: String(row.attempt_id),
    isDue: row.is_due === true,
  }));
}

/** True when it was given back just now. */
async function giveBack(deps: Deps, { ledgerId, attemptId, isDue }: Marked): Promise<boolean> {
  const { db, gateways, log } = deps;
  if (!isDue) {
    await db.update(ledger).set({ giveBackAt: null }).where(eq(ledger.id, ledgerId));
    return false;
  }
  const [attempt] = await db.select({ gateway: attempts.gateway }).from(attempts).where(eq(attempts.id, attemptId));
  if (!attempt || !(await gateways[attempt.gateway]?.refund(attemptId))) {
    log.error({ attemptId }, 'a second payment of an order could not be given back yet');
    return false;
  }
  await bookRefund(deps, ledgerId);
  return true;
}

/** The refund goes into the books and the mark goes: both or neither. One that is booked already stays as it is. */
async function bookRefund({ db, clock, random }: Pick<Deps, 'db' | 'clock' | 'random'>, ledgerId: string) {
  await statementRows(
    db,
    sql`with captured as (
      update ${ledger} set give_back_at = null where id = ${ledgerId}
      returning brand, order_id, attempt_id, amount, currency
    )
    insert into ${ledger} (id, brand, order_id, attempt_id, kind, amount, currency, at, give_back_at)
    select ${random.id()}, brand, order_id, attempt_id, 'refund', -amount, currency, ${clock()}::bigint, null from captured
    on conflict (attempt_id, kind) do nothing`,
  );
}
