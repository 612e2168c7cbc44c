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
 * Adds a revision and a hash of the content to every precached file, after all files are written. The worker requests
 * the files past the HTTP cache, and the browser rejects any other content: the login page of a Wi-Fi, or the file of
 * another build.
 */
export function hashPrecachedFiles() {
  let folder = '';
  const plugin: Plugin = {
    name: 'marquee:hash-precached-files',
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
