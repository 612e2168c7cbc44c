import { fileURLToPath } from 'node:url';
import type { HtmlTagDescriptor, Plugin } from 'vite';

const timeoutModule = fileURLToPath(new URL('../src/web/platform/pwa/chunk-timeout.ts', import.meta.url));
const helper = 'export const __vitePreload = function preload(';

/**
 * Puts a time limit on each dynamic import ([Note: Hanging chunk]) and lets `index.html` preload what its script imports
 * once it knows the engine ([Note: Entry]). The pages of the server name their files themselves.
 */
export function scriptLoading(): Plugin {
  return {
    name: 'marquee:script-loading',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler(code) {
        if (!code.includes(helper)) throw new Error('The function that Vite puts around dynamic imports has changed');
        const limited = `import { withTimeout } from ${JSON.stringify(timeoutModule)};
export const __vitePreload = (...input) => withTimeout(preloadPart(...input));
const preloadPart = function preload(`;
        return { code: code.replace(helper, limited), map: null };
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const start = Object.values(bundle ?? {}).find(
          (file) => file.type === 'chunk' && file.isEntry && file.name === 'start',
        );
        if (start?.type !== 'chunk') throw new Error('The build has no chunk of the name start');
        return [start.fileName, ...start.imports].map((file): HtmlTagDescriptor => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          injectTo: 'head',
        }));
      },
    },
  };
}
