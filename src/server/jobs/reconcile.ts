import { asc, inArray, sql } from 'drizzle-orm';
import { findPurchase } from '../billing/purchase-rows.ts';
import { settle } from '../billing/settle.ts';
import { attempts } from '../db/schema.ts';
import type { Deps } from '../deps.ts';

/** Longer than a call to a provider may take, so that a call in flight is not asked about. */
export const settledAfterMs = 30_000;

/**
 * How long an open payment stays quiet before its provider is asked, in milliseconds. Where it is shorter than a call in
 * flight, that call loses nothing but its chance: a provider closes a key that it is asked about and does not know yet.
 */
export function quietMs({ RECONCILE_AFTER_SECONDS: seconds }: Pick<Deps['env'], 'RECONCILE_AFTER_SECONDS'>): number {
  return seconds === undefined ? settledAfterMs : seconds * 1000;
}

const batch = 50;
/** Requests to providers at once. */
const lanes = 10;
/** The longest that anyone waits for the next question about a payment, in milliseconds. */
const longestMs = 10 * 60_000;

/**
 * Asks the provider about every attempt that is still open and has been quiet for a while, and writes what it says
 * ([Note: Two phases]). Answers how many were asked about.
 */
export async function reconcile(deps: Deps): Promise<number> {
  const asked = new Set<string>();
  for (;;) {
    const claimed = (await claimQuiet(deps)).filter(({ id }) => !asked.has(id));
    for (let at = 0; at < claimed.length; at += lanes) {
      await Promise.all(claimed.slice(at, at + lanes).map((attempt) => askAbout(deps, attempt)));
    }
    for (const { id } of claimed) asked.add(id);
    if (claimed.length < batch) return asked.size;
  }
}

type Claimed = Pick<typeof attempts.$inferSelect, 'id' | 'gateway'>;

/**
 * Claiming is touching: another process, or the next round, leaves the attempt alone for as long. Those whose outcome is
 * unknown come first. One that only waits for its payer is asked about less often as it grows older, but for its end:
 * providers refuse shops that ask too much.
 */
function claimQuiet({ db, clock, env }: Deps): Promise<Claimed[]> {
  const now = clock();
  const age = sql`${attempts.updatedAt} - ${attempts.createdAt}`;
  const pause = sql`case when ${attempts.state} = 'INTENT' or ${attempts.expiresAt} <= ${now} then ${quietMs(env)}
    else least(${longestMs}, greatest(${quietMs(env)}, (${age}) / 8)) end`;
  const quiet = db
    .select({ id: attempts.id })
    .from(attempts)
    .where(
      sql`${inArray(attempts.state, ['INTENT', 'PENDING'])} and ${attempts.updatedAt} <= ${now}::bigint - ${pause}`,
    )
    .orderBy(asc(attempts.state), asc(attempts.updatedAt))
    .limit(batch)
    .for('update', { skipLocked: true });
  return db
    .update(attempts)
    .set({ updatedAt: now })
    .where(sql`${attempts.id} in ${quiet}`)
    .returning({ id: attempts.id, gateway: attempts.gateway });
}

async function askAbout(deps: Deps, { id, gateway }: Claimed): Promise<void> {
  const { db, gateways, log } = deps;
  const purchase = await findPurchase(db, id);
  const answer = await gateways[gateway]?.inquire(id);
  if (purchase && answer) await settle(deps, purchase, answer);
  else log.error({ attemptId: id, gateway }, 'nobody can be asked about an open payment');
}
