import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountPages } from '#server/http/pages/mount-pages.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { root } from '#tests/fixtures/source-tree.ts';

const site = join(root, 'dist/site');

/** local, at its public address, and behind a proxy */
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

/** one address of each kind of resource and of each kind of refusal */
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
  '/healthz/caller',
  '/healthz/started',
  '/metrics',
  '/captcha/frame',
  '/.well-known/security.txt',
  '/oauth/token',
  '/webhooks/nobody',
];

const open = (shop: TestApp, path: string, headers: Record<string, string> = {}, host = 'localhost') =>
  shop.app.request(`http://${host}${path}`, { headers: { host, ...headers } });

describe('every response', () => {
  it.each(addresses)('at %s is restricted to its origin and type, and has no device permissions', async (path) => {
    for (const shop of [plain, secure]) {
      const { headers } = await open(shop, path);
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|strict-origin)$/);
      expect(headers.get('permissions-policy')).toContain('camera=(), ');
      expect(headers.get('content-security-policy')).toMatch(/frame-ancestors '(none|self)'/);
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('set-cookie')).toBeNull();
    }
  });

  it('to an unknown host has the same headers', async () => {
    const { status, headers } = await open(plain, '/pricing-table', {}, 'nobody.example');
    expect(status).toBe(421);
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toContain('camera=(), ');
  });
});

describe('a browser that has used https', () => {
  const wait = async (...preload: Parameters<typeof open>) =>
    /^max-age=(\d+)$/.exec((await open(...preload)).headers.get('strict-transport-security') ?? '')?.[1];

  it('uses only https for a year if the storefront is reached by https', async () => {
    for (const path of addresses) expect(Number(await wait(secure, path)), path).toBeGreaterThanOrEqual(31_536_000);
  });

  it('uses only https for all subdomains if the operator configures it', async () => {
    const { env } = secure.deps;
    const shop = await testApp({
      db: plain.db,
      env: { PUBLIC_ORIGIN: env.PUBLIC_ORIGIN ?? '', HSTS_SUBDOMAINS: 'true', SANDBOX: 'true' },
    });
    const { headers } = await open(shop, '/healthz');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
  });

  it('is restricted to https through a trusted proxy only', async () => {
    const https = { 'X-Forwarded-Proto': 'https' };
    expect(await wait(proxied, '/', https)).toBeDefined();
    expect(await wait(proxied, '/', { 'X-Forwarded-Proto': 'http' })).toBeUndefined();
    expect(await wait(proxied, '/')).toBeUndefined();
    expect(await wait(plain, '/', https)).toBeUndefined();
  });

  it('is not restricted without https', async () => {
    for (const path of addresses) expect(await wait(plain, path), path).toBeUndefined();
  });
});

describe('an HTML page', () => {
  /** 100 and the bonus points, by the rules of the HTTP Observatory 1.6 of Mozilla (grader/charts.js) */
  it.each(['/', '/pricing-table', '/login', '/orders'])(
    '%s scores at least 130 points in the Observatory',
    async (path) => {
      const response = await open(secure, path, {}, 'shop.lumen.example');
      const { headers } = response;
      const policy = new Map(
        headers
          .get('content-security-policy')
          ?.split('; ')
          .map((line) => [line.split(' ')[0], line.split(' ').slice(1)]),
      );
      const sources = [...policy.values()].flat();
      const points = [
        // no unsafe source, nothing by default, and no framing
        !/unsafe-(inline|eval)/.test(sources.join(' ')) && policy.get('default-src')?.join() === "'none'" ? 10 : 0,
        policy.get('script-src')?.every((source) => /^'(self|sha256-.+)'$/.test(source)) ? 0 : -20,
        sources.some((source) => source.startsWith('http:')) ? -20 : 0,
        policy.get('frame-ancestors')?.join() === "'none'" ? 5 : -20,
        headers.get('referrer-policy') === 'strict-origin' ? 5 : -5,
        headers.get('cross-origin-resource-policy') === 'same-origin' ? 10 : 0,
        Number(headers.get('strict-transport-security')?.split('=')[1]) >= 15_768_000 ? 0 : -20,
        headers.get('x-content-type-options') === 'nosniff' ? 0 : -5,
        headers.get('set-cookie') === null && headers.get('access-control-allow-origin') === null ? 0 : -50,
      ];
      expect(points.reduce((sum, one) => sum + one, 100)).toBe(130);
    },
  );

  it('allows its inline scripts by their hashes, and sends no policy that only one engine enforces', async () => {
    const response = await open(plain, '/pricing-table');
    const html = await response.text();
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const inline = [...html.matchAll(/<script>(.+?)<\/script>/gs)].map(([, text = '']) => text);
    expect(inline).toHaveLength(2);
    expect(response.headers.get('content-security-policy')).toContain(
      `script-src 'self' ${inline.map(hash).join(' ')};`,
    );
    expect(response.headers.get('integrity-policy')).toBeNull();
    expect(html).not.toMatch(/importmap|integrity=/);
  });

  it('is the same for every engine of the same screen, whatever its user agent', async () => {
    const pageFor = async (agent: string) =>
      (await open(plain, '/pricing-table', { 'user-agent': `${agent} Mobile Safari/537.36` })).text();
    const [today, ...others] = await Promise.all(
      [
        'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0',
        'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/87.0.0.0',
        'Mozilla/5.0 (Android 14; Mobile; rv:153.0) Gecko/153.0 Firefox/153.0 Chrome/140.0.0.0',
        'Mozilla/5.0 (iPhone; CPU iPhone OS 15_4 like Mac OS X) AppleWebKit/605.1.15 Version/15.4',
      ].map(pageFor),
    );
    for (const other of others) expect(other).toBe(today);
  });

  it('preloads its scripts after the content, so that text is painted first', async () => {
    const html = await (await open(plain, '/pricing-table')).text();
    const preload = html.indexOf('<link rel="modulepreload"');
    expect(preload).toBeGreaterThan(html.indexOf('</main>'));
    expect(preload).toBeLessThan(html.indexOf('<script type="module"'));
  });

  it('of a static web server preloads what its script imports', () => {
    const html = readFileSync(join(site, 'index.html'), 'utf8');
    const preloaded = [...html.matchAll(/<link rel="modulepreload" crossorigin href="([^"]+)">/g)].map(
      ([, path]) => path,
    );
    expect(preloaded.length).toBeGreaterThan(2);
    for (const path of preloaded) expect(existsSync(join(site, path ?? ''))).toBe(true);
  });

  it('reports policy violations to its own server only', async () => {
    const { headers } = await open(plain, '/');
    expect(headers.get('reporting-endpoints')).toBe('policy="/policy-reports"');
    expect(headers.get('content-security-policy')).toMatch(/; report-uri \/policy-reports; report-to policy$/);
  });
});
