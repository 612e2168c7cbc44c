import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountPages } from '../../../src/server/http/pages/mount-pages.ts';
import { testApp, type TestApp } from '../../builders/test-app.ts';
import { root } from '../../fixtures/source-tree.ts';

const site = join(root, 'dist/site');

/** on a desk, at its public address, and behind a proxy */
let plain: TestApp;
let secure: TestApp;
let proxied: TestApp;
beforeAll(async () => {
  plain = await testApp();
  secure = await testApp({
    db: plain.db,
    env: { SANDBOX: 'true', PUBLIC_ORIGIN: 'https://shop.lumen.example', METRICS_TOKEN: 'a-token-of-metrics' },
  });
  proxied = await testApp({ db: plain.db, env: { TRUST_PROXY: '127.0.0.1' } });
  for (const { app, deps } of [plain, secure, proxied]) await mountPages(app, deps, { dev: false });
});
afterAll(() => plain.close());

const script = readdirSync(join(site, 'assets')).find((file) => /^index-.*\.js$/.test(file)) ?? '';

/** one of each kind of thing that answers, and of each way to be refused */
const addresses = [
  '/',
  '/pricing-table',
  '/login',
  '/orders',
  '/404',
  '/nothing-here',
  '/index.html',
  `/assets/${script}`,
  '/assets/gone.js',
  '/icons/lumen/icon.svg',
  '/sw.js',
  '/robots.txt',
  '/manifest.webmanifest',
  '/api/site/theme/v1',
  '/api/nothing',
  '/healthz',
  '/readyz',
  '/metrics',
  '/captcha/frame',
  '/.well-known/security.txt',
  '/oauth/token',
  '/webhooks/nobody',
];

const open = (shop: TestApp, path: string, headers: Record<string, string> = {}, host = 'localhost') =>
  shop.app.request(`http://${host}${path}`, { headers: { host, ...headers } });

describe('every answer', () => {
  it.each(addresses)(
    'at %s is for this origin alone, is what it says it is, and gets nothing of the device',
    async (path) => {
      for (const shop of [plain, secure]) {
        const { headers } = await open(shop, path);
        expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
        expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|strict-origin)$/);
        expect(headers.get('permissions-policy')).toContain('camera=(), ');
        expect(headers.get('access-control-allow-origin')).toBeNull();
        expect(headers.get('set-cookie')).toBeNull();
      }
    },
  );

  it('to a host that is nobody’s is closed in the same way', async () => {
    const { status, headers } = await open(plain, '/pricing-table', {}, 'nobody.example');
    expect(status).toBe(421);
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toContain('camera=(), ');
  });
});

describe('a browser that came by https once', () => {
  const wait = async (...asked: Parameters<typeof open>) =>
    /^max-age=(\d+)$/.exec((await open(...asked)).headers.get('strict-transport-security') ?? '')?.[1];

  it('comes by nothing else for a year, where the shop is reached by https', async () => {
    for (const path of addresses) expect(Number(await wait(secure, path)), path).toBeGreaterThanOrEqual(31_536_000);
  });

  it('is told so by a proxy’s word, but only by that of a trusted one', async () => {
    const https = { 'X-Forwarded-Proto': 'https' };
    expect(await wait(proxied, '/', https)).toBeDefined();
    expect(await wait(proxied, '/', { 'X-Forwarded-Proto': 'http' })).toBeUndefined();
    expect(await wait(proxied, '/')).toBeUndefined();
    expect(await wait(plain, '/', https)).toBeUndefined();
  });

  it('is told nothing at home or on the desk, where there is no https', async () => {
    for (const path of addresses) expect(await wait(plain, path), path).toBeUndefined();
  });
});

describe('a page', () => {
  /** by the rules of Mozilla's HTTP Observatory 1.6 (mdn/mdn-http-observatory, grader/charts.js): 100, and what is extra */
  it.each(['/', '/pricing-table', '/login', '/orders'])(
    '%s deserves 130 points and more of the Observatory',
    async (path) => {
      const response = await open(secure, path, {}, 'shop.lumen.example');
      const { headers } = response;
      const html = await response.text();
      const policy = new Map(
        headers
          .get('content-security-policy')
          ?.split('; ')
          .map((line) => [line.split(' ')[0], line.split(' ').slice(1)]),
      );
      const sources = [...policy.values()].flat();
      const scripts = html.match(/<script(?=[^>]* src=)[^>]*>/g) ?? [];
      const points = [
        // no unsafe source anywhere, nothing by default, and a shop that is never framed
        !/unsafe-(inline|eval)/.test(sources.join(' ')) && policy.get('default-src')?.join() === "'none'" ? 10 : 0,
        policy.get('script-src')?.every((source) => /^'(self|sha256-.+)'$/.test(source)) ? 0 : -20,
        sources.some((source) => source.startsWith('http:')) ? -20 : 0,
        policy.get('frame-ancestors')?.join() === "'none'" ? 5 : -20,
        headers.get('referrer-policy') === 'strict-origin' ? 5 : -5,
        scripts.length > 0 && scripts.every((tag) => tag.includes(' integrity="sha256-')) ? 5 : 0,
        headers.get('cross-origin-resource-policy') === 'same-origin' ? 10 : 0,
        Number(headers.get('strict-transport-security')?.split('=')[1]) >= 15_768_000 ? 0 : -20,
        headers.get('x-content-type-options') === 'nosniff' ? 0 : -5,
        headers.get('set-cookie') === null && headers.get('access-control-allow-origin') === null ? 0 : -50,
      ];
      expect(points.reduce((sum, one) => sum + one, 100)).toBe(135);
    },
  );

  it('names the hash of every script of the build, and its policy that list and no other', async () => {
    const response = await open(plain, '/pricing-table');
    const html = await response.text();
    const map = /<script type="importmap">(.+?)<\/script>/s.exec(html)?.[1] ?? '';
    const { integrity } = JSON.parse(map) as { integrity: Record<string, string> };
    const hash = (text: string | Buffer) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
    const built = readdirSync(join(site, 'assets')).filter((file) => file.endsWith('.js'));
    expect(integrity).toEqual(
      Object.fromEntries(built.map((file) => [`/assets/${file}`, hash(readFileSync(join(site, 'assets', file)))])),
    );
    const inline = [...html.matchAll(/<script>(.+?)<\/script>/gs)].map(([, text = '']) => text);
    expect(inline).toHaveLength(2);
    expect(response.headers.get('content-security-policy')).toContain(
      `script-src 'self' ${[...inline, map].map((text) => `'${hash(text)}'`).join(' ')};`,
    );
    expect(response.headers.get('integrity-policy')).toBe('blocked-destinations=(script), endpoints=(policy)');
    // the map has to be read before any module is loaded; until then files are only fetched
    expect(html).not.toContain('modulepreload');
    expect(html.indexOf('importmap')).toBeLessThan(html.indexOf('<script type="module"'));
    const tags = [...html.matchAll(/<(?:link rel="preload"|script type="module")[^>]*>/g)];
    expect(tags.length).toBeGreaterThan(4);
    for (const [tag] of tags) {
      const [, path = '', given] = /(?:src|href)="([^"]+)" integrity="([^"]+)"/.exec(tag) ?? [];
      expect(given, tag).toBe(integrity[path]);
    }
  });

  it('is asked for behind what is read, so that words are painted before', async () => {
    const html = await (await open(plain, '/pricing-table')).text();
    const asked = html.search(/<link rel="\w*preload"/);
    expect(asked).toBeGreaterThan(html.indexOf('</main>'));
    expect(asked).toBeLessThan(html.search(/<script type="(importmap|module)"/));
  });

  it('is asked for as modules, by hash, where the list may come later, and nowhere else', async () => {
    const chrome = (version: string) =>
      `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Mobile Safari/537.36`;
    const asked = async (agent: string) => {
      const html = await (await open(plain, '/pricing-table', { 'user-agent': agent })).text();
      return [
        ...html.matchAll(
          /<link rel="(\w*preload)"(?: as="script")? crossorigin href="[^"]+" integrity="sha256-[^"]{44}">/g,
        ),
      ].map(([, how]) => how);
    };
    const [newest, older] = [await asked(chrome('156')), await asked(chrome('132'))];
    expect(newest.length).toBeGreaterThan(3);
    expect(new Set(newest)).toEqual(new Set(['modulepreload']));
    expect(older).toEqual(newest.map(() => 'preload'));
    expect(await asked('Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1')).toEqual(
      older,
    );
    expect(await asked(chrome('133'))).toEqual(newest);
  });

  it('brings current engines the hashes that it lives by, and lets in the map of all others and nothing else', async () => {
    const agent = { 'user-agent': 'Mozilla/5.0 (Linux; Android 10; K) Chrome/156.0.0.0 Mobile Safari/537.36' };
    const response = await open(plain, '/register', agent);
    const html = await response.text();
    const [, rest = '', map = ''] = /<script type="importmap" data-rest="([^"]+)">(.+?)<\/script>/s.exec(html) ?? [];
    const all = readFileSync(join(site, rest), 'utf8');
    expect(readFileSync(join(site, 'index.html'), 'utf8')).toContain(`<script type="importmap">${all}</script>`);
    const hashesIn = (text: string) => (JSON.parse(text) as { integrity: Record<string, string> }).integrity;
    const [own, known] = [hashesIn(map), hashesIn(all)];
    expect(known).toMatchObject(own);
    expect(Object.keys(own).length).toBeLessThan(Object.keys(known).length / 2);
    const asked = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path);
    expect(Object.keys(own)).toEqual(expect.arrayContaining(asked));
    // what any page may have to fetch before it lives, as what reads an address, or a customer's saved copies
    const login = await (await open(plain, '/login', agent)).text();
    const loginMap = /<script type="importmap" data-rest="[^"]+">(.+?)<\/script>/s.exec(login)?.[1] ?? '';
    expect(login.replace(loginMap, '')).not.toMatch(/\/assets\/(?:address|own)-/);
    for (const name of ['address', 'own']) expect(loginMap).toContain(`/assets/${name}-`);
    // and words of its language
    expect(map.match(/\/assets\/pt-/g)).toHaveLength(4);
    expect(map).not.toMatch(/\/assets\/(?:ru|es|account|lost-password)-/);
    const policy = response.headers.get('content-security-policy') ?? '';
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    expect(/script-src ([^;]+)/.exec(policy)?.[1]?.split(' ').slice(-2)).toEqual([hash(map), hash(all)]);
    // a page that the browser draws may be any
    expect(await (await open(plain, '/orders', agent)).text()).toContain(`<script type="importmap">${all}</script>`);
  });

  it('of a plain web server knows the same hashes', () => {
    const html = readFileSync(join(site, 'index.html'), 'utf8');
    expect(html.indexOf('importmap')).toBeLessThan(html.search(/<script type="module"|rel="modulepreload"/));
    const tags = [...html.matchAll(/<(?:link rel="modulepreload"|script type="module")[^>]*>/g)].map(([tag]) => tag);
    expect(tags.length).toBeGreaterThan(2);
    expect(tags.filter((tag) => !/ integrity="sha256-[^"]{44}"/.test(tag))).toEqual([]);
  });

  it('tells its violations to us alone', async () => {
    const { headers } = await open(plain, '/');
    expect(headers.get('reporting-endpoints')).toBe('policy="/policy-reports"');
    expect(headers.get('content-security-policy')).toMatch(/; report-uri \/policy-reports; report-to policy$/);
  });
});
