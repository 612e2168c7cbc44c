import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ViteDevServer } from 'vite';
import type { PageRequest, RenderPage } from '../../contract/page.ts';
import { readBuildManifest } from './build-manifest.ts';
import { composeDocument, type PageDocument } from './document.ts';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const siteFolder = `${root}dist/site`;
const builtRenderer = `${root}dist/render/entry-server.js`;

/** A page ready to send, or where to go instead. */
export type Page = ({ status: number } & PageDocument) | { redirect: string };

export type Renderer = (request: PageRequest) => Promise<Page>;

interface RenderModule {
  renderPage: RenderPage;
}

/** Renders with what `vite build` left in dist/ ([Note: Page hand-over]). `captchaOrigin`: see `composeDocument`. */
export async function builtPages(captchaOrigin?: string): Promise<Renderer> {
  if (!existsSync(builtRenderer)) throw new Error(`${builtRenderer} is missing: run npm start, which builds it`);
  // The built module is ours; its one export is typed by the contract it was compiled against.
  const { renderPage } = (await import(pathToFileURL(builtRenderer).href)) as RenderModule;
  const manifest = await readBuildManifest(siteFolder);
  return async (request) => {
    const page = await renderPage(request);
    if ('redirect' in page) return page;
    return { status: page.status, ...composeDocument(page, await manifest.filesFor(page.modules), captchaOrigin) };
  };
}

/** Renders from the sources, with hot reload. Vite's own inline scripts need a page without a content policy. */
export function developmentPages(vite: ViteDevServer): Renderer {
  return async (request) => {
    // As above, from the source itself.
    const { renderPage } = (await vite.ssrLoadModule('/src/web/entry-server.tsx')) as RenderModule;
    const page = await renderPage(request);
    if ('redirect' in page) return page;
    const files = { entry: '/src/web/main.tsx', preloads: [], sheets: [], css: '', importMap: '', integrity: {} };
    const { html } = composeDocument(page, files);
    return { status: page.status, html: await vite.transformIndexHtml(request.url, html), policy: '' };
  };
}
