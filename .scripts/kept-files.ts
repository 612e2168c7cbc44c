import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';

interface PrecacheEntry {
  readonly url: string;
  readonly size: number;
  readonly revision: string | null;
  readonly integrity?: string;
}

/**
 * Gives every file that the service worker precaches a revision and a hash of its content, when all files are written. The
 * worker then requests it past the HTTP cache, and the browser accepts nothing else for it: neither the login page of a
 * Wi-Fi nor the file of another build.
 */
export function hashKeptFiles() {
  let folder = '';
  const plugin: Plugin = {
    name: 'marquee:kept-files',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = resolve(root, build.outDir);
    },
  };
  const transform = <Entry extends PrecacheEntry>(entries: readonly Entry[]) => {
    const withHash = (entry: Entry) => {
      const hash = createHash('sha256').update(readFileSync(resolve(folder, entry.url)));
      const [integrity, revision] = [hash.copy().digest('base64'), hash.digest('hex').slice(0, 16)];
      return { ...entry, revision, integrity: `sha256-${integrity}` };
    };
    return { manifest: entries.map(withHash), warnings: [] };
  };
  return { plugin, transform };
}
