import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languages } from '#contract/fields.ts';
import { openBuilds } from '#server/http/pages/builds.ts';
import { mountBuilds } from '#server/http/pages/mount-pages.ts';
import { policyFor } from '#sw/policy.ts';
import { deploy } from '#tests/builders/a-build.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

/** the default, and one with the service worker switched off */
let shop: TestApp;
let off: TestApp;
const folder = mkdtempSync(join(tmpdir(), 'marquee-builds-'));

async function serve(app: TestApp): Promise<TestApp> {
  const worker = app.deps.env.WORKER === 'on';
  const builds = await openBuilds({ folder, worker }, app.deps);
  mountBuilds(app.app, app.deps, builds);
  return app;
}

beforeAll(async () => {
  deploy(folder, 'small');
  shop = await serve(await testApp());
  off = await serve(await testApp({ db: shop.db, env: { WORKER: 'off' } }));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await shop.close();
});

const open = (server: TestApp, path: string, host = 'localhost', userAgent = '') =>
  Promise.resolve(server.app.request(`http://${host}${path}`, { headers: { host, 'user-agent': userAgent } }));

const gecko = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101';
const appleWebKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

/** User agents of desktop engines, and a Firefox that pretends to be Chrome. */
const agents = [
  '',
  `${gecko} Firefox/153.0`,
  `${gecko} Chrome/140.0.0.0`,
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${appleWebKit} Version/26.0 Safari/605.1.15`,
  ...['87', '132', '140'].map((version) => `Mozilla/5.0 (Windows NT 10.0) ${appleWebKit} Chrome/${version}.0.0.0`),
];

describe('the app shell', () => {
  it('is the same for every brand, contains none of them, and allows the inline style of the build', async () => {
    const answers = await Promise.all(['localhost', 'mego.localhost'].map((host) => open(shop, '/index.html', host)));
    const [lumen = '', mego] = await Promise.all(answers.map((answer) => answer.text()));
    expect(lumen).toBe(mego);
    expect(lumen).not.toMatch(/lumen|mego|page-state/i);
    const policy = answers[0]?.headers.get('content-security-policy') ?? '';
    const hash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    expect(policy).toContain(`style-src 'self' ${hash(/<style>(.*?)<\/style>/.exec(lumen)?.[1])};`);
    expect(policy).toContain("script-src 'self';");
    expect(answers[0]?.headers.get('cache-control')).toBe('no-cache');
  });

  it.each(languages)('of a personal page explains in %s what to do if its script does not load', async (language) => {
    const response = await open(shop, `/orders?language=${language}`, 'mego.localhost');
    const html = await response.text();
    expect(html).toContain(`<html lang="${language}"`);
    const loadingFailed = /<div class="late">(.*?)<\/div>/s.exec(html)?.[1] ?? '';
    expect(loadingFailed).toMatch(/<p>[^<]{20,}JavaScript[^<]*<\/p>/);
    expect(loadingFailed).toMatch(/<a href="">[^<]{5,}<\/a> · <a href="\/pricing-table">[^<]{5,}<\/a>/);
    expect(html).toContain('<noscript><link rel="stylesheet" href="/noscript.css"></noscript>');
  });

  it.each(['/orders', '/pricing-table', '/login', '/index.html'])(
    'and the pages at %s are the same for every engine, whatever its user agent',
    async (path) => {
      const pages = await Promise.all(agents.map((agent) => open(shop, path, 'localhost', agent)));
      const policies = new Set(pages.map(({ headers }) => headers.get('content-security-policy')));
      expect(policies.size).toBe(1);
      const texts = new Set(await Promise.all(pages.map((page) => page.text())));
      expect(texts.size).toBe(1);
    },
  );

  it('is not part of a rendered page', async () => {
    expect(await (await open(shop, '/help')).text()).not.toMatch(/class="late"|noscript/);
  });
});

describe('a server with the service worker switched off', () => {
  it('states it in the header of every page and of the shell, and in the page itself', async () => {
    for (const path of ['/', '/orders', '/login?t=a-token', '/index.html']) {
      expect((await open(off, path)).headers.get('x-service-worker'), path).toBe('off');
      expect((await open(shop, path)).headers.get('x-service-worker'), path).toBeNull();
    }
    expect(await (await open(off, '/orders?language=en')).text()).toContain(
      '<html lang="en" dir="ltr" data-worker="off">',
    );
    expect(await (await open(shop, '/orders?language=en')).text()).toContain('<html lang="en" dir="ltr">');
  });

  it('serves a worker that deletes all caches, unregisters itself and handles no request', async () => {
    const answer = await open(off, '/sw.js');
    expect(answer.headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const script = await answer.text();
    for (const act of [
      'skipWaiting()',
      'caches.delete(',
      'registration.unregister()',
      "deleteDatabase('workbox-background-sync')",
    ])
      expect(script).toContain(act);
    expect(script).not.toMatch(/fetch|localStorage/);
    expect(await (await open(shop, '/sw.js')).text()).toBe('// worker of small');
  });
});

describe('an address that the server handles itself', () => {
  it('is never replaced by the shell when the phone is offline', () => {
    const own = 'https://shop.example';
    const paths = shop.app.routes
      .filter(({ method, path }) => method === 'GET' && path !== '*' && path !== '/*')
      .map(({ path }) => path.replaceAll(/:\w+(?:\{.*?\})?|\*/g, 'x1'));
    expect(paths.length).toBeGreaterThan(30);
    const policyOf = (path: string) =>
      policyFor({ method: 'GET', url: new URL(path, own).href, mode: 'navigate', headers: new Headers() }, own);
    expect(paths.filter((path) => policyOf(path) === 'page')).toEqual([]);
  });
});
