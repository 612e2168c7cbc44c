import { ExpirationPlugin } from 'workbox-expiration';
import { registerRoute } from 'workbox-routing';
import { NetworkFirst } from 'workbox-strategies';
import { savedAtHeader, siteDataCache } from '../contract/worker.ts';
import { isOfApi } from './answers.ts';
import { policyFor } from './policy.ts';
import { savedCopy } from './saved-copy.ts';
import { scope } from './cache-names.ts';

/** After how long a slow answer is replaced by its saved copy, in seconds; the copy is refreshed when it comes. */
const answerTimeoutSeconds = 3;

const keptEntries = 80;
const keptSeconds = 30 * 24 * 60 * 60;

async function copyOf(request: Request): Promise<Response | undefined> {
  const cache = await caches.open(siteDataCache);
  return cache.match(request, { ignoreVary: true });
}

/** Fresh from the network, kept, and given again with its time where the network fails. */
export const siteData = new NetworkFirst({
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
