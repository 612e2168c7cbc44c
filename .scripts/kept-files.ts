import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';

interface KeptFile {
  readonly url: string;
  readonly size: number;
  readonly revision: string | null;
  readonly integrity?: string;
}

/**
 * Adds the hash of every file that the service worker keeps to its list, when all files are written. The browser then
 * takes nothing else for them: not the login page of a Wi-Fi, and not the file of another build.
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
  const transform = <Entry extends KeptFile>(entries: readonly Entry[]) => {
    const hashOf = (url: string) =>
      createHash('sha256')
        .update(readFileSync(resolve(folder, url)))
        .digest('base64');
    return { manifest: entries.map((entry) => ({ ...entry, integrity: `sha256-${hashOf(entry.url)}` })), warnings: [] };
  };
  return { plugin, transform };
}
