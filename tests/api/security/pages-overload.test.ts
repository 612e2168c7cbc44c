import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PageRequest } from '#contract/page.ts';
import { pageAddress } from '#server/http/pages/page-source.ts';
import { mountPageRoutes } from '#server/http/pages/page-routes.ts';
import { matchPath } from '#contract/paths.ts';
import { aliasNames } from '#web/platform/entry/aliases.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
let rendered: PageRequest[] = [];
let working = 0;
let mostAtOnce = 0;

beforeAll(async () => {
  shop = await testApp();
  // Replaces the storefront, which is not built here: it returns its input after a short delay.
  mountPageRoutes(shop.app, shop.deps, async (request) => {
    working += 1;
    mostAtOnce = Math.max(mostAtOnce, working);
    await new Promise(setImmediate);
    working -= 1;
    rendered.push(request);
    return { status: 200, html: `<html>${request.url} ${request.notice ?? ''}</html>`, policy: '' };
  });
});
afterAll(() => shop.close());
beforeEach(() => {
  [rendered, mostAtOnce] = [[], 0];
});

async function open(path: string, headers: Record<string, string> = {}) {
  const response = await shop.app.request(`http://localhost${path}`, { headers: { host: 'localhost', ...headers } });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), html: await response.text() };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('many visitors', () => {
  it('with unknown query parameters receive one page, which is rendered once', async () => {
    const names = ['x', 'utm_source', 'fbclid', 'gclid', '__proto__', 'Language2'];
    const pages = await Promise.all(numbers(64).map((n) => open(`/pricing-table?${names[n % names.length]}=${n}`)));
    expect(new Set(pages.map(({ status, html }) => `${status} ${html}`))).toEqual(
      new Set(['200 <html>/pricing-table </html>']),
    );
    expect(rendered).toHaveLength(1);
  });

  it('of their own orders and payments receive one shell for each page, which is rendered once', async () => {
    await Promise.all(numbers(64).map((n) => open(`/payment?planId=${n}`)));
    await Promise.all(numbers(64).map((n) => open(`/paymentResult/token/${n}`)));
    await Promise.all(numbers(64).map((n) => open(`/paymentResult/${n}`)));
    await Promise.all(numbers(64).map((n) => open(`/orders?t=${n}`)));
    expect(rendered.map(({ url, render }) => [url, render])).toEqual([
      ['/payment', false],
      ['/index.html', false],
    ]);
  });

  it('of one page at the same time wait for a single rendering', async () => {
    const pages = await Promise.all(numbers(64).map(() => open('/login?return=/help')));
    expect(pages.every(({ status }) => status === 200)).toBe(true);
    expect(rendered).toHaveLength(1);
  });

  it('of uncacheable pages wait for their turn; beyond the limit the browser has to render', async () => {
    const pages = await Promise.all(numbers(200).map((n) => open(`/login?return=/${n}`, { 'accept-language': 'es' })));
    expect(mostAtOnce).toBeLessThanOrEqual(2);
    const [served, busy] = [200, 503].map((status) => pages.filter((page) => page.status === status));
    expect([served?.length, busy?.length]).toEqual([64, 136]);
    expect(busy?.[0]?.retryAfter).toBe('3');
    expect(busy?.[0]?.html).toContain('Hay muchas visitas');
    expect(new Set(busy?.map(({ html }) => html)).size).toBe(1);
    expect((await open('/login?return=/later')).status).toBe(200);
  });
});

describe('the address of a page', () => {
  const addressOf = (path: string) => {
    const url = new URL(path, 'http://localhost');
    return pageAddress(url, matchPath(url.pathname), false);
  };

  it.each([
    ['/pricing-table?errCode=6000&type=cannotBuyPlan&utm_source=a', '/pricing-table?errCode=6000&type=cannotBuyPlan'],
    ['/login?return=%2Fhelp&return=%2Fother&language=pt', '/login?return=%2Fhelp'],
    ['/help?language=pt&la=es', '/help'],
    ['/payment?planId=101&st=STB', '/payment?st=STB'],
    ['/plan?p=30&utm_source=a', '/plan?p=30&utm_source=a'],
  ])('%s is rendered as %s', (path, url) => {
    expect(addressOf(path).url).toBe(url);
  });

  it('includes every parameter name that sets the scene or the next page', () => {
    const relevant = new Set(['releaseId', 'sourceType', 'deviceInfo']);
    for (const [name, field] of aliasNames) {
      if (relevant.has(field)) expect(addressOf(`/pricing-table?${name}=x`)).toMatchObject({ kept: false });
    }
  });
});
