import { and, asc, inArray, lte, sql } from 'drizzle-orm';
import { reclaim } from '#server/billing/orphans.ts';
import { findPurchase } from '#server/db/purchase-rows.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import type { Deps } from '#server/deps.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';

/** Pause before a provider that did not answer is asked again, in milliseconds. */
const pauseMs = 10 * 60_000;
const batch = 20;

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
    .limit(batch)
    .for('update', { skipLocked: true });
  const claimed = await db
    .update(attempts)
    .set({ updatedAt: now })
    .where(sql`${attempts.id} = any(array${waiting})`)
    .returning({ id: attempts.id, gateway: attempts.gateway });
  for (const { id, gateway: name } of claimed) {
    const purchase = await findPurchase(db, id);
    const gateway = gatewayOf(gateways, name);
    if (purchase && gateway) await reclaim(deps, purchase, gateway);
  }
  return claimed.length;
}
