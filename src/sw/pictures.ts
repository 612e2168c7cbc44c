import { ExpirationPlugin } from 'workbox-expiration';
import { registerRoute } from 'workbox-routing';
import { StaleWhileRevalidate, type StrategyHandler } from 'workbox-strategies';
import { isPicture } from './response-kinds.ts';
import { artCache, scope } from './cache-names.ts';
import { policyFor } from './policy.ts';
import { withTimeLimit } from './store-limits.ts';

const maxPictures = 30;

class PicturesFirst extends StaleWhileRevalidate {
  override _handle(request: Request, handler: StrategyHandler): Promise<Response> {
    return super._handle(request, withTimeLimit(handler));
  }
}

/** Served from the cache at once, and refreshed for the next time. */
export const pictureStrategy = new PicturesFirst({
  cacheName: artCache,
  matchOptions: { ignoreVary: true },
  plugins: [
    { cacheWillUpdate: ({ response }) => Promise.resolve(isPicture(response) ? response : null) },
    new ExpirationPlugin({ maxEntries: maxPictures, purgeOnQuotaError: true }),
  ],
});

/** The brand's logo and other pictures of the storefront. */
export function servePictures(): void {
  registerRoute(({ request }) => policyFor(request, scope.location.origin) === 'art', pictureStrategy);
}
