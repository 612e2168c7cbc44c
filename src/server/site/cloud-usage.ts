import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { signNotice } from '#server/payments/notice-signature.ts';
import type { Metrics } from '#server/runtime/metrics.ts';
import type { Logger } from '#server/runtime/log.ts';

/** The bytes that a customer has stored. Undefined while the service does not tell; it never throws. */
export type CloudUsage = (brand: string, uid: string) => Promise<number | undefined>;

/** The page waits for it, in milliseconds. */
const patienceMs = 1500;
/** How long an answer is kept, in milliseconds, so that a reload costs nothing. */
const keptMs = 60_000;
/** How long the service is left alone after a failure, in milliseconds: its pages do not wait one after the other. */
const restMs = 30_000;

const answerSchema = v.object({ usedBytes: v.pipe(v.number(), v.integer(), v.minValue(0)) });

export interface CloudService {
  readonly url: string;
  readonly secret: string;
  readonly send: typeof fetch;
  readonly clock: () => number;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'cloudFailed'>;
}

/**
 * Asks the service by `POST` of JSON `{ brand, uid }`, signed like an SMS (`smsWebhook`). It answers 200 with JSON
 * `{ usedBytes }`, or 404 for a customer without a cloud.
 */
export function openCloudUsage({ url, secret, send, clock, log, metrics }: CloudService): CloudUsage {
  const known = new LRUCache<string, { readonly usedBytes: number | undefined; readonly until: number }>({
    max: 10_000,
  });
  let restsUntil = 0;
  const ask = async (brand: string, uid: string): Promise<number | undefined> => {
    const body = JSON.stringify({ brand, uid });
    const timestamp = clock();
    const response = await send(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-marquee-timestamp': String(timestamp),
        'x-marquee-signature': signNotice(secret, timestamp, body),
      },
      body,
      signal: AbortSignal.timeout(patienceMs),
    });
    if (response.status === 404) return undefined;
    if (response.status !== 200) throw new Error(`the cloud service answered ${response.status}`);
    return v.parse(answerSchema, await response.json()).usedBytes;
  };
  return async (brand, uid) => {
    const key = `${brand} ${uid}`;
    const kept = known.get(key);
    if (kept && kept.until > clock()) return kept.usedBytes;
    if (restsUntil > clock()) return undefined;
    try {
      const usedBytes = await ask(brand, uid);
      known.set(key, { usedBytes, until: clock() + keptMs });
      return usedBytes;
    } catch (error) {
      restsUntil = clock() + restMs;
      metrics.cloudFailed(brand);
      log.warn({ err: error, brand }, 'the cloud service does not tell the used storage');
      return undefined;
    }
  };
}
