import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { projectFiles, root } from './fixtures/source-tree.ts';

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
// as: Vite writes this file; a chunk that is not what it should be shows as a missing file below.
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, Chunk>;

/** A chunk and all that it imports statically: what a browser fetches before it can run it. */
function closure(name: string, found = new Map<string, Chunk>()): Map<string, Chunk> {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`${name} is not in the build's manifest`);
  if (!found.has(name)) {
    found.set(name, chunk);
    for (const imported of chunk.imports ?? []) closure(imported, found);
  }
  return found;
}

function brotli(file: string): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  return brotliCompressSync(readFileSync(join(site, file)), { params }).length;
}

const names = Object.keys(manifest);
const entry = names.filter((name) => manifest[name]?.isEntry && name.endsWith('.html'));
/** The parts of a route's file: the router's plugin splits them by a query after the name. */
const partsOf = (...routes: string[]) => names.filter((name) => routes.includes(name.replace(/\?.*$/, '')));

/** What the first visit to a route loads: the entry, the layouts, the route itself, and one language. */
function firstVisit(language: string, ...routes: string[]) {
  const parts = [...entry, ...partsOf(...routes, 'src/web/routes/__root.tsx'), ...partsOf(`locales/${language}.po`)];
  const chunks = [...parts.reduce((found, name) => closure(name, found), new Map<string, Chunk>()).values()];
  const scripts = [...new Set(chunks.map(({ file }) => file))];
  const styles = [...new Set(chunks.flatMap(({ css }) => css ?? []))];
  const weigh = (files: string[]) => files.reduce((sum, file) => sum + brotli(file), 0);
  return { scripts: weigh(scripts), styles: weigh(styles), files: scripts };
}

const routes = {
  pricing: ['src/web/routes/_main/pricing-table.tsx', 'src/web/routes/_main.tsx'],
  login: ['src/web/routes/_auth/login.tsx', 'src/web/routes/_auth.tsx'],
  home: ['src/web/routes/_main/index.tsx', 'src/web/routes/_main.tsx'],
};

describe('A first visit, in bytes as they travel', () => {
  const visits = Object.entries(routes).flatMap(([name, files]) =>
    // Russian words are the longest catalogue in bytes.
    ['pt', 'ru'].map((language) => ({ name, language, ...firstVisit(language, ...files) })),
  );

  it.each(visits)('loads at most 125 KB of JavaScript to see $name in $language', ({ scripts, files }) => {
    expect(files.length).toBeGreaterThan(2);
    expect(scripts / kilobyte).toBeLessThanOrEqual(125);
  });

  it.each(visits)('loads at most 12 KB of CSS to see $name in $language', ({ styles }) => {
    expect(styles / kilobyte).toBeLessThanOrEqual(12);
  });
});

describe('The whole build', () => {
  const built = projectFiles('dist/site');

  it('has no web fonts, because the system has good ones', () => {
    expect(built.filter((file) => /\.(woff2?|ttf|otf|eot)$/.test(file))).toEqual([]);
    const sheets = built.filter((file) => file.endsWith('.css'));
    expect(sheets.filter((file) => readFileSync(join(root, file), 'utf8').includes('@font-face'))).toEqual([]);
  });

  it('carries no macros, no source maps and no words for developers to the browser', () => {
    const scripts = built.filter((file) => file.endsWith('.js'));
    const bad = /@lingui\/(core|react)\/macro|\.jsxDEV\(|sourceMappingURL=/;
    expect(scripts.filter((file) => bad.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
    expect(built.filter((file) => file.endsWith('.map'))).toEqual([]);
  });
});
