import { createStore, useStore } from '#web/ui/store.ts';
import { isBusy } from '#web/platform/session/busy.ts';
import { otherTabIsBusy } from './busy-tabs.ts';

/**
 * [Note: Update offer] A new build waits in its service worker. The customer is told when nothing would be lost, and
 * decides; nothing reloads by itself. Accepting it is refused while another tab is in the middle of something,
 * because the new worker takes over all tabs at once and the old build's files go with the old worker.
 */
let activate: (() => void) | undefined;
const shown = createStore(false);
let timer: ReturnType<typeof setInterval> | undefined;

/** Busyness tells when it ends and not when it begins, so it is looked at, and only while there is an update. */
const lookEveryMs = 500;

/** A new build is ready; `accept` makes it the current one and shows it. */
export function offerUpdate(accept: () => void): void {
  activate = accept;
  shown.set(!isBusy());
  timer ??= setInterval(() => shown.set(!isBusy()), lookEveryMs);
}

/** The customer does not want it now: not mentioned again until the page is loaded anew. */
export function postponeUpdate(): void {
  clearInterval(timer);
  timer = undefined;
  shown.set(false);
}

/** Whether to offer the update now: there is one, and this tab is at rest. */
export function useUpdateOffer(): boolean {
  return useStore(shown, false);
}

/** Takes the update. `busy` means that something is being done, here or in another tab, and nothing was changed. */
export async function applyUpdate(): Promise<'applied' | 'busy'> {
  if (!activate || isBusy() || (await otherTabIsBusy())) return 'busy';
  activate();
  return 'applied';
}
