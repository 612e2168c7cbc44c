import { withinLimit } from './time-limit.ts';

/** The Cache API; missing on insecure origins, and may be forbidden. */
const open = (): Partial<WindowOrWorkerGlobalScope>['caches'] => globalThis.caches;

/** The copy in a cache of the service worker; undefined where it is missing or cannot be read in time. */
export async function cachedAnswer(url: URL, cacheName: string): Promise<Response | undefined> {
  return withinLimit(() => open()?.match(url, { cacheName, ignoreVary: true }));
}

export async function hasCache(name: string): Promise<boolean> {
  return (await withinLimit(() => open()?.has(name))) ?? false;
}

export async function deleteCache(name: string): Promise<void> {
  await withinLimit(() => open()?.delete(name));
}
