import { workerHeader, workerOffMark } from '#contract/worker.ts';
import { deleteCaches, scope } from './cache-names.ts';
import { withinLimit } from './store-limits.ts';

/** How long the worker waits for its caches to be deleted before it ends, in milliseconds. */
const deletionTimeoutMs = 5000;

let off = false;

/** Whether an answer says that this shop has no worker any more ([Note: Worker off]). */
export const isOff = ({ headers }: { headers: { get(name: string): string | null } }): boolean =>
  headers.get(workerHeader) === 'off';

/** Notes that this shop has no worker, before anything else can be asked for. */
export const markOff = (): Promise<unknown> => caches.open(workerOffMark);

/** Ends this worker where a page says so. Pages that are open go on without it. */
export async function applyKillSwitch(page: Response): Promise<void> {
  if (!isOff(page)) return;
  off = true;
  await withinLimit(markOff, deletionTimeoutMs);
  await withinLimit(() => deleteCaches((name) => name !== workerOffMark), deletionTimeoutMs);
  await scope.registration.unregister();
}

/** Call before anything else listens: whoever is still under this worker then reaches the network as if it were gone. */
export function deferToNetwork(): void {
  scope.addEventListener('fetch', (event) => {
    if (off) event.stopImmediatePropagation();
  });
}
