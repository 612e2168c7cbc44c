import { workerHeader, workerOffCacheName } from '#contract/worker.ts';
import { deleteCaches, scope } from './cache-names.ts';
import { withinLimit } from './store-limits.ts';

/** Time limit for deleting the caches before the worker ends, in milliseconds. */
const deletionTimeoutMs = 5000;

let off = false;
const lastTasks: (() => Promise<unknown>)[] = [];

/** Adds what has to be done before the kill switch ends the worker, within a time limit. */
export function beforeEnd(task: () => Promise<unknown>): void {
  lastTasks.push(task);
}

/** Whether an answer turns the worker off ([Note: Worker off]). */
export const isWorkerOff = ({ headers }: { headers: { get(name: string): string | null } }): boolean =>
  headers.get(workerHeader) === 'off';

/** Records that the worker is off, for pages that could register one again. */
export const recordWorkerOff = (): Promise<unknown> => caches.open(workerOffCacheName);

/** Ends this worker if the page's header says so. Open pages continue without it. */
export async function applyKillSwitch(page: Response): Promise<void> {
  if (!isWorkerOff(page)) return;
  off = true;
  await withinLimit(recordWorkerOff, deletionTimeoutMs);
  await withinLimit(() => deleteCaches((name) => name !== workerOffCacheName), deletionTimeoutMs);
  await Promise.all(lastTasks.map((task) => withinLimit(task, deletionTimeoutMs)));
  await scope.registration.unregister();
}

/**
 * Call before other listeners are added: pages still controlled by an ended worker then reach the network as if there
 * were none.
 */
export function deferToNetwork(): void {
  scope.addEventListener('fetch', (event) => {
    if (off) event.stopImmediatePropagation();
  });
}
