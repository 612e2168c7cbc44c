import { ExpirationPlugin } from 'workbox-expiration';
import { registerRoute } from 'workbox-routing';
import { NetworkFirst, type StrategyHandler } from 'workbox-strategies';
import { savedAtHeader, siteDataCache } from '#contract/worker.ts';
import { isOfApi } from './answers.ts';
import { policyFor } from './policy.ts';
import { savedCopy } from './saved-copy.ts';
import { scope } from './cache-names.ts';
import { offlineCopyWaitMs, withTimeLimit, withinLimit } from './store-limits.ts';

/** After how long a slow answer is replaced by its saved copy, in seconds; the copy is refreshed when it comes. */
const answerTimeoutSeconds = 3;

const keptEntries = 80;
const keptSeconds = 30 * 24 * 60 * 60;

const copyOf = (request: Request): Promise<Response | undefined> =>
  withinLimit(() => caches.match(request, { cacheName: siteDataCache, ignoreVary: true }));

class SiteData extends NetworkFirst {
  override _handle(request: Request, handler: StrategyHandler): Promise<Response> {
    // copies are read only once the network is late or has failed
    return super._handle(request, withTimeLimit(handler, offlineCopyWaitMs));
  }
}

/** Fresh from the network, kept, and given again with its time where the network fails. */
export const siteData = new SiteData({
  cacheName: siteDataCache,
  networkTimeoutSeconds: answerTimeoutSeconds,
  // the browser's own cache would pass old answers off as new ones; this asks the server whether they still hold
  fetchOptions: { cache: 'no-cache' },
  // an address names its language, so headers need not tell two answers apart
  matchOptions: { ignoreVary: true },
  plugins: [
    {
      // An answer that is none of ours counts as none, where there is a copy to give in its place.
      fetchDidSucceed: async ({ request, response }) =>
        isOfApi(response) ? response : ((await copyOf(request)) ?? response),
      // a copy stays as it is, with the time that it has
      cacheWillUpdate: async ({ response }) => (response.headers.has(savedAtHeader) ? null : savedCopy(response)),
    },
    new ExpirationPlugin({ maxEntries: keptEntries, maxAgeSeconds: keptSeconds, purgeOnQuotaError: true }),
  ],
});

/** Words, looks, plans and documents of the brand, for visitors. */
export function serveSiteData(): void {
  registerRoute(({ request }) => policyFor(request, scope.location.origin) === 'site-data', siteData);
}
