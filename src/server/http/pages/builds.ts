import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { shellOf, type Shell } from './document.ts';
import { pagesOf, type Pages, builtPages } from './page-source.ts';
import { readSiteFiles, textOf, type SiteFile, type SiteFiles } from './site-files.ts';
import type { Deps } from '#server/deps.ts';

/**
 * `dist/builds` has a folder for each build, and `current.json` there names the last two, the newest first. A server
 * reads both into memory when it starts: it serves the newest, and files of the previous one for tabs that still
 * request them. A new build is served by a new process; a running one serves only its files, because a page of a newer
 * process may load its scripts through an older one behind the same proxy.
 */
const idSchema = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const pointerSchema = v.object({ builds: v.tupleWithRest([idSchema], idSchema) });

export interface Builds {
  readonly shell: Shell;
  readonly pages: Pages;
  /** a file of the newest or the previous build at the start */
  find(path: string): SiteFile | undefined;
  /** the same, else a file of a build that was deployed later */
  findInAny(path: string): Promise<SiteFile | undefined>;
}

interface BuildsOptions {
  readonly folder: string;
  readonly captchaOrigin?: string | undefined;
  /** whether pages may have a service worker ([Note: Worker off]) */
  readonly worker?: boolean;
}

async function readPointer(folder: string) {
  const file = join(folder, 'current.json');
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`${file} is missing: run npm start, which builds the storefront`, { cause });
  });
  return v.parse(pointerSchema, JSON.parse(text)).builds;
}

/** Missing files are requested by anyone, so the folder is read at most once in this time. */
const rereadMs = 1000;

/** Files of the builds that `current.json` names now, read when a file is missing. */
function createLaterFiles(folder: string, { clock, log }: Pick<Deps, 'clock' | 'log'>) {
  let later = new Map<string, SiteFiles>();
  let reading: Promise<void> | undefined;
  let readAt = -Infinity;
  const read = async (): Promise<void> => {
    const named = await readPointer(folder);
    const files = named.map(
      async (id) => [id, later.get(id) ?? (await readSiteFiles(join(folder, id, 'site')))] as const,
    );
    later = new Map(await Promise.all(files));
  };
  const reread = (): Promise<void> => {
    if (clock() - readAt < rereadMs) return reading ?? Promise.resolve();
    readAt = clock();
    reading = read().catch((error: unknown) => log.warn({ err: error }, 'the newest build cannot be read'));
    return reading;
  };
  const find = (path: string) => fileOf([...later.values()], path);
  return async (path: string): Promise<SiteFile | undefined> => {
    const found = find(path);
    if (found) return found;
    await reread();
    return find(path);
  };
}

const fileOf = (builds: readonly SiteFiles[], path: string) => builds.find((files) => files.has(path))?.get(path);

/** Opens the newest build, and the files of the previous one. */
export async function openBuilds(options: BuildsOptions, deps: Pick<Deps, 'clock' | 'log'>): Promise<Builds> {
  const { folder, captchaOrigin } = options;
  const [newest, ...previous] = await readPointer(folder);
  // absolute, because the specifier of a dynamic import would be relative to this module
  const home = resolve(folder, newest);
  const files = await readSiteFiles(join(home, 'site'));
  const former = await Promise.all(previous.map((id) => readSiteFiles(join(folder, id, 'site'))));
  const find = (path: string) => fileOf([files, ...former], path);
  const findLater = createLaterFiles(folder, deps);
  return {
    shell: shellOf(textOf(files, '/index.html'), captchaOrigin),
    pages: pagesOf(await builtPages(home, files, options), join(home, 'site')),
    find,
    findInAny: async (path) => find(path) ?? findLater(path),
  };
}
