/**
 * Constants shared by the page and its service worker. The worker answers from its caches only if the network fails;
 * such an answer has `savedAtHeader`, a fresh one never does. The header thus means that the network failed, and says
 * how old the data is.
 */

/** URL of the built worker; its scope is the whole site. */
export const workerPath = '/sw.js';

/** Epoch milliseconds at which the server sent the cached answer. */
export const savedAtHeader = 'x-saved-at';

/** The cache of answers that are the same for every visitor. Raise the number when their shape changes. */
export const siteDataCache = 'site-data-1';

/** The app shell: the same for every brand and language, without data. */
export const shellPath = '/index.html';

/**
 * The worker caches the shell, which has no brand, and beside it the brand data of the last page. Offline it inserts
 * the data into the shell in an element of this ID, and the page applies it before rendering. So a new color or name
 * needs no new build.
 */
export const savedStateId = 'kept-state';

/**
 * [Note: Worker off] A page or shell with this header set to `off` ends the service worker, which deletes its caches
 * and unregisters. The server sends it with the setting `WORKER=off`, and serves a worker that does the same; a proxy
 * can send the header alone. Typed data and the session remain.
 */
export const workerHeader = 'x-service-worker';

/**
 * Such a worker leaves an empty cache of this name. While it exists, a page checks the header before it registers a
 * worker, because registering too early would restore the old one.
 */
export const workerOffCacheName = 'worker-off';

/** The database in which Workbox queues analytics reports; whatever ends the worker empties or deletes it. */
export const reportsDatabase = 'workbox-background-sync';

/** The licences of all shipped packages; written by the build (`.scripts/notices.ts`). */
export const noticesPath = '/third-party-notices.txt';
