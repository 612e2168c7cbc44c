import { cacheNames } from 'workbox-core';
import { siteDataCache } from '#contract/worker.ts';

/** The worker's own global; the standard library types it as a plain worker. */
declare const self: ServiceWorkerGlobalScope;

export const scope = self;

/** Raise the number when the shape of what is kept changes: the old cache then goes with the old worker. */
export const artCache = 'art-2';

/** What the last page of the server said about the brand ([Note: Kept shell]). */
export const brandCache = 'brand-1';

/** Every cache that this worker knows; any other is left over from an older one. */
export const ownCaches = (): ReadonlySet<string> => new Set([cacheNames.precache, siteDataCache, artCache, brandCache]);

/** Deletes the caches of this origin whose names are wished away. */
export async function deleteCaches(wished: (name: string) => boolean): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter(wished).map((name) => caches.delete(name)));
}

/** Deletes what an older worker kept, and whatever else found its way into this origin's caches. */
export async function deleteForeignCaches(): Promise<void> {
  const own = ownCaches();
  await deleteCaches((name) => !own.has(name));
}
