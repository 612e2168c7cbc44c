import { cacheNames } from 'workbox-core';
import { siteDataCache } from '#contract/worker.ts';

/** The worker's global scope; the standard library types it as a plain worker. */
declare const self: ServiceWorkerGlobalScope;

export const scope = self;

/** Raise the number when the shape of the cached data changes: the old cache is then deleted with the old worker. */
export const artCache = 'art-2';

/** The brand data of the last page (`saved-shell.ts`). */
export const brandCache = 'brand-1';

/** Every cache that this worker knows; any other is left over from an older one. */
const ownCaches = (): ReadonlySet<string> => new Set([cacheNames.precache, siteDataCache, artCache, brandCache]);

/** Deletes the caches of this origin whose names match. */
export async function deleteCaches(matches: (name: string) => boolean): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter(matches).map((name) => caches.delete(name)));
}

/** Deletes the caches of older workers and all others of this origin. */
export async function deleteForeignCaches(): Promise<void> {
  const own = ownCaches();
  await deleteCaches((name) => !own.has(name));
}
