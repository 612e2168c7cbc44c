import { addRoute, precache, type PrecacheEntry } from 'workbox-precaching';

/** Filled in by the build: every file of the storefront with its revision. */
declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: PrecacheEntry[] };

/** Fetches the shell and every chunk when the worker installs, so that any screen can start without network. */
export function precacheStorefront(): void {
  precache(self.__WB_MANIFEST);
  // `/` is a page that the server renders, not an alias of the shell
  addRoute({ directoryIndex: '', cleanURLs: false });
}
