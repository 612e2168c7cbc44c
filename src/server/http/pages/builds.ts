import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import type { Logger } from '#server/runtime/log.ts';
import { shellOf, type Shell } from './document.ts';
import { builtPages } from './renderer.ts';
import { pagesOf, type Pages } from './page-source.ts';
import { readSiteFiles, textOf, type SiteFile, type SiteFiles } from './site-files.ts';

/**
 * [Note: Builds] Each build has a folder of its own under `dist/builds`, named after what it was built from, and is
 * finished before it gets that name. `current.json` there names the last two, the newest first, and is replaced at once;
 * so a build that is interrupted changes nothing. A server that runs keeps its build in memory, with its own renderer,
 * and looks at the file every second. It gives out the scripts of every build that the file names, so that tabs of the
 * one before and of the next find theirs. The newest becomes its own as a whole, between two requests; not where the
 * contract has changed, because the server that runs has the old one: then the next start brings it.
 */
const idSchema = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const pointerSchema = v.object({ builds: v.tupleWithRest([idSchema], idSchema) });
const labelSchema = v.object({ contract: v.string() });

const lookEveryMs = 1000;

/** A build that is whole: what a page and its scripts come from. */
interface OpenBuild {
  readonly id: string;
  readonly files: SiteFiles;
  readonly shell: Shell;
  readonly pages: Pages;
}

export interface Builds {
  /** the build that this server serves now */
  now(): OpenBuild;
  /** a file of that build, or of another one that may still be open in somebody's tab */
  find(path: string): SiteFile | undefined;
  /** looks for a newer build at once */
  look(): Promise<void>;
  close(): void;
}

export interface BuildsOptions {
  readonly folder: string;
  /** what this server and its storefront have agreed on (page-headers.ts) */
  readonly contract: string;
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly captchaOrigin?: string | undefined;
  /** whether pages may have a service worker ([Note: Worker off]) */
  readonly worker?: boolean;
}

async function readPointer(folder: string) {
  const file = join(folder, 'current.json');
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`${file} is missing: run npm start, which builds the storefront`, { cause });
  });
  const { builds } = v.parse(pointerSchema, JSON.parse(text));
  return { text, builds, newest: builds[0] };
}

async function openBuild(options: BuildsOptions, id: string, files: SiteFiles): Promise<OpenBuild> {
  const { folder, captchaOrigin } = options;
  // whole, because a module's address cannot be relative
  const home = resolve(folder, id);
  const render = await builtPages(home, files, options);
  const shell = shellOf(textOf(files, '/index.html'), captchaOrigin);
  return { id, files, shell, pages: pagesOf(render, join(home, 'site')) };
}

/** The files of every build that the pointer names, and of the one that is served. */
function createShelf(folder: string) {
  const shelf = new Map<string, SiteFiles>();
  return {
    fill: async (named: readonly string[], own?: string): Promise<void> => {
      for (const id of named) if (!shelf.has(id)) shelf.set(id, await readSiteFiles(join(folder, id, 'site')));
      for (const id of shelf.keys()) if (id !== own && !named.includes(id)) shelf.delete(id);
    },
    of: (id: string): SiteFiles => shelf.get(id) ?? new Map(),
    find: (path: string) => [...shelf.values()].find((files) => files.has(path))?.get(path),
  };
}

/** Opens the newest build and follows the pointer from now on. */
export async function openBuilds(options: BuildsOptions): Promise<Builds> {
  const { folder, contract, log } = options;
  const shelf = createShelf(folder);

  async function isOurs(id: string): Promise<boolean> {
    const label: unknown = JSON.parse(await readFile(join(folder, id, 'build.json'), 'utf8'));
    return v.parse(labelSchema, label).contract === contract;
  }

  let seen = await readPointer(folder);
  await shelf.fill(seen.builds);
  let current = await openBuild(options, seen.newest, shelf.of(seen.newest));

  async function follow(): Promise<void> {
    const pointer = await readPointer(folder);
    if (pointer.text === seen.text) return;
    const { newest, builds } = pointer;
    await shelf.fill(builds, current.id);
    const takes = await isOurs(newest);
    if (takes && newest !== current.id) current = await openBuild(options, newest, shelf.of(newest));
    seen = pointer;
    log.info(
      { build: newest },
      takes ? 'a new build is served' : 'a new build with another contract waits for a restart',
    );
  }

  let looking: Promise<void> | undefined;
  const look = (): Promise<void> =>
    (looking ??= follow()
      .catch((error: unknown) => log.error({ err: error }, 'a new build cannot be read; the last one stays'))
      .finally(() => (looking = undefined)));
  const timer = setInterval(() => void look(), lookEveryMs).unref();
  return {
    now: () => current,
    find: (path) => current.files.get(path) ?? shelf.find(path),
    look,
    close: () => clearInterval(timer),
  };
}
