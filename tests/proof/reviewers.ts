import { openCatalog } from '../../src/server/brand/catalog.ts';
import { createLog } from '../../src/server/log.ts';
import { acceptTransfer, waitingForReview } from '../../src/server/payments/transfer/review.ts';
import { systemRandom } from '../../src/server/random.ts';
import { sleep } from './crowd.ts';
import type { ShopUnderProof } from './shop-under-proof.ts';

const brandsAt = { demo: true, defaultBrand: 'lumen', extraHosts: [], publicOrigin: undefined, port: 80 };

/** The brands' people, who find the money of every transfer on their account until they are told to stop. */
export function keepReviewing({ beside: db }: ShopUnderProof): { stop(): Promise<void> } {
  if (!db) return { stop: () => Promise.resolve() };
  const stopping = new AbortController();
  const work = async () => {
    const catalog = await openCatalog(db, brandsAt);
    const deps = { db, clock: Date.now, random: systemRandom, catalog, log: createLog('silent') };
    while (!stopping.signal.aborted) {
      for (const { transfer } of await waitingForReview(db)) await acceptTransfer(deps, transfer);
      await sleep(200);
    }
  };
  const done = work();
  return {
    stop: () => {
      stopping.abort();
      return done;
    },
  };
}
