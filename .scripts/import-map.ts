import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

const preload = /<link rel="modulepreload"|<script type="module"/;

/**
 * [Note: Import map] Puts an import map with the hash of every script of the build before the first script of
 * `index.html`, and hashes beside the scripts that it names. Engines that know `Integrity-Policy` then run nothing else,
 * not even what is imported later; older ones do not read the map. The server takes the map for its own pages from there.
 */
export function importMap(): Plugin {
  return {
    name: 'marquee:import-map',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // when nothing is written into the scripts any more
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') return;
        const scripts = Object.values(bundle).filter((file) => file.type === 'chunk');
        const integrity = new Map(scripts.map(({ fileName, code }) => [`/${fileName}`, hashOf(code)]));
        const html = String(page.source);
        const map = `<script type="importmap">${JSON.stringify({ integrity: Object.fromEntries(integrity) })}</script>`;
        page.source = html
          .replaceAll(/(src|href)="(\/[^"]+\.js)"/g, (named, _attribute, path: string) => {
            const hash = integrity.get(path);
            return hash === undefined ? named : `${named} integrity="${hash}"`;
          })
          .replace(preload, (first) => `${map}\n    ${first}`);
      },
    },
  };
}

const hashOf = (code: string) => `sha256-${createHash('sha256').update(code).digest('base64')}`;
