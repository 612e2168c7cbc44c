import { cacheNames } from 'workbox-core';
import { siteDataCache } from '../contract/worker.ts';

/** Raise the number when the shape of what is kept changes: the old cache then goes with the old worker. */
export const artCache = 'art-1';

/** Every cache that this worker knows; any other is left over from an older one. */
export const ownCaches = (): ReadonlySet<string> => new Set([cacheNames.precache, siteDataCache, artCache]);
