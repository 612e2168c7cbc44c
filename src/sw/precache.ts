import { addPlugins, getCacheKeyForURL, matchPrecache, precache, type PrecacheEntry } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { isWorkerOff, recordWorkerOff } from './kill-switch.ts';
import { copyOrNetwork } from './store-limits.ts';

/** Filled in by the build: every file of the storefront with its revision and its hash. */
declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: PrecacheEntry[] };

/**
 * Fetches the shell and every chunk when the worker installs, so that any screen can start offline. The browser
 * verifies each by its hash: a captive portal's page or a file of another deploy is not cached, and the installation is
 * retried.
 */
export function precacheStorefront(): void {
  addPlugins([
    {
      fetchDidSucceed: async ({ response }) => {
        if (!isWorkerOff(response)) return response;
        await recordWorkerOff();
        throw new Error('This shop has switched its worker off');
      },
    },
  ]);
  precache(self.__WB_MANIFEST);
  // not Workbox's own route, which waits for the cache without a time limit
  registerRoute(({ url }) => getCacheKeyForURL(url.href) !== undefined, answerFile);
}

const answerFile = ({ request }: { request: Request }): Promise<Response> =>
  copyOrNetwork(matchPrecache(request), () => fetch(request));
