import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { languages } from '#contract/fields.ts';
import { noticesPath } from '#contract/worker.ts';
import { changedBuild } from '#tests/fixtures/changed-build.ts';
import { projectFiles, root } from '#tests/fixtures/source-tree.ts';

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const kilobyte = 1024;
const site = join(root, 'dist/site');
const manifestFile = join(site, '.vite/manifest.json');
if (!existsSync(manifestFile)) throw new Error('There is no build to weigh: run `npm run build` first.');
// as: Vite writes this file; an invalid chunk shows as a missing file below.
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, Chunk>;
// as above: the files of each module, to find the page that shares a file with others
const filesOfModules = JSON.parse(readFileSync(join(site, '.vite/ssr-manifest.json'), 'utf8')) as Record<
  string,
  string[]
>;

/** A chunk and all its static imports: what a browser fetches before it can run the chunk. */
function closure(name: string, found = new Map<string, Chunk>()): Map<string, Chunk> {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`${name} is not in the build's manifest`);
  if (!found.has(name)) {
    found.set(name, chunk);
    for (const imported of chunk.imports ?? []) closure(imported, found);
  }
  return found;
}

const weighed = new Map<string, number>();

function brotli(file: string): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  const bytes = weighed.get(file) ?? brotliCompressSync(readFileSync(join(site, file)), { params }).length;
  weighed.set(file, bytes);
  return bytes;
}

const names = Object.keys(manifest);
/** The script of the page, and the storefront that it starts ([Note: Entry]). */
const entry = names.filter((name) => manifest[name]?.isEntry);
/** The parts of a route file: the plugin of the router splits them by a query after the name. */
function partsOf(...routes: string[]): string[] {
  const isMeant = (name: string) => routes.includes(name.replace(/\?.*$/, ''));
  const files = Object.keys(filesOfModules).filter(isMeant).flatMap(chunksOf);
  return [...names.filter(isMeant), ...files];
}

const chunksOf = (module: string) =>
  names.filter(
    (name) => filesOfModules[module]?.includes(`/${manifest[name]?.file}`) && manifest[name]?.file.endsWith('.js'),
  );

/** What the first visit to a route loads: the entry, the layouts, the route itself, and one language. */
function firstVisit(language: string, ...routes: string[]) {
  const parts = [...entry, ...partsOf(...routes, 'src/web/routes/__root.tsx'), ...partsOf(`locales/${language}.po`)];
  const chunks = [...parts.reduce((found, name) => closure(name, found), new Map<string, Chunk>()).values()];
  const scripts = [...new Set(chunks.map(({ file }) => file))];
  const styles = [...new Set(chunks.flatMap(({ css }) => css ?? []))];
  const weigh = (files: string[]) => files.reduce((sum, file) => sum + brotli(file), 0);
  const first = manifest['index.html']?.file;
  return { scripts: weigh(scripts), styles: weigh(styles), files: scripts, first };
}

/** The limits of JavaScript and CSS in KB; the oldest engines load 15 KB more. */
const routes = {
  home: { limit: 122, css: 7, files: ['src/web/routes/_main/index.tsx', 'src/web/routes/_main.tsx'] },
  pricing: { limit: 122, css: 7, files: ['src/web/routes/_main/pricing-table.tsx', 'src/web/routes/_main.tsx'] },
  plan: { limit: 122, css: 8, files: ['src/web/routes/_main/plan-details.$id.tsx', 'src/web/routes/_main.tsx'] },
  login: { limit: 122, css: 7, files: ['src/web/routes/_auth/login.tsx', 'src/web/routes/_auth.tsx'] },
};

describe('A first visit, in compressed bytes', () => {
  // An engine compiles a function in parentheses while its script is loading, and others in a task of the page.
  it('lets engines compile React while it is loading', () => {
    const vendor = readdirSync(join(site, 'assets')).find((name) => /^vendor-.*\.js$/.test(name)) ?? '';
    const code = readFileSync(join(site, 'assets', vendor), 'utf8');
    // the helper of Rolldown that wraps a CommonJS module, such as React's
    const [, helper = ''] = /\w+=(\w+)\(\(?\w+=>\{var \w+=Symbol\.for\(`react\.transitional/.exec(code) ?? [];
    const wrappers = (start: string) =>
      code.match(new RegExp(`[=,]${helper}${start}(?:\\w+|\\([\\w,]*\\))=>`, 'g')) ?? [];
    expect(wrappers('\\(\\(').length).toBeGreaterThan(3);
    expect(wrappers('\\(')).toEqual([]);
  });

  const visits = Object.entries(routes).flatMap(([name, { limit, css, files }]) =>
    // Russian is the largest catalogue in bytes.
    ['pt', 'ru'].map((language) => ({ name, language, limit, css, ...firstVisit(language, ...files) })),
  );

  it.each(visits)('loads at most $limit KB of JavaScript to see $name in $language', ({ scripts, files, limit }) => {
    expect(files.length).toBeGreaterThan(2);
    expect(scripts / kilobyte).toBeLessThanOrEqual(limit);
  });

  it.each(visits)('loads at most 15 KB more in the oldest engine to see $name in $language', ({ scripts, limit }) => {
    const brought = [...closure('src/web/platform/entry/engine/built-ins.ts').values()].filter(
      ({ isEntry }) => !isEntry,
    );
    const more = brought.reduce((sum, { file }) => sum + brotli(file), 0);
    expect(more).toBeGreaterThan(0);
    expect((scripts + more) / kilobyte).toBeLessThanOrEqual(limit + 15);
  });
  it.each(visits)(
    'loads at most 10 scripts to see $name in $language, none below 2 KB except the first and the helpers',
    ({ name, files, first }) => {
      expect(files.length).toBeLessThanOrEqual(10);
      expect(files).toContain(first);
      // Rolldown always writes its helpers into a file of their own. Moving them would change files after they were
      // named.
      const isAlone = (file: string) => file === first || file.startsWith('assets/rolldown-runtime-');
      // The part of a plan is small.
      const isOfPlan = (file: string) => name === 'plan' && file.startsWith('assets/plan-');
      const small = files.filter((file) => !isAlone(file) && !isOfPlan(file) && brotli(file) < 2 * kilobyte);
      expect(small).toEqual([]);
    },
  );

  it('loads no code of signed-in customers, even in the parts of a page that load later', () => {
    const chunk = (name: string) => names.filter((one) => one.startsWith(`_${name}-`) && one.endsWith('.js'));
    const parts = ['soon', 'more', 'drawings', 'passkeys', 'idle'].map(chunk);
    for (const part of parts) expect(part).toHaveLength(1);
    const later = parts.flat().flatMap((name) => [...closure(name).keys()]);
    expect(chunk('own')).toHaveLength(1);
    expect(later.length).toBeGreaterThan(1);
    expect(later.filter((name) => chunk('own').includes(name))).toEqual([]);
  });

  it('loads at most 36 KB of code that customers’ pages share, without QR codes, hashes and the checkout', () => {
    const [shared = ''] = names.filter((one) => /^_own-.*\.js$/.test(one));
    expect(shared).not.toBe('');
    const all = [...closure(shared).entries()];
    const own = all.find(([name]) => name === shared)?.[1].file ?? '';
    expect(brotli(own)).toBeGreaterThan(2 * kilobyte);
    expect(brotli(own) / kilobyte).toBeLessThanOrEqual(36);
    const apart = names.filter((one) => /^_(?:scan|hash|pay)-.*\.js$/.test(one));
    expect(apart).toHaveLength(3);
    expect(all.filter(([name]) => apart.includes(name))).toEqual([]);
  });

  it('loads the plans, and the lower sections of home, on no other page than those of plans', () => {
    const pages = Object.keys(filesOfModules).filter(
      (name) => name.includes('?tsr-split=') && !/pricing-table|plan-details/.test(name),
    );
    const brings = (page: string) =>
      chunksOf(page)
        .flatMap((name) => [...closure(name).keys()])
        .some((name) => /^_(?:plans|plan|soon|more)-/.test(name));
    expect(pages.length).toBeGreaterThan(20);
    expect(pages.filter(brings)).toEqual([]);
  });

  it.each(visits)('loads at most $css KB of CSS to see $name in $language', ({ styles, css }) => {
    expect(styles / kilobyte).toBeLessThanOrEqual(css);
  });
});

describe('The whole build', () => {
  const built = projectFiles('dist/site');

  it('has no web fonts, because the system has good ones', () => {
    expect(built.filter((file) => /\.(woff2?|ttf|otf|eot)$/.test(file))).toEqual([]);
    const sheets = built.filter((file) => file.endsWith('.css'));
    expect(sheets.filter((file) => readFileSync(join(root, file), 'utf8').includes('@font-face'))).toEqual([]);
  });

  it('includes the text of its first page once, and English where a catalogue may not load', () => {
    const catalogue = new RegExp(`/(?:${languages.join('|')})-[^/]*\\.js$`);
    const scripts = built.filter((file) => file.endsWith('.js') && !catalogue.test(file));
    const text = scripts.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    expect(text).not.toContain('Skip to content');
    expect(text).toContain('Still trying. The connection is slow.');
    expect(text).toContain('Log in with a passkey');
  });

  it('has the licences of the libraries of the browser, the worker and the server', () => {
    const notices = readFileSync(join(site, noticesPath), 'utf8');
    for (const name of [
      'react-dom',
      'lucide-static',
      '@tanstack/react-router',
      'workbox-core',
      'hono',
      'drizzle-orm',
      'pg',
    ])
      expect(notices).toMatch(new RegExp(`^${name} \\d[\\d.]* \\(`, 'm'));
    expect(notices).toContain('Copyright (c) Meta Platforms');
    expect(notices).not.toMatch(/^(?:vitest|oxlint) /m);
  });

  it('has no import map', () => {
    expect(readFileSync(join(site, 'index.html'), 'utf8')).not.toContain('importmap');
  });

  it('contains no macros, no source maps and no developer messages for the browser', () => {
    const scripts = built.filter((file) => file.endsWith('.js'));
    const bad = /@lingui\/(core|react)\/macro|\.jsxDEV\(|sourceMappingURL=/;
    expect(scripts.filter((file) => bad.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
    expect(built.filter((file) => file.endsWith('.map'))).toEqual([]);
  });
});

/** Files that browsers cache for a year, by their path in a build: scripts, styles, workers, images and others. */
const cachedFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /(^assets\/[^]*\.|-[\w-]{8,}\.)\w+$/.test(path) && !/^\.vite\/|\.(br|gz)$/.test(path))
    .filter((path) => statSync(join(folder, path)).isFile());

describe('Two builds', () => {
  it(
    'never have different bytes under one file name, because browsers cache it for a year',
    { timeout: 180_000 },
    () => {
      const builds = join(root, 'dist/builds');
      const previousBuilds = readdirSync(builds).map((build) => join(builds, build, 'site'));
      const changed = join(changedBuild(), 'site');
      const names = cachedFiles(site);
      const shared = cachedFiles(changed).filter((name) => names.includes(name));
      expect(shared.length).toBeGreaterThan(10);
      expect(names.length - shared.length).toBeGreaterThan(5);
      for (const other of [changed, ...previousBuilds.filter((folder) => existsSync(folder))]) {
        const both = names.filter((name) => existsSync(join(other, name)));
        const differs = (name: string) => !readFileSync(join(site, name)).equals(readFileSync(join(other, name)));
        expect(both.filter(differs), other).toEqual([]);
      }
    },
  );
});
