import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { shellOf, type Shell } from './document.ts';
import { pagesOf, type Pages, builtPages } from './page-source.ts';
import { readSiteFiles, textOf, type SiteFile } from './site-files.ts';

/**
 * `dist/builds` has a folder for each build, and `current.json` there names the last two, the newest first. A server
 * reads both into memory when it starts: it serves the newest, and files of the previous one for tabs that still
 * request them. A new build is served by a new process.
 */
const idSchema = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const pointerSchema = v.object({ builds: v.tupleWithRest([idSchema], idSchema) });

export interface Builds {
  readonly shell: Shell;
  readonly pages: Pages;
  /** a file of the newest build, or of the previous one */
  find(path: string): SiteFile | undefined;
}

export interface BuildsOptions {
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

/** Opens the newest build, and the files of the previous one. */
export async function openBuilds(options: BuildsOptions): Promise<Builds> {
  const { folder, captchaOrigin } = options;
  const [newest, ...previous] = await readPointer(folder);
  // absolute, because the specifier of a dynamic import would be relative to this module
  const home = resolve(folder, newest);
  const files = await readSiteFiles(join(home, 'site'));
  const former = await Promise.all(previous.map((id) => readSiteFiles(join(folder, id, 'site'))));
  return {
    shell: shellOf(textOf(files, '/index.html'), captchaOrigin),
    pages: pagesOf(await builtPages(home, files, options), join(home, 'site')),
    find: (path) => [files, ...former].find((one) => one.has(path))?.get(path),
  };
}
