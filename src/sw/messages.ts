import * as v from 'valibot';
import { workerMessageSchema, type WorkerMessage } from '../contract/worker.ts';
import { deleteForeignCaches } from './cleanup.ts';
import { keepForLater } from './keep-for-later.ts';
import { scope } from './scope.ts';

function perform(message: WorkerMessage, event: ExtendableMessageEvent): Promise<void> {
  switch (message.type) {
    case 'SKIP_WAITING':
      return scope.skipWaiting();
    case 'KEEP':
      return keepForLater(message.language, event);
    case 'WIPE':
      return deleteForeignCaches();
  }
}

/** Does what a page of ours asks, and tells it when that is done. Other messages are ignored. */
export function listenToPages(): void {
  scope.addEventListener('message', (event) => {
    const message = v.safeParse(workerMessageSchema, event.data);
    if (!message.success) return;
    const done = perform(message.output, event).then(() => event.ports[0]?.postMessage({ done: true }));
    event.waitUntil(done);
  });
}
