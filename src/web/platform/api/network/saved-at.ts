import { createListeners, useStore } from '#web/ui/store.ts';

/**
 * [Note: Saved copies] When the network fails, the worker gives an answer again and says when the server gave it; where
 * the worker does not, the API client does ([Note: Service worker]). It hands every answer's headers to `recordAnswer`; a
 * page asks with `useSavedAt` and says how old it is.
 */
const savedAt = new Map<string, number>();
const { subscribe, tell } = createListeners();

export const savedAtOf = (url: string): number | undefined => savedAt.get(url);

/** What is shown of `url` is a copy of that time, epoch milliseconds; or, with undefined, fresh. */
export function setSavedAt(url: string, time: number | undefined): void {
  if (savedAt.get(url) === time) return;
  if (time === undefined) savedAt.delete(url);
  else savedAt.set(url, time);
  tell();
}

/** When the answer on the screen was given, in epoch milliseconds, if it is a saved copy; undefined when it is fresh. */
export function useSavedAt(url: string): number | undefined {
  return useStore<number | undefined>({ subscribe, get: () => savedAt.get(url) }, undefined);
}
