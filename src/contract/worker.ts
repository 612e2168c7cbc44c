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

/** The page that starts the app: the same for every brand and language, with no data in it. */
export const shellPath = '/index.html';

/**
 * [Note: Kept shell] The worker keeps the shell, which knows no brand, and beside it what the last page of the server
 * said about the brand. Where there is no network it puts that into the shell, in an element of this id, and the page
 * wears the brand from there before it draws anything. So new colours or a new name need no new build.
 */
export const savedStateId = 'kept-state';

/**
 * [Note: Worker off] A page or a shell that comes with this header saying `off` ends the service worker: it deletes what
 * it kept and unregisters itself. The server sends it with the setting `WORKER=off`, and then puts a worker that does
 * the same at the worker's own address; a proxy in front can send it alone. What people typed and their session stay.
 */
export const workerHeader = 'x-service-worker';

/**
 * An empty cache of this name is all that such a worker leaves behind. While it is there, a page asks whether the header
 * still stands before it registers a worker: registering in that moment would call the old one back.
 */
export const workerOffMark = 'worker-off';

/** The licences of all that is shipped; the build writes them (`.scripts/notices.ts`). */
export const noticesPath = '/third-party-notices.txt';
