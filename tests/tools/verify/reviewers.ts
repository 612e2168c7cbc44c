import { openCatalog } from '#server/brand/catalog.ts';
import { isUnavailable } from '#server/db/connect.ts';
import { readSettings } from '#server/env.ts';
import { createMetrics } from '#server/runtime/metrics.ts';
import { createLog } from '#server/runtime/log.ts';
import { acceptTransfer, waitingForReview } from '#server/billing/review-transfer.ts';
import { logSms } from '#server/messages/sms.ts';
import { systemRandom } from '#server/runtime/random.ts';
import { sleep } from './concurrent-buyers.ts';
import type { ServerUnderTest } from './server-under-test.ts';

const log = createLog('silent');
const env = { ...readSettings({ NODE_ENV: 'test' }), SIGNING_SECRET: 'a secret of the proof that is long enough' };
const brandsAt = { demo: true, defaultBrand: 'lumen', extraHosts: [], publicOrigin: undefined, port: 80, log };

/** Reviewers of the brands who accept every transfer until they are stopped. */
export function runReviewers({ beside: db }: ServerUnderTest): { stop(): Promise<void> } {
  if (!db) return { stop: () => Promise.resolve() };
  const stopping = new AbortController();
  const acceptTransfers = async () => {
    const catalog = await openCatalog(db, brandsAt);
    const deps = {
      db,
      clock: Date.now,
      random: systemRandom,
      catalog,
      env,
      log,
      metrics: createMetrics(),
      sms: logSms(log),
    };
    while (!stopping.signal.aborted) {
      try {
        for (const { transfer } of await waitingForReview(db)) await acceptTransfer(deps, transfer);
      } catch (error) {
        // a busy machine exceeds the server's time limits; staff would try again
        if (!isUnavailable(error)) throw error;
      }
      await sleep(200);
    }
  };
  const done = acceptTransfers();
  return {
    stop: () => {
      stopping.abort();
      return done;
    },
  };
}
