import { addPlugins, addRoute, precache, type PrecacheEntry } from 'workbox-precaching';
import { isOff, markOff } from './off.ts';

/** Filled in by the build: every file of the storefront with its revision and its hash. */
declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: PrecacheEntry[] };

/**
 * Fetches the shell and every chunk when the worker installs, so that any screen can start without network. The browser
 * compares each with its hash: what a Wi-Fi puts in its place, or a server in the middle of a deploy, is not kept, and the
 * worker is installed another time.
 */
export function precacheStorefront(): void {
  addPlugins([
    {
      fetchDidSucceed: async ({ response }) => {
        if (!isOff(response)) return response;
        await markOff();
        throw new Error('This shop has switched its worker off');
      },
    },
  ]);
  precache(self.__WB_MANIFEST);
  // `/` is a page that the server renders, not an alias of the shell
  addRoute({ directoryIndex: '', cleanURLs: false });
}
