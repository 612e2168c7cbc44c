import * as v from 'valibot';
import { workerMessageSchema, type WorkerMessage } from '#contract/worker-messages.ts';
import { deleteForeignCaches, scope } from './cache-names.ts';
import { saveBrand } from './saved-shell.ts';
import { precacheForOffline } from './precache-for-offline.ts';
import { withinLimit } from './store-limits.ts';

let brandSaved: Promise<unknown> = Promise.resolve();

function perform(message: WorkerMessage, event: ExtendableMessageEvent): Promise<unknown> {
  switch (message.type) {
    case 'SKIP_WAITING':
      return scope.skipWaiting();
    case 'BRAND':
      return (brandSaved = withinLimit(() => saveBrand(message.brand)));
    case 'KEEP':
      // waits for the brand, so that copies of the previous styles are not taken for fresh ones
      return Promise.all([claimLatePage(), brandSaved.then(() => precacheForOffline(message.language, event))]);
    case 'WIPE':
      return deleteForeignCaches();
  }
}

/** A page that was still loading while the worker became active could not be claimed then. */
const claimLatePage = () => scope.clients.claim();

/** Handles messages of this site's pages, and replies when done. Other messages are ignored. */
export function listenToPages(): void {
  scope.addEventListener('message', (event) => {
    const message = v.safeParse(workerMessageSchema, event.data);
    if (!message.success) return;
    const done = perform(message.output, event).then(() => event.ports[0]?.postMessage({ done: true }));
    event.waitUntil(done);
  });
}
