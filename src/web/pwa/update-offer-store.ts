import { useSyncExternalStore } from 'react';
import { isBusy } from '../session/busy.ts';
import { otherTabIsBusy } from './busy-tabs.ts';

/**
 * [Note: Update offer] A new build waits in its service worker. The customer is told when nothing would be lost, and
 * decides; nothing reloads by itself. Accepting it is refused while another tab is in the middle of something,
 * because the new worker takes over all tabs at once and the old build's files go with the old worker.
 */
let activate: (() => void) | undefined;
let shown = false;
let timer: ReturnType<typeof setInterval> | undefined;
const watchers = new Set<() => void>();

/** Busyness tells when it ends and not when it begins, so it is looked at, and only while there is an update. */
const lookEveryMs = 500;

function show(next: boolean): void {
  if (shown === next) return;
  shown = next;
  for (const watcher of watchers) watcher();
}

/** A new build is ready; `accept` makes it the current one and shows it. */
export function offerUpdate(accept: () => void): void {
  activate = accept;
  show(!isBusy());
  timer ??= setInterval(() => show(!isBusy()), lookEveryMs);
}

/** The customer does not want it now: not mentioned again until the page is loaded anew. */
export function postponeUpdate(): void {
  clearInterval(timer);
  timer = undefined;
  show(false);
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

/** Whether to offer the update now: there is one, and this tab is at rest. */
export function useUpdateOffer(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => shown,
    () => false,
  );
}

/** Takes the update. `busy` means that something is being done, here or in another tab, and nothing was changed. */
export async function applyUpdate(): Promise<'applied' | 'busy'> {
  if (!activate || isBusy() || (await otherTabIsBusy())) return 'busy';
  activate();
  return 'applied';
}
