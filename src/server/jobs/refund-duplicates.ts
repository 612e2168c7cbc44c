import { eq, sql } from 'drizzle-orm';
import { sendRefund, type ScheduledRefund } from '#server/billing/send-refund.ts';
import { statementRows } from '#server/db/connect.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { Deps } from '#server/deps.ts';
import { runConcurrently, runInBatches } from './run-concurrently.ts';

const batch = 20;
const lanes = 5;
/** Milliseconds until another process or the next run retries; the pause grows. */
const shortestRetryMs = 60_000;
const longestRetryMs = 10 * 60_000;

/**
 * Refunds what was paid twice, because a late Pix and a new card for the same order can both arrive, and what was
 * requested to be refunded. The due time on the capture is cleared by the statement that records the refund, so
 * nothing is lost: after a crash the refund is requested again, and a provider refunds once per key. Claiming moves
 * the due time into the future, so no two processes request at once and a failure does not block others. Returns how
 * many were refunded.
 */
export async function refundDuplicates(deps: Deps, stopping?: AbortSignal): Promise<number> {
  let refunded = 0;
  await runInBatches({ full: batch, stopping }, async () => {
    const claimed = await claimMarked(deps);
    await runConcurrently(claimed, lanes, async (marked) => {
      try {
        if (await refundOrUnmark(deps, marked)) refunded += 1;
      } catch (error) {
        deps.log.error({ err: error, attemptId: marked.attemptId }, 'a refund failed');
      }
    });
    return claimed.length;
  });
  return refunded;
}

interface Claimed extends ScheduledRefund {
  /**
   * An earlier payment exists, the order took none because its owner is deleted, or its refund was requested, and the
   * money is still here. Otherwise the due time is stale.
   */
  readonly isDue: boolean;
}

async function claimMarked({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Claimed[]> {
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
            and (first.at, first.id) < (${ledger.at}, ${ledger.id})) as is_second,
        (select ${orders.paidAt} is null from ${orders} where ${orders.orderId} = ${ledger.orderId}) as is_unwanted,
        (select ${orders.status} = 'REFUND_PENDING' from ${orders} where ${orders.orderId} = ${ledger.orderId}) as is_asked,
        (select sum(own.amount) from ${ledger} own where own.attempt_id = ${ledger.attemptId}) > 0 as is_here`,
  );
  return rows.map((row) => {
    const pays = row.is_second !== true && row.is_unwanted !== true;
    const isDue = row.is_here === true && (!pays || row.is_asked === true);
    return { ledgerId: String(row.id), attemptId: String(row.attempt_id), pays, isDue };
  });
}

/** True if it was refunded just now. */
async function refundOrUnmark(deps: Deps, { isDue, ...marked }: Claimed): Promise<boolean> {
  if (isDue) return (await sendRefund(deps, marked)) === true;
  await deps.db.update(ledger).set({ giveBackAt: null }).where(eq(ledger.id, marked.ledgerId));
  return false;
}
