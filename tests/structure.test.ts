import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { languages } from '#contract/fields.ts';
import { demoBrands } from '#sandbox/demo-brands.ts';
import {
  files,
  into,
  mentions,
  sourcesOfModule,
  sources,
  forbiddenImports,
  under,
} from '#tests/fixtures/architecture.ts';
import { ways } from '#tests/fixtures/payment-flows/payment-flows.ts';
import { sourcesUnder, type Import, type Source } from '#tests/fixtures/source-tree.ts';
import { ways as verifiedWays } from '#tests/tools/verify/payment-methods.ts';

const isLoading = (one: Import) => one.own && one.target === 'src/sandbox/sandbox.ts';

/**
 * Architecture rules of the whole project; those of each part are in the files beside this one. Each test names a rule
 * and lists its violations.
 */
describe('The project', () => {
  it('lets the contract import valibot and itself only', () => {
    expect(
      forbiddenImports(sourcesOfModule('contract'), (one) => into(one, 'src/contract/') || one.target === 'valibot'),
    ).toEqual([]);
  });

  it('lets the storefront import itself, the contract and the catalogues, and nothing of Node', () => {
    const allowed = (one: Import) =>
      one.own ? into(one, 'src/web/', 'src/contract/', 'locales/') : one.target !== 'node:';
    expect(forbiddenImports(sourcesOfModule('web'), allowed)).toEqual([]);
  });

  it('lets the server import itself and the contract, without macros and without React', () => {
    // The core and the compiler of lingui run as they are. Its macros and React parts need a bundler, which the server
    // lacks.
    const browser = /^(react|react-dom|@lingui\/(?!core$|message-utils$).*|@tanstack\/.*|ky|workbox-.*)$/;
    const allowed = (one: Import, { test }: Source) =>
      one.own
        ? into(one, 'src/server/', 'src/contract/') || (test && into(one, 'src/sandbox/')) || isLoading(one)
        : !browser.test(one.target) && !one.specifier.endsWith('/macro');
    expect(forbiddenImports(sourcesOfModule('server'), allowed)).toEqual([]);
    expect(sourcesOfModule('server').filter(({ path }) => path.endsWith('.tsx'))).toEqual([]);
  });

  it('lets the sandbox import itself, the server and the contract', () => {
    const allowed = (one: Import) =>
      one.own ? into(one, 'src/sandbox/', 'src/server/', 'src/contract/') : !/^(react|@lingui\/.*)/.test(one.target);
    expect(forbiddenImports(sourcesOfModule('sandbox'), allowed)).toEqual([]);
  });

  it('loads the sandbox by one dynamic import, which production never reaches', () => {
    const loading = under('src/server/').filter(({ imports }) => imports.some(isLoading));
    expect(loading.map(({ path }) => path)).toEqual(['src/server/runtime/wiring/open-deps.ts']);
    const atStart = loading.flatMap(({ parsed }) => parsed.module.staticImports.map((one) => one.moduleRequest.value));
    expect(atStart.filter((specifier) => /^#sandbox\b|\/sandbox\//.test(specifier))).toEqual([]);
  });

  it('lets the service worker import itself, the contract and its parser, and workbox', () => {
    const allowed = (one: Import) => into(one, 'src/sw/', 'src/contract/') || /^(workbox-.*|valibot)$/.test(one.target);
    expect(forbiddenImports(sourcesOfModule('sw'), allowed)).toEqual([]);
  });

  it('has an example of another backend that imports only itself and Node, so that it can be copied', () => {
    const folder = 'tests/fixtures/foreign-api/';
    const example = sourcesUnder(folder.slice(0, -1));
    expect(example.length).toBeGreaterThan(5);
    expect(forbiddenImports(example, (one) => into(one, folder) || one.target === 'node:')).toEqual([]);
  });

  it('has only known files and folders at its root', () => {
    const known = new Set(
      `package.json package-lock.json vite.config.ts tsconfig.json lingui.config.ts index.html README.md .gitignore
       .npmrc .oxlintrc.json .oxfmtrc.json .ci .deploy .github .scripts public locales src tests`.split(/\s+/),
    );
    expect([...new Set(files.map((file) => file.split('/')[0] ?? ''))].filter((name) => !known.has(name))).toEqual([]);
    expect([...new Set(sources.map((source) => source.room))].sort()).toEqual([
      'contract',
      'sandbox',
      'server',
      'sw',
      'web',
    ]);
  });
});

describe('Contract', () => {
  it('has one schema for text, which every string uses, so that none contains NUL or half a character', () => {
    const others = under('src/contract/').filter(({ path }) => path !== 'src/contract/fields.ts');
    expect(mentions(others, /\bv\.string\(/)).toEqual([]);
    expect(mentions(under('src/contract/fields.ts'), /\bv\.string\(/)).toHaveLength(1);
  });
});

describe('The languages', () => {
  /** A line for each language: its names and how it writes numbers. The sandbox's captcha is a script of a provider. */
  const lists = ['src/contract/fields.ts', 'src/contract/numbers.ts', 'src/sandbox/captcha/mount-sandbox-captcha.ts'];
  const names = (code: string) =>
    languages.filter((one) => new RegExp(`['"\`|]${one}['"\`|]|\\b${one}: |\\b${one}(?:, | \\|)`).test(code));

  it('are listed by the contract only, so that another one is a line in two files and its catalogues', () => {
    const listing = sources.filter(({ path, code }) => !path.includes('.test.') && names(code).length > 2);
    expect(listing.map(({ path }) => path).sort()).toEqual(lists);
  });
});

describe('The image', () => {
  it('contains everything that the configuration of its build imports', () => {
    const copied = readFileSync('.deploy/Dockerfile.dockerignore', 'utf8').split('\n');
    const imported = [...readFileSync('vite.config.ts', 'utf8').matchAll(/from '\.\/([^/']+)/g)].map(
      ([, name]) => name,
    );
    expect(imported).toContain('.scripts');
    expect(imported.filter((name) => !copied.includes(`!${name}`))).toEqual([]);
  });

  it('has a Node that starts with an empty environment, as the processes that draw icons do', () => {
    expect(readFileSync('.deploy/Dockerfile', 'utf8')).not.toContain('LD_LIBRARY_PATH');
  });
});

describe('The payment methods of the demo brands', () => {
  const methods = demoBrands().flatMap((brand) =>
    brand.methods.map(({ code, gateway }) => ({ brand: brand.brand.code, code, gateway })),
  );
  const gatewayOf = (brand: string, method: string) =>
    methods.find((one) => one.brand === brand && one.code === method)?.gateway;

  it('are each paid in the browser tests and in verify:money, by one brand for the same gateway', () => {
    const inBrowser = ways.map(({ brand, method }) => `${method} ${gatewayOf(brand, method)}`);
    const verified = verifiedWays.map(({ brand, wish }) => `${wish.methodCode} ${gatewayOf(brand, wish.methodCode)}`);
    const all = [...new Set(methods.map(({ code, gateway }) => `${code} ${gateway}`))];
    expect(all.filter((one) => !inBrowser.includes(one))).toEqual([]);
    expect(all.filter((one) => !verified.includes(one))).toEqual([]);
  });

  const shown = new Set(demoBrands().flatMap(({ brand }) => brand.config.langs));

  it.each([...shown])('are explained in the help in %s', (language) => {
    const help = readFileSync(`src/sandbox/brands/documents/help.${language}.md`, 'utf8');
    const explained = [...help.matchAll(/<!-- for: ([^>]*?) -->/g)].flatMap(([, codes = '']) => codes.split(', '));
    expect(new Set(explained)).toEqual(new Set(methods.map(({ code }) => code)));
  });

  it('have the codes that logos are named after, or an example in payment-providers.md has', () => {
    const page = readFileSync('src/server/docs/payment-providers.md', 'utf8');
    const codes = [...methods.map(({ code }) => code), ...[...page.matchAll(/- code: (\S+)/g)].map(([, code]) => code)];
    const logos = files.flatMap((path) => /^src\/web\/ui\/marks\/methods\/(.+)\.svg$/.exec(path)?.[1] ?? []);
    expect(logos.length).toBeGreaterThan(10);
    expect(logos.filter((name) => !codes.includes(name))).toEqual([]);
  });
});
