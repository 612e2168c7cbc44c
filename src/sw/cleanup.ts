import { ownCaches } from './cache-names.ts';

/** Deletes what an older worker kept, and whatever else found its way into this origin's caches. */
export async function deleteForeignCaches(): Promise<void> {
  const own = ownCaches();
  const names = await caches.keys();
  await Promise.all(names.filter((name) => !own.has(name)).map((name) => caches.delete(name)));
}
