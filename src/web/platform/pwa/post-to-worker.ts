import type { WorkerMessage } from '#contract/worker-messages.ts';
import { workerRegistration } from '#web/platform/session/storage/worker-registration.ts';

/** Says something to the service worker, where one is at work; resolves when it was told. */
export async function postToWorker(message: WorkerMessage): Promise<void> {
  const registration = await workerRegistration();
  registration?.active?.postMessage(message);
}

/** After logout: whatever the caches hold of the customer goes. */
export async function wipeWorkerCaches(): Promise<void> {
  await postToWorker({ type: 'WIPE' });
}
