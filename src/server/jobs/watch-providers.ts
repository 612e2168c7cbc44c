import { eq } from 'drizzle-orm';
import { providerOutages } from '#server/db/schema/webhooks.ts';
import type { Deps } from '#server/deps.ts';
import { alertOperator } from '#server/messages/operator-alerts.ts';
import { countTry } from '#server/runtime/limits/throttle.ts';

/** A provider is down when this many requests in a row got no answer, for a minute or longer. */
const failuresInRow = 3;
const minuteMs = 60_000;
/** A provider that comes and goes is reported once in this time, in milliseconds. */
const quietMs = 60 * minuteMs;

type WatchDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'catalog' | 'log' | 'metrics'>;

/**
 * Creates the job that tells operators when a provider does not answer any more, and when it answers again. The table
 * lets several processes tell it once. An outage ends with an answer after this process first saw it: one that has made
 * no request since knows nothing, and after a restart the first process that gets an answer tells it.
 */
export function createProviderWatch(): (deps: WatchDeps) => Promise<void> {
  /** since when providers fail for this process */
  const failing = new Map<string, number>();
  /** how often providers had answered this process when it first saw their outage */
  const answered = new Map<string, number>();
  return async (deps) => {
    const now = deps.clock();
    const outages = await deps.db.select().from(providerOutages);
    const isDown = (provider: string) => outages.some((outage) => outage.provider === provider);
    for (const provider of answered.keys()) if (!isDown(provider)) answered.delete(provider);
    for (const [provider, { failuresInRow: failures, answers }] of deps.metrics.providers) {
      const since = failures === 0 ? now : (failing.get(provider) ?? now);
      if (failures === 0) failing.delete(provider);
      else failing.set(provider, since);
      if (isDown(provider)) {
        const before = answered.get(provider) ?? answers;
        answered.set(provider, before);
        if (failures === 0 && answers > before) await recordEnd(deps, provider);
      } else if (failures >= failuresInRow && now - since >= minuteMs) {
        answered.set(provider, answers);
        await recordOutage(deps, provider, since);
      }
    }
  };
}

async function recordOutage(deps: WatchDeps, provider: string, since: number): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const key = `provider down ${provider}`;
    const { allowed: told } = await countTry(tx, key, { tries: 1, windowMs: quietMs }, deps.clock());
    const made = await tx.insert(providerOutages).values({ provider, since, told }).onConflictDoNothing().returning();
    if (made.length > 0 && told) await tellBrands({ ...deps, db: tx }, { kind: 'provider_down', provider, since });
  });
}

async function recordEnd(deps: WatchDeps, provider: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const [ended] = await tx.delete(providerOutages).where(eq(providerOutages.provider, provider)).returning();
    if (ended?.told) await tellBrands({ ...deps, db: tx }, { kind: 'provider_up', provider, since: ended.since });
  });
}

interface Outage {
  readonly kind: 'provider_down' | 'provider_up';
  readonly provider: string;
  readonly since: number;
}

/** A payment provider concerns the brands with a method of it; mail, SMS and sign-on concern all. */
async function tellBrands(deps: WatchDeps, outage: Outage): Promise<void> {
  const brands = deps.catalog.all();
  const payingBy = brands.filter(({ methods }) => methods.some(({ gateway }) => gateway === outage.provider));
  const isGateway = payingBy.length > 0;
  for (const brand of isGateway ? payingBy : brands) await alertOperator(deps, brand, outage);
}
