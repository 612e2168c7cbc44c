import { describe, expect, it } from 'vitest';
import { Visitor } from 'vite';
import * as endpoints from '../src/contract/index.ts';
import { isErrorCode } from '../src/contract/error-codes.ts';
import { lineAt, projectFiles, sourcesUnder, type Import, type Source } from './fixtures/source-tree.ts';

/** The laws of the house. Each test names one; what it prints is the list of those who break it. */
const files = projectFiles();
const sources = sourcesUnder('src');
const shipped = sources.filter(({ test }) => !test);
const tests = [
  ...sources.filter(({ test }) => test),
  ...sourcesUnder('tests').filter(({ path }) => /\.(test|spec)\.ts$/.test(path)),
];
const room = (name: string) => sources.filter((source) => source.room === name);
const under = (folder: string) => shipped.filter(({ path }) => path.startsWith(folder));

const forTests = new Set(['vitest', 'fast-check', 'node:']);

/** `path -> specifier` of every import that `allowed` does not allow; a test may also use the tools of tests. */
function strangers(who: readonly Source[], allowed: (one: Import, source: Source) => boolean): string[] {
  return who.flatMap((source) =>
    source.imports
      .filter(
        (one) =>
          !allowed(one, source) && !(source.test && (forTests.has(one.target) || one.target.startsWith('tests/'))),
      )
      .map((one) => `${source.path} -> ${one.specifier}`),
  );
}

const into = (one: Import, ...folders: string[]) => one.own && folders.some((folder) => one.target.startsWith(folder));

/** `path:line` of every match of a pattern in the code, or in the text with its comments. */
function mentions(who: readonly Source[], pattern: RegExp, where: 'bare' | 'code' = 'bare'): string[] {
  return who.flatMap(({ path, [where]: code }) =>
    [...code.matchAll(new RegExp(pattern, 'g'))].map(
      (match) => `${path}:${lineAt(code, match.index)} ${match[0].trim()}`,
    ),
  );
}

describe('Rooms', () => {
  it('lets the contract import valibot and itself only', () => {
    expect(strangers(room('contract'), (one) => into(one, 'src/contract/') || one.target === 'valibot')).toEqual([]);
  });

  it('lets the storefront import itself, the contract and the catalogues, and nothing of Node', () => {
    const allowed = (one: Import) =>
      one.own ? into(one, 'src/web/', 'src/contract/', 'locales/') : one.target !== 'node:';
    expect(strangers(room('web'), allowed)).toEqual([]);
  });

  it('lets the server import itself and the contract, without macros and without React', () => {
    const browser = /^(react|react-dom|@lingui\/.*|@tanstack\/.*|ky|workbox-.*)$/;
    const allowed = (one: Import) => (one.own ? into(one, 'src/server/', 'src/contract/') : !browser.test(one.target));
    expect(strangers(room('server'), allowed)).toEqual([]);
    expect(room('server').filter(({ path }) => path.endsWith('.tsx'))).toEqual([]);
  });

  it('lets the service worker import itself, the contract and its parser, and workbox', () => {
    const allowed = (one: Import) => into(one, 'src/sw/', 'src/contract/') || /^(workbox-.*|valibot)$/.test(one.target);
    expect(strangers(room('sw'), allowed)).toEqual([]);
  });

  it('keeps everything at its place at the top', () => {
    const known = new Set(
      `package.json package-lock.json vite.config.ts tsconfig.json lingui.config.ts index.html README.md .gitignore
       .npmrc .oxlintrc.json .oxfmtrc.json .ci .scripts public locales src tests`.split(/\s+/),
    );
    expect([...new Set(files.map((file) => file.split('/')[0] ?? ''))].filter((name) => !known.has(name))).toEqual([]);
    expect([...new Set(sources.map((source) => source.room))].sort()).toEqual(['contract', 'server', 'sw', 'web']);
  });
});

describe('Storefront', () => {
  it('keeps ui free of the router, the api, the session and the features', () => {
    const outside = /^(@tanstack\/|ky$)/;
    const allowed = (one: Import) => (one.own ? into(one, 'src/web/ui/', 'src/contract/') : !outside.test(one.target));
    expect(strangers(under('src/web/ui/'), allowed)).toEqual([]);
  });

  it('never lets a feature import another feature or a route', () => {
    const feature = (path: string) => path.split('/')[3];
    const allowed = (one: Import, source: Source) =>
      !one.own || !into(one, 'src/web/features/', 'src/web/routes/') || feature(one.target) === feature(source.path);
    expect(strangers(under('src/web/features/'), allowed)).toEqual([]);
  });

  it('lets only the routes and the frame compose features, and nobody import a route', () => {
    const others = under('src/web/').filter(({ path }) => !/^src\/web\/(features|routes|app)\//.test(path));
    expect(strangers(others, (one) => !into(one, 'src/web/features/'))).toEqual([]);
    expect(strangers(under('src/web/'), (one) => !into(one, 'src/web/routes/'))).toEqual([]);
  });

  it('keeps routes thin: 40 lines at most', () => {
    const thick = under('src/web/routes/').filter(({ lines }) => lines > 40);
    expect(thick.map(({ path, lines }) => `${path} ${lines}`)).toEqual([]);
  });

  it('never names a brand', () => {
    expect(mentions(under('src/web/'), /\b(lumen|mego)\b/i)).toEqual([]);
  });

  it('calls the API through one door, and makes query keys in one place', () => {
    const calls = under('src/web/').filter(({ path }) => !/^src\/web\/(api|pwa)\//.test(path));
    expect(mentions(calls, /(?<![\w.])fetch\(|\bXMLHttpRequest\b|from 'ky'/)).toEqual([]);
    expect(mentions(calls, /queryKey: \[/)).toEqual([]);
  });

  it('touches the storage of the browser in one place', () => {
    // pwa/ marks a reload even when the rest of the storefront could not be loaded.
    const others = under('src/web/').filter(({ path }) => !/^src\/web\/(storage|pwa)\//.test(path));
    expect(mentions(others, /\b(localStorage|sessionStorage|indexedDB)\b(?=[.[])|from 'idb-keyval'/)).toEqual([]);
  });

  it('never imports the words of the error codes at run time, because they live in the catalogues', () => {
    const runtime = (one: Import) => one.target.endsWith('i18n/error-messages.ts') && !one.typeOnly;
    expect(strangers(shipped, (one) => !runtime(one))).toEqual([]);
  });

  it(
    'can be imported without a DOM, so that every page can become HTML on a server',
    { timeout: 120_000 },
    async () => {
      const broken: string[] = [];
      for (const { path } of under('src/web/').filter((source) => source.path !== 'src/web/main.tsx')) {
        await import(/* @vite-ignore */ `../${path}`).catch((error: unknown) =>
          broken.push(`${path}: ${String(error)}`),
        );
      }
      expect(broken).toEqual([]);
    },
  );
});

describe('Server', () => {
  const server = under('src/server/');

  it('takes time and chance from outside', () => {
    const clocks = server.filter(({ path }) => !/\/(main|clock|random|signing-secret)\.ts$/.test(path));
    expect(mentions(clocks, /\bDate\.now\(\)|new Date\(\)|\bMath\.random\(|\brandomUUID\(|\brandomBytes\(/)).toEqual(
      [],
    );
  });

  it('reads the environment where a program starts, and nowhere else', () => {
    const readers = server.filter(({ path }) => !/^src\/server\/((operator\/)?main|env)\.ts$/.test(path));
    expect(mentions(readers, /\bprocess\.env\b/)).toEqual([]);
  });

  it('writes the status of an order through the table of moves and in no other way', () => {
    const orders = server.filter(({ path }) => !path.includes('/db/'));
    expect(mentions(orders, /\.set\(\{[^}]*\bstatus: '(?:PAYMENT|REFUND|CHARGEBACK|SUBMITTED)\w*'/)).toEqual([]);
  });
});

describe('Contract', () => {
  it('has one schema for text, by which every string of it goes, so that none brings NUL or half a character', () => {
    const others = under('src/contract/').filter(({ path }) => path !== 'src/contract/fields.ts');
    expect(mentions(others, /\bv\.string\(/)).toEqual([]);
    expect(mentions(under('src/contract/fields.ts'), /\bv\.string\(/)).toHaveLength(1);
  });
});

describe('Endpoints', () => {
  const all = Object.values(endpoints);
  const names = Object.keys(endpoints);
  const count = (code: string, pattern: RegExp) => [...code.matchAll(pattern)].length;
  const missing = (who: readonly Source[], found: (name: string, source: Source) => boolean) =>
    names.filter((name) => !who.some((source) => found(name, source)));
  const uses = (name: string, { code }: Source) =>
    new RegExp(`(import\\s*\\{[^}]*\\b${name}\\b[^}]*\\}\\s*from\\s*'[^']*contract/)|(endpoints\\.${name}\\b)`).test(
      code,
    );

  it('has a name, a method and a path of its own each', () => {
    expect(all.map(({ name }) => name)).toEqual(names);
    expect(new Set(all.map(({ method, path }) => `${method} ${path}`)).size).toBe(all.length);
  });

  it('has exactly one handler on the server for each', () => {
    const code = under('src/server/')
      .map((source) => source.code)
      .join('\n');
    const counts = names.map((name) => ({
      name,
      handlers: count(code, new RegExp(`\\bbind\\(\\s*(?:\\w+\\.)?${name}\\s*,`, 'g')),
    }));
    expect(counts.filter(({ handlers }) => handlers !== 1)).toEqual([]);
  });

  it('has at least one caller in the storefront for each', () => {
    expect(missing([...under('src/web/'), ...under('src/sw/')], uses)).toEqual([]);
  });

  it('has a test for each', () => {
    expect(missing(tests, (name, source) => uses(name, source) || source.code.includes(`'${name}'`))).toEqual([]);
  });

  it('declares only codes of the catalogue', () => {
    const unknown = all
      .flatMap(({ name, errors }) => errors.map((code: number) => ({ name, code })))
      .filter(({ code }) => !isErrorCode(code));
    expect(unknown).toEqual([]);
  });
});

describe('Files', () => {
  /** Tables of data, which are long because the world is. */
  const tables = new Map([
    ['src/server/db/schema.ts', 'one table of the database after another'],
    ['src/web/i18n/error-messages.ts', 'the words of every code'],
    ['src/contract/error-codes.ts', 'every code of the catalogue'],
  ]);
  const counted = shipped.filter(({ path }) => !tables.has(path)).map(({ path, lines }) => ({ path, lines }));
  const sorted = counted.map(({ lines }) => lines).sort((a, b) => a - b);
  const share = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;

  it('are small: 250 lines at most, 160 in nine of ten, 60 in the median', () => {
    expect(counted.filter(({ path, lines }) => lines > (isSeed(path) ? 400 : 250))).toEqual([]);
    expect(share(0.9)).toBeLessThanOrEqual(160);
    expect(share(0.5)).toBeLessThanOrEqual(60);
  });

  it('are named in kebab-case, and no folder is a drawer for anything', () => {
    const routes = /^src\/(web\/(routes\/|routeTree\.gen\.ts$)|server\/db\/migrations\/)/;
    const named = files.filter((file) => /^(src|tests|\.scripts)\//.test(file) && !routes.test(file));
    const odd = named.filter((file) => !/^[a-z0-9.]+([-_.][a-z0-9]+)*$/.test(file.split('/').at(-1) ?? ''));
    const drawers = /(^|\/)(utils?|common|helpers?|lib|libs|shared|misc|core)(\/|\.tsx?$)/;
    expect(odd).toEqual([]);
    expect(files.filter((file) => drawers.test(file))).toEqual([]);
  });

  it('re-export nothing of ours, but for the list of endpoints', () => {
    const passed = shipped.filter(
      ({ path, parsed }) =>
        path !== 'src/contract/index.ts' &&
        parsed.module.staticExports.some(({ entries }) =>
          entries.some((entry) => entry.moduleRequest?.value.startsWith('.')),
        ),
    );
    expect(passed.map(({ path }) => path)).toEqual([]);
  });

  it('say why where they silence a check', () => {
    const silent = /(@ts-(expect-error|ignore|nocheck)|(ox|es)lint-disable[\w-]*)(?![^\n]*(--|:) \S+ \S+)[^\n]*/;
    expect(mentions(sources, silent, 'code')).toEqual([]);
  });

  it('use no any, and give a reason beside every `as`', () => {
    expect(shipped.flatMap(casts)).toEqual([]);
  });
});

describe('Tests', () => {
  it('tell what a person gets, in a sentence', () => {
    const titles = /(?<![.\w])(?:it|test)(?:\.\w+)?\(\s*(['"`])(?:(?!\1).)*\1/;
    const short = mentions(tests, titles).filter((line) => line.replace(/^\S+ /, '').trim().split(/\s+/).length < 3);
    expect(short).toEqual([]);
  });

  it('run against our own server: nothing of ours is mocked', () => {
    const mocks = /\bvi\.mock\(|\broute\.fulfill\(|from 'msw|setupServer\(/;
    expect(
      mentions(
        tests.filter(({ path }) => path !== 'tests/structure.test.ts'),
        mocks,
      ),
    ).toEqual([]);
  });
});

/** Seeds are data: the plans, methods and texts of the demo brands. */
function isSeed(path: string): boolean {
  return /\/seed[\w/-]*\.ts$/.test(path);
}

/** `any` anywhere, and `as` without a comment on its line or on the one above. */
function casts({ path, code, parsed }: Source): string[] {
  const found: string[] = [];
  const lines = code.split('\n');
  const commented = (line: number) =>
    [lines[line - 1], lines[line - 2]].some((text) => /\/\/|\*\/|^\s*\*/.test(text ?? ''));
  new Visitor({
    TSAnyKeyword: ({ start }) => void found.push(`${path}:${lineAt(code, start)} any`),
    TSAsExpression: ({ end, typeAnnotation }) => {
      const line = lineAt(code, end);
      const constant = code.slice(typeAnnotation.start, typeAnnotation.end) === 'const';
      if (!constant && !commented(line)) found.push(`${path}:${line} ${lines[line - 1]?.trim() ?? ''}`);
    },
  }).visit(parsed.program);
  return found;
}
