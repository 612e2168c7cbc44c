import * as v from 'valibot';
import { matchPrecache } from 'workbox-precaching';
import { addressOf } from '#contract/endpoint.ts';
import { savedStateSchema, type SavedState } from '#contract/worker-messages.ts';
import { functionConfig, siteConfig, theme } from '#contract/site.ts';
import { shellPath, siteDataCache } from '#contract/worker.ts';
import { artCache, brandCache } from './cache-names.ts';
import { styleKeyOf, shellWith } from './shell-with.ts';
import { withinLimit } from './store-limits.ts';

/** The cache key of the brand data; never requested from the network. */
const address = '/kept-state';

async function readBrand(): Promise<SavedState | undefined> {
  const cache = await caches.open(brandCache);
  const stored = await cache.match(address);
  const parsed = v.safeParse(savedStateSchema, await stored?.json());
  return parsed.success ? parsed.output : undefined;
}

/** The shell with the brand data (`savedStateId`); undefined before the worker is installed. */
export async function savedShell(): Promise<Response | undefined> {
  const shell = await matchPrecache(shellPath);
  const brand = shell && (await withinLimit(readBrand));
  if (!shell || !brand) return shell;
  const { headers } = shell;
  const own = new Headers(headers);
  own.delete('content-length');
  own.delete('content-encoding');
  return new Response(shellWith(await shell.text(), brand), { headers: own });
}

/** Answers that determine the brand's styles. */
const styleAddresses = [addressOf(theme), addressOf(siteConfig), addressOf(functionConfig)];

/**
 * Stores the brand data of a page. If the styles have changed, older copies are deleted, so that they are fetched
 * again.
 */
export async function saveBrand(brand: SavedState): Promise<void> {
  const before = await readBrand();
  const cache = await caches.open(brandCache);
  await cache.put(address, new Response(JSON.stringify(brand), { headers: { 'content-type': 'application/json' } }));
  if (!before || styleKeyOf(before) === styleKeyOf(brand)) return;
  const copies = await caches.open(siteDataCache);
  await Promise.all([
    caches.delete(artCache),
    ...styleAddresses.map((styleAddress) => copies.delete(styleAddress, { ignoreVary: true })),
  ]);
}
