import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const preload = /<link rel="modulepreload"|<script type="module"/;
const hashesModule = fileURLToPath(new URL('../src/web/platform/pwa/script-hashes.ts', import.meta.url));
const helper = 'export const __vitePreload = function preload(';

/**
 * [Note: Import map] Puts an import map with the hash of every script of the build before the first script of
 * `index.html`, and hashes beside the scripts that it names; what the first one imports is asked for with it. Engines that know `Integrity-Policy` then run nothing else,
 * not even what is imported later; older ones do not read the map. The server takes the map for its own pages from there,
 * and gives current engines what one page needs of it: the rest is a file, for which every later import waits
 * ([Note: Hashes for later]).
 */
export function importMap(): Plugin {
  return {
    name: 'marquee:import-map',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler: (code) => ({ code: waitForHashes(code), map: null }),
    },
    generateBundle: {
      // when nothing is written into the scripts any more
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') return;
        const scripts = Object.values(bundle).filter((file) => file.type === 'chunk');
        const integrity = new Map(scripts.map(({ fileName, code }) => [`/${fileName}`, hashOf(code)]));
        const html = String(page.source);
        const hashes = JSON.stringify({ integrity: Object.fromEntries(integrity) });
        this.emitFile({ type: 'asset', name: 'import-map.json', source: hashes });
        const map = `<script type="importmap">${hashes}</script>`;
        const start = scripts.find(({ isEntry, name }) => isEntry && name === 'start');
        // what the first script imports once it knows the engine ([Note: Entry])
        const preloads = (start ? [start.fileName, ...start.imports] : []).flatMap((file) => {
          const hash = integrity.get(`/${file}`);
          return hash === undefined
            ? []
            : [`<link rel="modulepreload" crossorigin href="/${file}" integrity="${hash}">`];
        });
        page.source = html
          .replaceAll(/(src|href)="(\/[^"]+\.js)"/g, (named, _attribute, path: string) => {
            const hash = integrity.get(path);
            return hash === undefined ? named : `${named} integrity="${hash}"`;
          })
          .replace(preload, (first) => `${map}\n    ${preloads.join('')}${first}`);
      },
    },
  };
}

/** What Vite puts around each import of a part, so that it waits for the hash of the part, and not for ever ([Note: Hanging chunk]). */
function waitForHashes(code: string): string {
  if (!code.includes(helper)) throw new Error('What imports a part of the storefront is not what it was');
  const waiting = `import { hashesToCome, inTime } from ${JSON.stringify(hashesModule)};
export const __vitePreload = (...wish) => {
  const hashes = hashesToCome();
  return inTime(hashes ? hashes.then(() => preloadPart(...wish)) : preloadPart(...wish));
};
const preloadPart = function preload(`;
  return code.replace(helper, waiting);
}

const hashOf = (code: string) => `sha256-${createHash('sha256').update(code).digest('base64')}`;
