import { createListeners, useStore } from '#web/ui/store.ts';

/**
 * Which of the shown answers are saved copies. When the network fails, the worker answers with a copy and sends its
 * time as a header; where there is no worker, the API client reads the copy. `recordAnswer` stores the time, and a page
 * reads it with `useSavedAt` to show how old its content is.
 */
const savedAt = new Map<string, number>();
const { subscribe, tell } = createListeners();

export const savedAtOf = (url: string): number | undefined => savedAt.get(url);

/** The content of `url` is a copy of that time (epoch milliseconds), or fresh if undefined. */
export function setSavedAt(url: string, time: number | undefined): void {
  if (savedAt.get(url) === time) return;
  if (time === undefined) savedAt.delete(url);
  else savedAt.set(url, time);
  tell();
}

/** When the shown answer was saved, in epoch milliseconds; undefined when it is fresh. */
export function useSavedAt(url: string): number | undefined {
  return useStore<number | undefined>({ subscribe, get: () => savedAt.get(url) }, undefined);
}
