import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { noticesPath } from '../src/contract/worker.ts';

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const folders = 'node_modules/';
const nameOf = (path: string) => path.slice(path.lastIndexOf(folders) + folders.length);
const isLicence = (file: string) => /^(?:licen[cs]e|notice|copying)/i.test(file);

/** A package with its licence texts. */
function noticeOf(root: string, path: string, { version = '', license = 'see its text' }: Locked): string {
  const folder = join(root, path);
  const texts = readdirSync(folder)
    .filter(isLicence)
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${nameOf(path)} ${version} (${license})`, ...texts].join('\n\n');
}

/** The packages and their dependencies, as far as they are directly below `node_modules`. */
function withDependencies(names: Iterable<string>, packages: Readonly<Record<string, Locked>>): Set<string> {
  const found = new Set<string>();
  const add = (name: string): void => {
    const locked = packages[folders + name];
    if (!locked || found.has(name)) return;
    found.add(name);
    Object.keys(locked.dependencies ?? {}).forEach(add);
  };
  for (const name of names) add(name);
  return found;
}

/**
 * Writes the licences of everything that is shipped: packages in the bundles, in the worker, and those that the server
 * needs at run time.
 */
export function thirdPartyNotices(): Plugin {
  let root = '';
  return {
    name: 'marquee:third-party-notices',
    apply: 'build',
    configResolved: (config) => void (root = config.root),
    generateBundle(_options, bundle) {
      // as: npm writes this file
      const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
        packages: Record<string, Locked>;
      };
      const ids = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      const bundled = ids.flatMap((id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? []);
      // the worker is bundled separately
      const worker = Object.keys(lock.packages)
        .map(nameOf)
        .filter((name) => name.startsWith('workbox-') && name !== 'workbox-build');
      const shipped = withDependencies([...bundled, ...worker], lock.packages);
      const notices = Object.entries(lock.packages)
        .filter(
          ([path, { dev }]) =>
            path.includes(folders) && (!dev || shipped.has(nameOf(path))) && existsSync(join(root, path)),
        )
        .map(([path, locked]) => noticeOf(root, path, locked));
      this.emitFile({
        type: 'asset',
        fileName: noticesPath.slice(1),
        source: `${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`,
      });
    },
  };
}
