import type { PageRequest, RenderPage } from '#contract/page.ts';
import { screenOf, type Screen } from '#contract/screen.ts';
import { ApiRefusal } from '#server/runtime/request/api-error.ts';
import { createManifests } from '../manifest/manifest.ts';
import { createFairQueue } from '#server/runtime/limits/fair-queue.ts';
import { bodyOf, createPageCache, storedPage, type Encoding, type StoredPage } from './page-cache.ts';
import { paths, type PathPattern } from '#contract/paths.ts';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ViteDevServer } from 'vite';
import { readBuildManifest } from './build-manifest.ts';
import { composeDocument, type PageDocument, busyNotice } from './document.ts';
import type { SiteFiles } from './site-files.ts';

/** The requester of a page, and what the page depends on besides its URL. */
export interface Wanted extends Pick<PageRequest, 'origin' | 'language' | 'languageInUrl' | 'userAgent'> {
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
    { origin, language, languageInUrl, userAgent, rest }: Wanted,
    wish: Pick<PageRequest, 'url' | 'render' | 'notice'>,
  ): PageRequest => ({ ...wish, origin, language, languageInUrl, userAgent, ...rest() });
  const shellWith = (notice: string) => ({ url: shellPath, render: false, notice });

  return {
    withNotice: (notice, wanted) =>
      queue.admit(wanted.ip, () =>
        queue.run(wanted.ip, () => make(requestOf(wanted, shellWith(notice)), wanted.encoding)),
      ),
    find: async ({ url, render: drawn, kept }, wanted) => {
      const { origin, language, languageInUrl, userAgent, country, version, ip, encoding, rest } = wanted;
      const variant = [version, origin, country, language, languageInUrl, ...screensOf(userAgent)].join(' ');
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

/** The parts of a URL that determine the HTML of its page. */
interface PageAddress {
  /** path and query that are rendered; equal values have equal HTML */
  readonly url: string;
  /** the page with its data, or the shell alone */
  readonly render: boolean;
  /** whether the next visitor receives the same page */
  readonly kept: boolean;
}

/** Query names of entry links: they set the scene, or redirect the page. Lower case. */
const arriving = 'r releaseid st sourcetype d deviceinfo'.split(' ');
/** Query names that the page itself displays. Lower case; the language is determined separately. */
const shown = new Set([...arriving, ...'return reason account loginid errcode type'.split(' ')]);
const ofShell = new Set(arriving);
const shellPath = '/index.html';

/**
 * Parameters that no page renders (`utm_source`, `fbclid`, arbitrary ones) stay in the browser's URL and create no page
 * of their own. A personal page has one shell, whatever its query and the rest of its path. Old links redirect with
 * their whole query. `secret`: the URL contains a secret, and its query is not read.
 */
export function pageAddress(url: URL, pattern: PathPattern | undefined, secret: boolean): PageAddress {
  const kind = pattern && paths[pattern].kind;
  if (secret) return { url: shellPath, render: false, kept: true };
  if (kind === 'link') return { url: url.pathname + url.search, render: true, kept: false };
  const render = kind === 'page';
  const query = only(render ? shown : ofShell, url.searchParams);
  const path = render ? url.pathname : kind === 'app' ? pattern : shellPath;
  return { url: path + query, render, kept: query === '' };
}

/** The first value of each of these names, as a query; empty when none of them is present. */
function only(names: ReadonlySet<string>, given: URLSearchParams): string {
  const found = new Map<string, string>();
  for (const [name, value] of given) if (names.has(name.toLowerCase()) && !found.has(name)) found.set(name, value);
  return found.size === 0 ? '' : `?${new URLSearchParams([...found]).toString()}`;
}

export const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** A rendered page, or a redirect. */
type Page = ({ status: number } & PageDocument) | { redirect: string };

export type Renderer = (request: PageRequest) => Promise<Page>;

interface RenderModule {
  renderPage: RenderPage;
}

/**
 * Renders with the output of `vite build` in the folder of a build. The built module is one file, so once it is loaded
 * no part of it can be missing later. `captchaOrigin` and `worker`: see `composeDocument`.
 */
export async function builtPages(
  folder: string,
  files: SiteFiles,
  { captchaOrigin, worker }: { captchaOrigin?: string | undefined; worker?: boolean },
): Promise<Renderer> {
  // as: the built module is ours; its one export is typed by the contract it was compiled against
  const { renderPage } = (await import(pathToFileURL(join(folder, 'render/entry-server.js')).href)) as RenderModule;
  const manifest = readBuildManifest(files);
  return async (request) => {
    const page = await renderPage(request);
    if ('redirect' in page) return page;
    const files = manifest.filesFor(page.modules);
    const options = { address: addressOf(request), captchaOrigin, worker, notice: request.notice };
    return { status: page.status, ...composeDocument(page, files, options) };
  };
}

/** Renders from the sources, with hot reload. Vite's own inline scripts need a page without a content policy. */
export function developmentPages(vite: ViteDevServer): Renderer {
  return async (request) => {
    // as above, from the source itself
    const { renderPage } = (await vite.ssrLoadModule('/src/web/entry-server.tsx')) as RenderModule;
    const page = await renderPage(request);
    if ('redirect' in page) return page;
    const files = { entry: '/src/web/main.tsx', preloads: [], sheets: [], css: '' };
    const { html } = composeDocument(page, files, { address: addressOf(request), notice: request.notice });
    return { status: page.status, html: await vite.transformIndexHtml(request.url, html), policy: '' };
  };
}

/** The URL of a page for another device. The shell serves many pages, so it has the URL of the shop. */
function addressOf({ origin, url, render }: PageRequest): string {
  return render ? origin + new URL(url, origin).pathname : origin;
}
