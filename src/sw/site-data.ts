import { ExpirationPlugin } from 'workbox-expiration';
import { registerRoute } from 'workbox-routing';
import { NetworkFirst, type StrategyHandler } from 'workbox-strategies';
import { savedAtHeader, siteDataCache } from '#contract/worker.ts';
import { isApiAnswer } from './response-kinds.ts';
import { policyFor } from './policy.ts';
import { savedCopy } from './saved-copy.ts';
import { scope } from './cache-names.ts';
import { offlineCopyWaitMs, withTimeLimit, withinLimit } from './store-limits.ts';

/**
 * Time limit before a slow answer is replaced by its cached copy, in seconds; the copy is refreshed when it arrives.
 */
const answerTimeoutSeconds = 3;

const maxCopies = 80;
const maxAgeSeconds = 30 * 24 * 60 * 60;

const copyOf = (request: Request): Promise<Response | undefined> =>
  withinLimit(() => caches.match(request, { cacheName: siteDataCache, ignoreVary: true }));

class SiteData extends NetworkFirst {
  override _handle(request: Request, handler: StrategyHandler): Promise<Response> {
    // copies are read only once the network is late or has failed
    return super._handle(request, withTimeLimit(handler, offlineCopyWaitMs));
  }
}

/** Network first; the cached copy, with its time, if the network fails. */
export const siteData = new SiteData({
  cacheName: siteDataCache,
  networkTimeoutSeconds: answerTimeoutSeconds,
  // bypasses the browser's own cache, which would pass old answers off as new: the server revalidates them
  fetchOptions: { cache: 'no-cache' },
  // a URL contains its language, so headers need not distinguish answers
  matchOptions: { ignoreVary: true },
  plugins: [
    {
      // an answer that is not the API's is ignored if there is a copy
      fetchDidSucceed: async ({ request, response }) =>
        isApiAnswer(response) ? response : ((await copyOf(request)) ?? response),
      // a copy is not stored again, so that its time stays
      cacheWillUpdate: async ({ response }) => (response.headers.has(savedAtHeader) ? null : savedCopy(response)),
    },
    new ExpirationPlugin({ maxEntries: maxCopies, maxAgeSeconds, purgeOnQuotaError: true }),
  ],
});

/** Messages, styles, plans and documents of the brand, for visitors. */
export function serveSiteData(): void {
  registerRoute(({ request }) => policyFor(request, scope.location.origin) === 'site-data', siteData);
}
