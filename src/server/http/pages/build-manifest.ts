import * as v from 'valibot';
import { textOf, type SiteFiles } from './site-files.ts';

const chunkSchema = v.object({
  file: v.string(),
  css: v.optional(v.array(v.string()), []),
  imports: v.optional(v.array(v.string()), []),
});
const manifestSchema = v.record(v.string(), chunkSchema);

/** The built files that a page needs, and its inlined CSS. */
export interface PageFiles {
  /** the script that starts the storefront, as a path */
  readonly entry: string;
  /** further scripts that it will import, as paths */
  readonly preloads: readonly string[];
  /** URLs of the style sheets whose text is in `css` */
  readonly sheets: readonly string[];
  readonly css: string;
}

/** A route is named by its URL path, whose segments are folders or dots in its file name. */
const plain = (name: string) => name.replaceAll('.', '/');

/** The files that contain each module. Pages that share a file have no entry of their own in the manifest. */
const filesOfModulesSchema = v.record(v.string(), v.array(v.string()));

const isScript = (chunk: { readonly file: string } | undefined) => chunk?.file.endsWith('.js') === true;

/** The scripts of a module, and of the lazy parts that the router split off its file. Style sheets have entries, too. */
function chunksOfModule(module: string, { chunks, filesOfModules }: Build): string[] {
  const wanted = plain(module);
  const isMeant = (name: string) => plain(name) === wanted || plain(name).startsWith(`${wanted}?tsr-split=`);
  const files = Object.keys(filesOfModules)
    .filter(isMeant)
    .flatMap((name) => filesOfModules[name] ?? []);
  return Object.keys(chunks).filter(
    (name) => isScript(chunks[name]) && (isMeant(name) || files.includes(`/${chunks[name]?.file}`)),
  );
}

interface BuildManifest {
  filesFor(modules: readonly string[]): PageFiles;
}

const entryModule = 'index.html';
/** the module that the entry imports after it has detected the engine ([Note: Entry]) */
const startModule = 'src/web/app/start.ts';

type Chunks = v.InferOutput<typeof manifestSchema>;

interface Build {
  readonly chunks: Chunks;
  readonly filesOfModules: v.InferOutput<typeof filesOfModulesSchema>;
}

/** Adds a module and all its static imports to `seen`. */
function reach(chunks: Chunks, module: string, seen: Set<string>): void {
  const chunk = chunks[module];
  if (!chunk || seen.has(module)) return;
  seen.add(module);
  for (const imported of chunk.imports) reach(chunks, imported, seen);
}

const chunksOf = (chunks: Chunks, names: Iterable<string>) => [...names].flatMap((name) => chunks[name] ?? []);
const pathsOf = (chunks: Chunks, names: Iterable<string>) => [
  ...new Set(chunksOf(chunks, names).map(({ file }) => `/${file}`)),
];

/** Reads what Vite wrote about the build. */
export function readBuildManifest(site: SiteFiles): BuildManifest {
  const read = (name: string): unknown => JSON.parse(textOf(site, `/.vite/${name}.json`));
  const chunks = v.parse(manifestSchema, read('manifest'));
  const build = { chunks, filesOfModules: v.parse(filesOfModulesSchema, read('ssr-manifest')) };
  const known = new Map<string, PageFiles>();

  function collect(modules: readonly string[]): PageFiles {
    const seen = new Set<string>();
    for (const module of [entryModule, startModule, ...modules])
      for (const part of chunksOfModule(module, build)) reach(chunks, part, seen);
    const entry = `/${chunks[entryModule]?.file ?? ''}`;
    const sheets = [...new Set(chunksOf(chunks, seen).flatMap((chunk) => chunk.css))];
    return {
      entry,
      preloads: pathsOf(chunks, seen).filter((path) => path !== entry),
      sheets: sheets.map((sheet) => `/${sheet}`),
      css: sheets.map((sheet) => textOf(site, `/${sheet}`)).join('\n'),
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
