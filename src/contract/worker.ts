import * as v from 'valibot';
import { languageSchema } from './fields.ts';

/**
 * [Note: Service worker] What the page and its service worker say to each other. The worker answers from its saved
 * copies only where the network fails; such an answer carries `savedAtHeader`, a fresh one never does. So whoever
 * reads the header knows both that the network failed and how old the words on the screen are.
 */

/** Where the built worker is served; its scope is the whole site. */
export const workerPath = '/sw.js';

/** Epoch milliseconds at which the server gave the answer that is shown again now. */
export const savedAtHeader = 'x-saved-at';

/** The cache of answers that are the same for everyone. Raise the number when the shape of what is kept changes. */
export const siteDataCache = 'site-data-1';

/** The page that starts the app with no data in it; the server answers it for the brand and the language. */
export const shellPath = '/index.html';

/**
 * - `SKIP_WAITING`: the customer accepted the update;
 * - `KEEP`: save the brand's words, looks, plans and documents for a later time without network;
 * - `WIPE`: the customer left; drop every cache that is not the shop's own.
 */
export const workerMessageSchema = v.variant('type', [
  v.object({ type: v.literal('SKIP_WAITING') }),
  v.object({ type: v.literal('KEEP'), language: languageSchema }),
  v.object({ type: v.literal('WIPE') }),
]);
export type WorkerMessage = v.InferOutput<typeof workerMessageSchema>;
