/// <reference lib="dom" />
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from '@playwright/test';
import { createMemoryHistory } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { build } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { floorApp, type FloorState, type TreeNode } from './page.ts';

/** The files of the floor by path: its script, and a worker that caches it and the page. */
export async function buildFloor(): Promise<Readonly<Record<string, Buffer>>> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-floor-'));
  const root = fileURLToPath(new URL('.', import.meta.url));
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: { input: join(root, 'client.ts'), output: { entryFileNames: 'assets/floor.js' } },
    },
    plugins: [
      VitePWA({
        injectRegister: null,
        manifest: false,
        workbox: { skipWaiting: true, clientsClaim: true, navigateFallback: null },
      }),
    ],
  });
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  const bodies = Object.fromEntries(files.map((name) => [`/${name}`, readFileSync(join(folder, name))]));
  rmSync(folder, { recursive: true });
  return bodies;
}

/** The page of the floor for a page without scripts: the same head, styles and elements. */
export async function floorPage(
  browser: Browser,
  html: string,
  { language, path }: Omit<FloorState, 'tree'>,
): Promise<string> {
  const page = await browser.newPage({ locale: language });
  await page.setContent(html);
  const tree = await page.evaluate(readTree);
  await page.close();
  const state = { language, path, tree };
  const { router, element } = floorApp(state, createMemoryHistory({ initialEntries: [path] }));
  await router.load();
  const json = JSON.stringify(state).replaceAll('<', String.raw`\u003c`);
  const head = html.slice(0, html.indexOf('<body'));
  return `${head}<body><div id="root">${renderToString(element)}</div>
<script type="application/json" id="page-state">${json}</script><script type="module" src="/assets/floor.js"></script>`;
}

/** Runs in the page: the elements of the storefront. Values of form fields would not be the same twice, so they are left out. */
function readTree(): TreeNode[] {
  const names: Record<string, string> = { class: 'className', for: 'htmlFor', tabindex: 'tabIndex' };
  const plain = /^(?:class|for|id|href|src|alt|type|role|tabindex|d|viewBox|fill|width|height|aria-.*|data-.*)$/;
  const read = (node: Node): TreeNode[] => {
    if (node.nodeType === 3) return [node.nodeValue ?? ''];
    if (!(node instanceof Element)) return [];
    const attributes = [...node.attributes].filter(({ name }) => plain.test(name));
    const props = Object.fromEntries(attributes.map(({ name, value }) => [names[name] ?? name, value]));
    return [[node.localName, props, [...node.childNodes].flatMap(read)]];
  };
  return [...(document.getElementById('root')?.childNodes ?? [])].flatMap(read);
}
