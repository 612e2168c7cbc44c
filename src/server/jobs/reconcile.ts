import { asc, inArray, sql } from 'drizzle-orm';
import { findPurchase } from '../billing/purchase-rows.ts';
import { settle } from '../billing/settle.ts';
import { attempts } from '../db/schema.ts';
import type { Deps } from '../deps.ts';

/** Longer than a call to a provider may take, so that a call in flight is not asked about. */
export const settledAfterMs = 30_000;
const batch = 50;

/**
 * Asks the provider about every attempt that is still open and has been quiet for a while, and writes what it says
 * ([Note: Two phases]). Claiming is touching: another process, or the next round, leaves the attempt alone for as long.
 * Answers how many were asked about.
 */
export async function reconcile(deps: Deps): Promise<number> {
  const { db, clock, gateways, log } = deps;
  const now = clock();
  const quiet = db
    .select({ id: attempts.id })
    .from(attempts)
    .where(sql`${inArray(attempts.state, ['INTENT', 'PENDING'])} and ${attempts.updatedAt} <= ${now - settledAfterMs}`)
    .orderBy(asc(attempts.updatedAt))
    .limit(batch)
    .for('update', { skipLocked: true });
  const claimed = await db
    .update(attempts)
    .set({ updatedAt: now })
    .where(sql`${attempts.id} in ${quiet}`)
    .returning({ id: attempts.id, gateway: attempts.gateway });
  for (const { id, gateway } of claimed) {
    const purchase = await findPurchase(db, id);
    const answer = await gateways[gateway]?.inquire(id);
    if (purchase && answer) await settle(deps, purchase, answer);
    else log.error({ attemptId: id, gateway }, 'nobody can be asked about an open payment');
  }
  return claimed.length;
}
