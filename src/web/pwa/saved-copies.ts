import { useSyncExternalStore } from 'react';
import { savedAtHeader, siteDataCache } from '../../contract/worker.ts';
import { noteFailure, noteSuccess } from './network-state.ts';

/**
 * [Note: Saved copies] When the network fails, the worker gives an answer again and says when the server gave it. The
 * API client hands every answer's headers to `noteAnswer`; a page asks with `useSavedAt` and says how old it is.
 */
const savedAt = new Map<string, number>();
const watchers = new Set<() => void>();

function readTime(headers: Pick<Headers, 'get'>): number | undefined {
  const time = Number(headers.get(savedAtHeader));
  return Number.isSafeInteger(time) && time > 0 ? time : undefined;
}

/** Call with every answer: `url` as `requestUrl` made it. Tells the network's state too ([Note: Network state]). */
export function noteAnswer(url: string, headers: Pick<Headers, 'get'>): void {
  const time = readTime(headers);
  if (time === undefined) noteSuccess();
  else noteFailure();
  if (savedAt.get(url) === time) return;
  if (time === undefined) savedAt.delete(url);
  else savedAt.set(url, time);
  for (const watcher of watchers) watcher();
}

/**
 * The visitor's copy of an answer that is the same for everyone, for a customer whose own request failed: the worker
 * does not touch requests with a token ([Note: Service worker]). Undefined where there is none.
 */
export async function visitorsCopy(url: string): Promise<Response | undefined> {
  if (!('caches' in globalThis)) return undefined;
  const copy = await caches.match(new URL(url, location.href), { cacheName: siteDataCache, ignoreVary: true });
  return copy && readTime(copy.headers) !== undefined ? copy : undefined;
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

/** When the answer on the screen was given, in epoch milliseconds, if it is a saved copy; undefined when it is fresh. */
export function useSavedAt(url: string): number | undefined {
  return useSyncExternalStore(
    subscribe,
    () => savedAt.get(url),
    () => undefined,
  );
}
