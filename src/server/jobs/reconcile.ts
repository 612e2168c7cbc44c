import { and, lte, sql, asc, inArray } from 'drizzle-orm';
import { findPurchase } from '#server/db/purchase-rows.ts';
import {
  applyGatewayResult,
  endOrphanedPayment,
  reclaimOrphanedPayment,
} from '#server/billing/apply-gateway-result.ts';
import { nextCheckAt, attempts } from '#server/db/schema/attempts.ts';
import type { Deps } from '#server/deps.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import { chargeRenewal, isRenewalAttempt } from '#server/renewal/charge.ts';
import { runConcurrently, runInBatches } from './run-concurrently.ts';

/** Longer than a call to a provider may take, so that a call in flight is not asked about. */
export const defaultReconcileAfterMs = 30_000;

/**
 * Milliseconds for which an open payment is left alone before its provider is asked. If shorter than a call in flight,
 * that call cannot succeed any more: a provider closes an unknown key that it is asked about.
 */
export function reconcileAfterMs({
  RECONCILE_AFTER_SECONDS: seconds,
}: Pick<Deps['env'], 'RECONCILE_AFTER_SECONDS'>): number {
  return seconds === undefined ? defaultReconcileAfterMs : seconds * 1000;
}

const batch = 50;
/** Concurrent requests to providers. */
const lanes = 10;
/**
 * Asks the provider about every open attempt that was not updated for a while, and writes the answer
 * ([Note: Two phases]). Returns how many were asked about.
 */
export async function reconcile(deps: Deps, stopping?: AbortSignal): Promise<number> {
  const asked = new Set<string>();
  await runInBatches({ full: batch, stopping }, async () => {
    const claimed = await claimQuiet(deps);
    const fresh = claimed.filter(({ id }) => !asked.has(id));
    for (const { id } of fresh) asked.add(id);
    await runConcurrently(fresh, lanes, async (attempt) => {
      try {
        await processOpenAttempt(deps, attempt);
      } catch (error) {
        deps.log.error({ err: error, attemptId: attempt.id }, 'querying an open payment failed');
      }
    });
    return fresh.length;
  });
  return asked.size;
}

type Claimed = Pick<typeof attempts.$inferSelect, 'id' | 'gateway'>;

/**
 * Claiming updates `updatedAt`, so other processes and the next run skip the attempt for a while. Attempts with an
 * unknown outcome come first. One that only waits for its payer is checked less often as it ages, except at its end
 * (`nextCheckAt`): providers block shops that ask too often.
 */
function claimQuiet({ db, clock, env }: Deps): Promise<Claimed[]> {
  const now = clock();
  const quiet = db
    .select({ id: attempts.id })
    .from(attempts)
    .where(and(sql`${nextCheckAt(attempts)} <= ${now}`, lte(attempts.updatedAt, now - reconcileAfterMs(env))))
    .orderBy(nextCheckAt(attempts))
    .limit(batch)
    .for('update', { skipLocked: true });
  return db
    .update(attempts)
    .set({ updatedAt: now })
    .where(sql`${attempts.id} = any(array${quiet})`)
    .returning({ id: attempts.id, gateway: attempts.gateway });
}

async function processOpenAttempt(deps: Deps, { id, gateway }: Claimed): Promise<void> {
  const { db, gateways, log } = deps;
  const purchase = await findPurchase(db, id);
  const asked = gatewayOf(gateways, gateway);
  const isUncharged = purchase?.attempt.state === 'INTENT' && isRenewalAttempt(purchase.attempt);
  if (!purchase) log.error({ attemptId: id, gateway }, 'an open payment has no order');
  else if (asked && isUncharged) await chargeRenewal(deps, purchase);
  else if (asked) await applyGatewayResult(deps, purchase, await asked.inquire(id));
  else await endOrphanedPayment(deps, purchase);
}

/** Pause before a provider that did not answer is asked again, in milliseconds. */
const pauseMs = 10 * 60_000;
const orphansPerRun = 20;

/**
 * Closes payments that were cancelled while their gateway was not configured, once it is configured again. Returns how
 * many were asked about.
 */
export async function reclaimOrphans(deps: Deps): Promise<number> {
  const { db, clock, gateways } = deps;
  const now = clock();
  const waiting = db
    .select({ id: attempts.id })
    .from(attempts)
    .where(
      and(
        sql`${attempts.state} = 'ORPHANED'`,
        lte(attempts.updatedAt, now - pauseMs),
        inArray(attempts.gateway, Object.keys(gateways)),
      ),
    )
    .orderBy(asc(attempts.updatedAt))
    .limit(orphansPerRun)
    .for('update', { skipLocked: true });
  const claimed = await db
    .update(attempts)
    .set({ updatedAt: now })
    .where(sql`${attempts.id} = any(array${waiting})`)
    .returning({ id: attempts.id, gateway: attempts.gateway });
  for (const { id, gateway: name } of claimed) {
    const purchase = await findPurchase(db, id);
    const gateway = gatewayOf(gateways, name);
    if (purchase && gateway) await reclaimOrphanedPayment(deps, purchase, gateway);
  }
  return claimed.length;
}
