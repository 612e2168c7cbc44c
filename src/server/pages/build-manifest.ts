import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

const chunkSchema = v.object({
  file: v.string(),
  css: v.optional(v.array(v.string()), []),
  imports: v.optional(v.array(v.string()), []),
});
const manifestSchema = v.record(v.string(), chunkSchema);
const importMapSchema = v.object({ integrity: v.record(v.string(), v.string()) });

/** Which built files a page needs, and the CSS that goes into it. */
export interface PageFiles {
  /** the script that starts the storefront, as a path */
  readonly entry: string;
  /** further scripts that it will import, as paths */
  readonly preloads: readonly string[];
  /** addresses of the style sheets whose text is in `css` */
  readonly sheets: readonly string[];
  readonly css: string;
  /** the text of the import map, with the hash of every script of the build ([Note: Import map]); empty without one */
  readonly importMap: string;
  /** that hash, by path */
  readonly integrity: Readonly<Record<string, string>>;
}

export interface BuildManifest {
  filesFor(modules: readonly string[]): Promise<PageFiles>;
}

const entryModule = 'index.html';

/** Reads what Vite wrote about the build in `site`. */
export async function readBuildManifest(site: string): Promise<BuildManifest> {
  const json: unknown = JSON.parse(await readFile(join(site, '.vite/manifest.json'), 'utf8'));
  const chunks = v.parse(manifestSchema, json);
  const map = await readImportMap(site);
  const known = new Map<string, Promise<PageFiles>>();

  /** A module by itself, and the lazy parts that the router split off its file. */
  function partsOf(module: string): string[] {
    return Object.keys(chunks).filter((name) => name === module || name.startsWith(`${module}?tsr-split=`));
  }

  function reach(module: string, seen: Set<string>): void {
    const chunk = chunks[module];
    if (!chunk || seen.has(module)) return;
    seen.add(module);
    for (const imported of chunk.imports) reach(imported, seen);
  }

  async function collect(modules: readonly string[]): Promise<PageFiles> {
    const seen = new Set<string>();
    for (const module of [entryModule, ...modules]) for (const part of partsOf(module)) reach(part, seen);
    const needed = [...seen].flatMap((module) => chunks[module] ?? []);
    const entry = chunks[entryModule]?.file ?? '';
    const sheets = [...new Set(needed.flatMap((chunk) => chunk.css))];
    const texts = await Promise.all(sheets.map((sheet) => readFile(join(site, sheet), 'utf8')));
    return {
      entry: `/${entry}`,
      preloads: [...new Set(needed.map((chunk) => chunk.file))]
        .filter((file) => file !== entry)
        .map((file) => `/${file}`),
      sheets: sheets.map((sheet) => `/${sheet}`),
      css: texts.join('\n'),
      ...map,
    };
  }

  return {
    filesFor(modules) {
      const key = modules.join(' ');
      const files = known.get(key) ?? collect(modules);
      known.set(key, files);
      return files;
    },
  };
}

async function readImportMap(site: string): Promise<Pick<PageFiles, 'importMap' | 'integrity'>> {
  const html = await readFile(join(site, entryModule), 'utf8');
  const importMap = /<script type="importmap">(.+?)<\/script>/s.exec(html)?.[1];
  if (importMap === undefined) throw new Error(`${entryModule} of the build has no import map`);
  return { importMap, integrity: v.parse(importMapSchema, JSON.parse(importMap)).integrity };
}
