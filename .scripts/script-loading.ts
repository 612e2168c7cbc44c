import { fileURLToPath } from 'node:url';
import { minifySync, type HtmlTagDescriptor, type Plugin } from 'vite';
import { startGuard } from '../src/web/platform/pwa/start-guard.ts';

const timeoutModule = fileURLToPath(new URL('../src/web/platform/pwa/chunk-timeout.ts', import.meta.url));
const helper = 'export const __vitePreload = function preload(';

/** The start guard as it is written into every page ([Note: Start guard]). */
export const startGuardScript = minifySync('start-guard.js', startGuard()).code.trim();

/**
 * Adds a time limit to each dynamic import (platform/pwa/chunk-timeout.ts), and gives `index.html` the parts of a
 * server page: the preloads for the imports of its script ([Note: Entry]), and the start guard.
 */
export function scriptLoading(): Plugin {
  return {
    name: 'marquee:script-loading',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler(code) {
        if (!code.includes(helper)) throw new Error("Vite's helper for dynamic imports has changed");
        const limited = `import { withTimeout } from ${JSON.stringify(timeoutModule)};
export const __vitePreload = (...input) => withTimeout(preloadPart(...input));
const preloadPart = function preload(`;
        return { code: code.replace(helper, limited), map: null };
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const start = Object.values(bundle ?? {}).find(
          (file) => file.type === 'chunk' && file.isEntry && file.name === 'start',
        );
        if (start?.type !== 'chunk') throw new Error('The build has no chunk of the name start');
        const preloads = [start.fileName, ...start.imports]
          .filter((file) => !html.includes(`src="/${file}"`))
          .map((file): HtmlTagDescriptor => {
            const attrs = { rel: 'modulepreload', crossorigin: true, href: `/${file}` };
            return { tag: 'link', attrs, injectTo: 'head' };
          });
        return [...preloads, { tag: 'script', children: startGuardScript, injectTo: 'head-prepend' }];
      },
    },
  };
}
