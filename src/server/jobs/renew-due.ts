import { asc, lte, sql } from 'drizzle-orm';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import type { Deps } from '#server/deps.ts';
import { processRenewal } from '#server/renewal/process-renewal.ts';
import { runConcurrently, runInBatches } from './run-concurrently.ts';

const batch = 50;
const lanes = 10;
/** Milliseconds until another process or the next run takes over what was claimed and not done. */
const pauseMs = 5 * 60_000;

/**
 * Does what is due about renewals: notices, charges, retries, ends. Claiming moves the due time into the future. Each
 * renewal is then processed by its stored state, so repeated and concurrent runs are safe. Returns how many were
 * processed.
 */
export function renewDue(deps: Deps, stopping?: AbortSignal): Promise<number> {
  return runInBatches({ full: batch, stopping }, async () => {
    const claimed = await claimDue(deps);
    await runConcurrently(claimed, lanes, async (who) => {
      try {
        await processRenewal(deps, who);
      } catch (error) {
        deps.log.error({ err: error, uid: who.uid }, 'a renewal could not be processed and will be retried');
      }
    });
    return claimed.length;
  });
}

function claimDue({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const now = clock();
  const due = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(lte(subscriptions.dueAt, now))
    .orderBy(asc(subscriptions.dueAt))
    .limit(batch)
    .for('update', { skipLocked: true });
  return db
    .update(subscriptions)
    .set({ dueAt: now + pauseMs })
    .where(sql`${subscriptions.id} = any(array${due})`)
    .returning({ brand: subscriptions.brand, uid: subscriptions.uid, orderId: subscriptions.orderId });
}
