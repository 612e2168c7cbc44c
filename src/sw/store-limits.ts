import type { StrategyHandler } from 'workbox-strategies';

/**
 * Time limit of a cache for a request, in milliseconds. A working one answers in a few; on a failing disk it may never.
 */
const storeLimitMs = 400;

export const resolveAfter = (ms: number) =>
  new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms));

/** The result of `act` within the limit; undefined if it is late, throws or rejects. It continues in the background. */
export async function withinLimit<T>(act: () => Promise<T>, limitMs: number = storeLimitMs): Promise<T | undefined> {
  try {
    return await Promise.race([act(), resolveAfter(limitMs)]);
  } catch {
    // the network answers instead
    return undefined;
  }
}

/** Time limit of a copy if the network has failed too, in milliseconds. */
export const offlineCopyWaitMs = 5_000;

/** The copy if it arrives in time, else the network's answer; a late copy still serves if the network fails. */
export async function copyOrNetwork(
  copy: Promise<Response | undefined>,
  network: () => Promise<Response>,
  limitMs: number = storeLimitMs,
): Promise<Response> {
  const read = (ms: number) => withinLimit(() => copy, ms);
  const inTime = await read(limitMs);
  if (inTime) return inTime;
  try {
    return await network();
  } catch (error) {
    const late = await read(offlineCopyWaitMs);
    if (late) return late;
    throw error;
  }
}

/** Makes a strategy treat a cache that is late or fails like one without a copy. */
export function withTimeLimit(handler: StrategyHandler, limitMs?: number): StrategyHandler {
  const read = handler.cacheMatch.bind(handler);
  handler.cacheMatch = (key) => withinLimit(() => read(key), limitMs);
  return handler;
}

/** Maximum duration of an event, in milliseconds. `install` has no limit: it ends when everything is stored. */
const lifetimesMs = { activate: 1_000, fetch: 30_000, message: 120_000 } as const;

/**
 * Ends events whose cache never answers. Pages wait for a worker that is activating, and a new build for the requests
 * of the old worker. Call before other modules add listeners, so that theirs are limited, too.
 */
export function limitLifetimes(scope: Pick<ServiceWorkerGlobalScope, 'addEventListener'>): void {
  for (const [type, limitMs] of Object.entries(lifetimesMs))
    scope.addEventListener(type, (event) => {
      const extendable = event as ExtendableEvent; // as: each type above is one
      const extend = extendable.waitUntil.bind(extendable);
      extendable.waitUntil = (work) => extend(withinLimit(() => Promise.resolve(work), limitMs));
    });
}
