import type { WorkerMessage } from '#contract/worker-messages.ts';
import { workerRegistration } from '#web/platform/session/storage/worker-registration.ts';

/** Sends a message to the active service worker; does nothing where there is none. */
export async function postToWorker(message: WorkerMessage): Promise<void> {
  const registration = await workerRegistration();
  registration?.active?.postMessage(message);
}

/** Removes the customer's data from the worker's caches, after logout. */
export async function wipeWorkerCaches(): Promise<void> {
  await postToWorker({ type: 'WIPE' });
}
