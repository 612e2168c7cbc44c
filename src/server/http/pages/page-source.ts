import type { PageRequest } from '#contract/page.ts';
import { screenOf, type Screen } from '#contract/screen.ts';
import { ApiRefusal } from '#server/runtime/request/api-error.ts';
import { createManifests } from '../manifest/screenshots.ts';
import { createFairQueue } from '#server/runtime/limits/fair-queue.ts';
import { shellPath, type PageAddress } from './page-address.ts';
import { bodyOf, createPageCache, storedPage, type Encoding, type StoredPage } from './page-cache.ts';
import { busyNotice } from './page-notices.ts';
import type { Renderer } from './renderer.ts';

/** The requester of a page, and what the page depends on besides its URL. */
export interface Wanted extends Pick<PageRequest, 'origin' | 'language' | 'userAgent'> {
  readonly country: string;
  /** increases with every change of the catalogue */
  readonly version: number;
  readonly ip: string;
  readonly encoding: Encoding;
  /** only created for a page that has to be rendered */
  rest(): Pick<PageRequest, 'brand' | 'call'>;
}

type Found = StoredPage | { readonly redirect: string };

/** The source of pages: one build, or the source files. */
export interface Pages {
  /** the shell with a notice that is shown without scripts; for this visitor only */
  readonly withNotice: (notice: string, wanted: Wanted) => Promise<Found>;
  readonly find: (address: PageAddress, wanted: Wanted) => Promise<Found>;
  readonly manifestOf: ReturnType<typeof createManifests>;
}

/** `siteFolder`: the folder of the screenshots for the manifest. */
export const pagesOf = (render: Renderer, siteFolder: string): Pages => ({
  ...createPageSource(render),
  manifestOf: createManifests(siteFolder),
});

const busyStatus = 503;

/**
 * Finds pages. Pages that are the same for all visitors are cached, and concurrent requests share one rendering.
 * Rendering waits in a fair queue (runtime/limits/fair-queue.ts). When the queue is full, the browser receives the
 * shell and renders the page itself; the status and a notice tell clients without scripts to retry.
 */
function createPageSource(render: Renderer): Pick<Pages, 'find' | 'withNotice'> {
  const find = createSharedCache();
  // rendering blocks the event loop
  const queue = createFairQueue({ concurrency: 1, capacity: 128, perNetwork: 64 });

  async function make(request: PageRequest, encoding: Encoding, status?: number): Promise<Found> {
    const page = await render(request);
    if ('redirect' in page) return page;
    const stored = storedPage(status ?? page.status, page.html, page.policy);
    await bodyOf(stored, encoding);
    return stored;
  }

  const requestOf = (
    { origin, language, userAgent, rest }: Wanted,
    wish: Pick<PageRequest, 'url' | 'render' | 'notice'>,
  ): PageRequest => ({ ...wish, origin, language, userAgent, ...rest() });
  const shellWith = (notice: string) => ({ url: shellPath, render: false, notice });

  return {
    withNotice: (notice, wanted) =>
      queue.admit(wanted.ip, () =>
        queue.run(wanted.ip, () => make(requestOf(wanted, shellWith(notice)), wanted.encoding)),
      ),
    find: async ({ url, render: drawn, kept }, wanted) => {
      const { origin, language, userAgent, country, version, ip, encoding, rest } = wanted;
      const variant = [version, origin, country, language, ...screensOf(userAgent)].join(' ');
      const page = requestOf(wanted, { url, render: drawn });
      const inTurn = () => queue.admit(ip, () => queue.run(ip, () => make(page, encoding)));
      try {
        return await find(`${variant} ${url}`, kept, inTurn);
      } catch (error) {
        if (!(error instanceof ApiRefusal) || error.status !== busyStatus) throw error;
        const shell = requestOf(wanted, shellWith(busyNotice(language, rest().brand.messages)));
        return find(`${variant} busy`, true, () => make(shell, encoding, busyStatus));
      }
    },
  };
}

/** Cached pages, and those being rendered, which concurrent requests wait for. */
function createSharedCache() {
  const cache = createPageCache();
  const rendering = new Map<string, Promise<Found>>();
  return async (key: string, kept: boolean, make: () => Promise<Found>): Promise<Found> => {
    const known = cache.get(key) ?? rendering.get(key);
    if (known) return known;
    const made = make().finally(() => rendering.delete(key));
    rendering.set(key, made);
    const found = await made;
    if (kept && !('redirect' in found)) cache.set(key, found);
    return found;
  };
}

/** All that a page's HTML depends on from the user agent: its screen in each scene. */
const screensOf = (userAgent: string): readonly Screen[] =>
  (['WEB', 'STB'] as const).map((scene) => screenOf({ userAgent, scene }));
