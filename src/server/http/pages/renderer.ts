import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ViteDevServer } from 'vite';
import type { PageRequest, RenderPage } from '#contract/page.ts';
import { readBuildManifest } from './build-manifest.ts';
import { composeDocument, type PageDocument } from './document.ts';
import type { SiteFiles } from './site-files.ts';

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
    const options = { address: addressOf(request), captchaOrigin, worker };
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
    const { html } = composeDocument(page, files, { address: addressOf(request) });
    return { status: page.status, html: await vite.transformIndexHtml(request.url, html), policy: '' };
  };
}

/** The URL of a page for another device. The shell serves many pages, so it has the URL of the shop. */
function addressOf({ origin, url, render }: PageRequest): string {
  return render ? origin + new URL(url, origin).pathname : origin;
}
