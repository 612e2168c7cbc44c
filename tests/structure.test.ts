import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Visitor } from 'vite';
import * as endpoints from '../src/contract/index.ts';
import { paths, type PathRow } from '../src/contract/paths.ts';
import { isErrorCode } from '../src/contract/error-codes.ts';
import { addressKeys } from './fixtures/raw-addresses.ts';
import { lineAt, projectFiles, sourcesUnder, type Import, type Source } from './fixtures/source-tree.ts';
import { heard } from '../.scripts/lean-react.ts';

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

/** The folder of a file of the storefront, as far as its layers name parts; the files at its root have none. */
function webFolder(path: string): string | undefined {
  const [layer, part] = path.split('/').slice(2, -1);
  return part !== undefined && /^(platform|domain|features)$/.test(layer ?? '') ? `${layer}/${part}` : layer;
}

/** Each set of folders that need each other. */
function folderCycles(who: readonly Source[], folderOf: (path: string) => string | undefined): string[] {
  const needs = new Map<string, Set<string>>();
  for (const { path, imports } of who) {
    const from = folderOf(path);
    for (const { own, target } of imports) {
      const to = own && who.some((source) => source.path === target) ? folderOf(target) : undefined;
      if (from !== undefined && to !== undefined && to !== from)
        needs.set(from, (needs.get(from) ?? new Set()).add(to));
    }
  }
  const reached = (from: string, found = new Set<string>()): Set<string> => {
    for (const next of needs.get(from) ?? []) if (!found.has(next)) reached(next, found.add(next));
    return found;
  };
  const all = [...needs.keys()].map((folder) => ({ folder, to: reached(folder) }));
  const cycle = (one: (typeof all)[number]) =>
    all.filter(({ folder, to }) => one.to.has(folder) && to.has(one.folder)).map(({ folder }) => folder);
  return [...new Set(all.map((one) => cycle(one).join(' ')))].filter((names) => names !== '');
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
    // lingui's core and compiler run as they are; its macros and its React parts need a bundler, which the server has not
    const browser = /^(react|react-dom|@lingui\/(?!core$|message-utils$).*|@tanstack\/.*|ky|workbox-.*)$/;
    const allowed = (one: Import) =>
      one.own
        ? into(one, 'src/server/', 'src/contract/')
        : !browser.test(one.target) && !one.specifier.endsWith('/macro');
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
       .npmrc .oxlintrc.json .oxfmtrc.json .ci .deploy .scripts public locales src tests`.split(/\s+/),
    );
    expect([...new Set(files.map((file) => file.split('/')[0] ?? ''))].filter((name) => !known.has(name))).toEqual([]);
    expect([...new Set(sources.map((source) => source.room))].sort()).toEqual(['contract', 'server', 'sw', 'web']);
  });
});

describe('Storefront', () => {
  it('is built in layers, each of which imports only from itself and from those below', () => {
    const layers = ['ui', 'platform', 'domain', 'shells', 'features', 'routes', 'app'];
    const height = (path: string) => layers.indexOf(path.split('/')[2] ?? '');
    const rooms = under('src/web/').filter(({ path }) => path.split('/').length > 3);
    expect(rooms.filter(({ path }) => height(path) < 0).map(({ path }) => path)).toEqual([]);
    const below = (one: Import, { path }: Source) => !into(one, 'src/web/') || height(one.target) <= height(path);
    expect(strangers(rooms, below)).toEqual([]);
  });

  it('has no two folders that need each other, however many lie between', () => {
    expect(folderCycles(under('src/web/'), webFolder)).toEqual([]);
  });

  it('keeps ui free of the router and the api', () => {
    const outside = /^(@tanstack\/|ky$)/;
    expect(strangers(under('src/web/ui/'), (one) => one.own || !outside.test(one.target))).toEqual([]);
  });

  it('never lets a feature import another feature or a route', () => {
    const feature = (path: string) => path.split('/')[3];
    const allowed = (one: Import, source: Source) =>
      !one.own || !into(one, 'src/web/features/', 'src/web/routes/') || feature(one.target) === feature(source.path);
    expect(strangers(under('src/web/features/'), allowed)).toEqual([]);
  });

  it('keeps routes thin: 40 lines at most', () => {
    const thick = under('src/web/routes/').filter(({ lines }) => lines > 40);
    expect(thick.map(({ path, lines }) => `${path} ${lines}`)).toEqual([]);
  });

  it('has one row of the table of addresses for each screen, and one route file in the folder of its layout', () => {
    const address = /createFileRoute\('\/_(\w+)(\/[^']*)'\)/;
    const drawn = under('src/web/routes/').flatMap(({ code }) => {
      const [, layout = '', path = ''] = address.exec(code) ?? [];
      // the rest of a payment's result is read from the path and drawn without it
      return path && path !== '/paymentResult/$' ? [`${layout} ${path.replace(/(?<=.)\/$/, '')}`] : [];
    });
    const rows: [string, PathRow][] = Object.entries(paths);
    const screens = rows.flatMap(([path, row]) => (row.kind === 'link' ? [] : [`${row.layout} ${path}`]));
    expect(drawn.map((one) => one.replace('$id', '{id}')).sort()).toEqual(screens.sort());
    const above = rows.map(([, row]) => (row.kind === 'link' ? row.to : (row.above ?? '/')));
    expect(above.filter((path) => !Object.hasOwn(paths, path))).toEqual([]);
  });

  it('uses nothing of React that is left out of it ([Note: Lean React])', () => {
    const names =
      /\b(ViewTransition|Activity|SuspenseList|useActionState|useFormStatus|requestFormReset|addTransitionType|findDOMNode|Children|useTransition|useOptimistic|useImperativeHandle|startTransition)\b/;
    const parts = /<Fragment[^>]*\bref=|<form[^>]*\baction=|<(title|meta|link|style|script|html|body)[\s>]/;
    const events = new RegExp(
      `\\b(?!(?:${Object.keys(heard).join('|')})\\b)on(?:Animation|AuxClick|BeforeInput|Composition|ContextMenu|Copy|Cut|Double|Drag|Drop|Got|Key|Lost|Mouse|Paste|Pointer|Reset|Scroll|Select|Touch|Transition|Wheel|\\w+Capture)\\w*(?=[=:,])`,
    );
    const shown = under('src/web/').filter(({ path }) => path.endsWith('.tsx'));
    const found = mentions(shown, new RegExp([names, parts, events].map(({ source }) => source).join('|')));
    expect(found.filter((one) => !one.includes('web/ui/art/'))).toEqual([]);
  });

  it('never names a brand', () => {
    expect(mentions(under('src/web/'), /\b(lumen|mego)\b/i)).toEqual([]);
  });

  it('calls the API through one door, and makes query keys in one place', () => {
    const calls = under('src/web/').filter(({ path }) => !/^src\/web\/platform\/(api|network|pwa)\//.test(path));
    expect(mentions(calls, /(?<![\w.])fetch\(|\bXMLHttpRequest\b|from 'ky'/)).toEqual([]);
    expect(mentions(calls, /queryKey: \[/)).toEqual([]);
  });

  it('touches the storage of the browser in one place', () => {
    // pwa/ marks a reload even when the rest of the storefront could not be loaded.
    const others = under('src/web/').filter(({ path }) => !/^src\/web\/platform\/(storage|pwa)\//.test(path));
    expect(mentions(others, /\b(localStorage|sessionStorage|indexedDB)\b(?=[.[])|from 'idb-keyval'/)).toEqual([]);
  });

  it('reads the name and version of an engine only to name the device, the menu of a browser and the app around it, never to decide what it can do', () => {
    const token =
      /\b(?:Chrome|Chromium|CriOS|Firefox|FxiOS|Gecko|AppleWebKit|Safari|Version|Edg\w*|OPR)\\?\/[\d([\\]|userAgentData/;
    const shown = new Set([
      'src/server/auth/user-agent.ts',
      'src/web/platform/engine/in-app-browser.ts',
      'src/web/platform/pwa/way-to-install.ts',
    ]);
    expect(
      mentions(
        shipped.filter(({ path }) => !shown.has(path)),
        token,
        'code',
      ),
    ).toEqual([]);
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

/** Code that reads the body of a request, or lets the framework read it. */
const bodyReads =
  /\b(?:req|request|raw)(?:\.clone\(\))?\.(?:json|text|arrayBuffer|blob|bytes|formData|parseBody|body)\b(?!:)|[{,]\s*body\b[^{}]*\}\s*=\s*(?:[\w.]+\.)?(?:req|request|raw)(?:\.clone\(\))?(?![\w.(])|\bbodyLimit\b|\bparseBody\(|\breq\.valid\(/;

describe('Server', () => {
  const server = under('src/server/');

  it('holds at its root what starts it, and no more than six files', () => {
    expect(server.filter(({ path }) => /^src\/server\/[^/]+\.ts$/.test(path)).map(({ path }) => path)).toHaveLength(6);
  });

  it('has no two folders that take from each other, however many lie between', () => {
    // `deps` and `env` at the root are the types of all; what stands beside them starts the shop
    const folder = (path: string) => /^src\/server\/([^/]+)\//.exec(path)?.[1];
    expect(folderCycles(server, folder)).toEqual([]);
  });

  it('keeps the database below the gateways, the gateways below the nouns, and what runs them above', () => {
    const layers = [
      ['process', 'i18n', 'db', 'brand'],
      ['request', 'limits', 'payments', 'messages'],
      [
        'site',
        'captcha',
        'auth',
        'account',
        'passkeys',
        'my-data',
        'push',
        'cards',
        'billing',
        'email',
        'handover',
        'settings',
        'sign-on',
        'subscriptions',
        'renewal',
      ],
      ['sandbox'],
      ['composition', 'jobs', 'operator', 'http'],
    ];
    const height = (path: string) => layers.findIndex((names) => names.includes(path.split('/')[2] ?? ''));
    const rooms = server.filter(({ path }) => path.split('/').length > 3);
    expect(rooms.filter(({ path }) => height(path) < 0).map(({ path }) => path)).toEqual([]);
    const below = (one: Import, { path }: Source) => !into(one, 'src/server/') || height(one.target) <= height(path);
    expect(strangers(rooms, below)).toEqual([]);
  });

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

  it('reads the body of a request in one place, where its size, time and memory are limited', () => {
    // the sandbox plays providers for a developer, and production never mounts it
    const readers = server.filter(({ path }) => !/^src\/server\/(request|sandbox)\//.test(path));
    expect(mentions(readers, bodyReads)).toEqual([]);
    const unlimited = under('src/server/request/').filter(({ path }) => !path.endsWith('/body-chunks.ts'));
    expect(mentions(unlimited, bodyReads)).toEqual([]);
  });

  it.each([
    'await c.req.parseBody()',
    'bodyLimit({ maxSize: 1024 })',
    'await c.req.text()',
    'await c.req.raw.arrayBuffer()',
    'const stream = c.req.raw.body;',
    'await request.formData()',
    'for await (const chunk of request.body) take(chunk);',
    'const { body } = c.req.raw;',
    'const { method, body: stream } = request;',
    'await c.req.raw.clone().text()',
    'const { body: copy } = c.req.raw.clone();',
  ])('would find a body that is read elsewhere: %s', (line) => {
    expect(bodyReads.test(line)).toBe(true);
  });

  it('counts and remembers a caller by its network, never by its address ([Note: Networks])', () => {
    // these make networks of addresses
    const users = server.filter(({ path }) => !/^src\/server\/request\/(network|caller|local-caller)\.ts$/.test(path));
    const found = users.flatMap(({ path, code }) =>
      addressKeys(path, code).map((start) => `${path}:${lineAt(code, start)} ${code.slice(start, start + 60)}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    'takeTry(db, `login ${ip}`, limit, now)',
    'takeTry(db, context.ip, limit, now)',
    "const key = 'login ' + caller.ip;",
    'counts.get(ip)',
    'counts.set(socket.remoteAddress ?? "", 1)',
    'oneAtATime(clientIp, act)',
    'const known = seen[request.ip];',
    "const key = ['login', ip].join(' ');",
    'hash(JSON.stringify([brand, ip]))',
    'const limit = { key: ip, most: 3 };',
    'const from = callerOf(c, env).ip;',
    'const { ip: from } = context;',
  ])('would find an address that is used as a key: %s', (line) => {
    expect(addressKeys('planted.ts', line)).toHaveLength(1);
    expect(addressKeys('planted.ts', 'takeTry(db, `login ${networksOf(ip).near}`, limit, now)')).toEqual([]);
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

  it('has a test that sends each', () => {
    // an argument of a client, the address of a request, or the row of a table that a test goes through
    const sends = (name: string, { bare }: Source) =>
      new RegExp(
        `\\b(request|call|callShop)\\(\\s*([^(),]*,\\s*)?(endpoints\\.)?${name}\\s*,|\\brequest\\(\`[^\`]*\\{${name}\\.path\\}|\\bconfirm: endpoints\\.${name}\\b`,
      ).test(bare);
    expect(missing([...tests, ...sourcesUnder('tests/builders')], sends)).toEqual([]);
  });

  it('has one name for each noun: in the contract, as a folder or a file of the server, and in the tests', () => {
    const nouns = under('src/contract/')
      .filter(({ code }) => /= endpoint\(/.test(code))
      .map(({ path }) => path.slice('src/contract/'.length, -'.ts'.length));
    const isOnServer = (noun: string) =>
      files.some(
        (file) => file.startsWith(`src/server/${noun}/`) || new RegExp(`^src/server/[^/]+/${noun}\\.ts$`).test(file),
      );
    const isTested = (noun: string) => files.some((file) => new RegExp(`^tests/api/${noun}[./-]`).test(file));
    expect(nouns.length).toBeGreaterThan(0);
    expect(nouns.filter((noun) => !isOnServer(noun) || !isTested(noun))).toEqual([]);
  });

  it('declares only codes of the catalogue', () => {
    const unknown = all
      .flatMap(({ name, errors }) => errors.map((code: number) => ({ name, code })))
      .filter(({ code }) => !isErrorCode(code));
    expect(unknown).toEqual([]);
  });
});

describe('the image', () => {
  it('is given everything that the configuration of its build imports', () => {
    const copied = readFileSync('.deploy/Dockerfile.dockerignore', 'utf8').split('\n');
    const imported = [...readFileSync('vite.config.ts', 'utf8').matchAll(/from '\.\/([^/']+)/g)].map(
      ([, name]) => name,
    );
    expect(imported).toContain('.scripts');
    expect(imported.filter((name) => !copied.includes(`!${name}`))).toEqual([]);
  });
});

describe('Files', () => {
  /** Tables of data, which are long because the world is. */
  const tables = new Map([
    ['src/web/platform/i18n/error-messages.ts', 'the words of every code'],
    ['src/contract/error-codes.ts', 'every code of the catalogue'],
  ]);
  const counted = shipped.filter(({ path }) => !tables.has(path)).map(({ path, lines }) => ({ path, lines }));
  const sorted = counted.map(({ lines }) => lines).sort((a, b) => a - b);
  const share = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;

  it('are small: 250 lines at most, 160 in nine of ten, 60 in the median', () => {
    expect(counted.filter(({ lines }) => lines > 250)).toEqual([]);
    expect(share(0.9)).toBeLessThanOrEqual(160);
    expect(share(0.5)).toBeLessThanOrEqual(60);
  });

  it('are named in kebab-case, and no folder is a drawer for anything', () => {
    const routes = /^src\/(web\/(routes\/|routeTree\.gen\.ts$)|server\/(db|sandbox)\/migrations\/)/;
    const named = files.filter((file) => /^(src|tests|\.scripts)\//.test(file) && !routes.test(file));
    const odd = named.filter(
      (file) => !/^README\.md$|^[a-z0-9.]+([-_.][a-z0-9]+)*$/.test(file.split('/').at(-1) ?? ''),
    );
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

  it('cite only rules that src/README.md tells, and no paper that is elsewhere', () => {
    const told = new Set(
      readFileSync('src/README.md', 'utf8')
        .match(/^### .+$/gm)
        ?.map((line) => line.slice(4)),
    );
    const cited = sources.flatMap(({ code }) => [...code.matchAll(/\[Rule: ([^\]]+)\]/g)].map(([, rule]) => rule));
    expect(cited.length).toBeGreaterThan(0);
    expect([...new Set(cited)].filter((rule) => !told.has(rule ?? ''))).toEqual([]);
    expect(mentions(sources, /\b([Ss]pec(ification)? (section )?\d|(decisions|vectors),? ["“(])/, 'code')).toEqual([]);
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

  it('exist for every file and title in the table "What people do" of tests/README.md', () => {
    const text = readFileSync('tests/README.md', 'utf8');
    const table = text.slice(text.indexOf('## What people do'), text.indexOf('## Journeys'));
    const rows = table.split('\n').filter((line) => line.startsWith('| '));
    expect(rows.length).toBeGreaterThan(40);
    const missing = rows.flatMap((row) => {
      let code = '';
      return [...row.matchAll(/`([^`]+\.(?:test|spec)\.tsx?)`|"([^"]+)"/g)].flatMap(([, file, title]) => {
        if (file === undefined) return code.includes(title ?? '') ? [] : [`${row}: ${title}`];
        code = tests.find(({ path }) => path === `tests/${file}` || path === `src/${file}`)?.code ?? '';
        return code === '' ? [`${row}: ${file}`] : [];
      });
    });
    expect(missing).toEqual([]);
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
