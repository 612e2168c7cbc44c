import { sql } from 'drizzle-orm';
import { sendPartialRefund } from '#server/billing/send-partial-refund.ts';
import { refunds } from '#server/db/schema/ledger.ts';
import type { Deps } from '#server/deps.ts';
import { runConcurrently, runInBatches } from './run-concurrently.ts';

const batch = 20;
const lanes = 5;
/** Milliseconds until another process or the next run retries; the pause grows. */
const shortestRetryMs = 60_000;
const longestRetryMs = 10 * 60_000;

/**
 * Requests partial refunds whose outcome is unknown, by the number under which the provider executes them once.
 * Claiming moves the time of the next request. Returns how many were refunded.
 */
export async function refundParts(deps: Deps, stopping?: AbortSignal): Promise<number> {
  let refunded = 0;
  await runInBatches({ full: batch, stopping }, async () => {
    const claimed = await claimParts(deps);
    await runConcurrently(claimed, lanes, async (row) => {
      try {
        if ((await sendPartialRefund(deps, row)) === true) refunded += 1;
      } catch (error) {
        deps.log.error({ err: error, attemptId: row.attemptId }, 'a partial refund failed');
      }
    });
    return claimed.length;
  });
  return refunded;
}

function claimParts({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const now = clock();
  const due = db
    .select({ id: refunds.id })
    .from(refunds)
    .where(sql`${refunds.nextTryAt} <= ${now}`)
    .orderBy(refunds.nextTryAt)
    .limit(batch)
    .for('update', { skipLocked: true });
  const grown = sql`least(${longestRetryMs}::bigint, greatest(${shortestRetryMs}::bigint, (${now}::bigint - ${refunds.askedAt}) / 8))`;
  return db
    .update(refunds)
    .set({ nextTryAt: sql`${now}::bigint + ${grown}` })
    .where(sql`${refunds.id} = any(array${due})`)
    .returning();
}
