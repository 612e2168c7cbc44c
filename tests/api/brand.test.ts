import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { brands } from '#server/db/schema/brands.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
/** The same database behind a proxy, with hosts of its own. */
let proxied: TestApp;
beforeAll(async () => {
  shop = await testApp();
  proxied = await testApp({
    db: shop.db,
    env: {
      SANDBOX: 'true',
      TRUST_PROXY: '127.0.0.1',
      EXTRA_HOSTS: '192.168.1.20, tv.local',
      PUBLIC_ORIGIN: 'https://shop.lumen.example',
    },
  });
});
afterAll(() => shop.close());

const brandAt = async (host: string, headers: Record<string, string> = {}, app = shop) => {
  const answer = await app.request(endpoints.theme, {}, { host, headers });
  return answer.code === 0 ? answer.data.tenantId : answer.status;
};

describe('the brand of a request', () => {
  it('follows from the exact host, at any port', async () => {
    expect(await brandAt('localhost')).toBe('lumen');
    expect(await brandAt('localhost:5173')).toBe('lumen');
    expect(await brandAt('LUMEN.localhost')).toBe('lumen');
    expect(await brandAt('127.0.0.1:3000')).toBe('lumen');
    expect(await brandAt('mego.localhost:3000')).toBe('mego');
  });

  it('is the same at every spelling of a host', async () => {
    for (const host of ['MEGO.LocalHost.', 'mego.localhost.:3000', 'mego.localhost:80', '%6dego.localhost']) {
      expect(await brandAt(host), host).toBe('mego');
    }
    for (const host of ['[::1]:3000', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '127.0.0.1.', 'localhost.']) {
      expect(await brandAt(host), host).toBe('lumen');
    }
  });

  it('redirects a host with a final dot to the one without, where storage and passkeys are', async () => {
    const headers = { host: 'mego.localhost.:3000', accept: 'text/html' };
    const page = await shop.app.request('http://mego.localhost.:3000/help?x=//evil.example', { headers });
    expect([page.status, page.headers.get('location')]).toEqual([308, '//mego.localhost:3000/help?x=//evil.example']);
    const odd = await shop.app.request('http://mego.localhost.:3000//evil.example', { headers });
    expect(odd.headers.get('location')).toBe('//mego.localhost:3000//evil.example');
  });

  it.each(['shop.example', 'evil-mego.localhost', 'mego.localhost.evil.example', 'www.mego.localhost'])(
    'is missing at %s, which gets a neutral answer',
    async (host) => {
      const api = await shop.request(endpoints.theme, {}, { host });
      expect(api).toMatchObject({ status: 421, errCode: 5000, params: { field: 'Host' } });
      const page = await shop.app.request(`http://${host}/pricing-table`);
      expect(page.status).toBe(421);
      expect(await page.text()).not.toMatch(/lumen|mego/i);
    },
  );

  it('does not follow a forwarded host, unless a proxy is trusted', async () => {
    const forwarded = { 'X-Forwarded-Host': 'mego.localhost' };
    expect(await brandAt('localhost', forwarded)).toBe('lumen');
    expect(await brandAt('10.0.0.7', forwarded, proxied)).toBe('mego');
    expect(await brandAt('10.0.0.7', { 'X-Forwarded-Host': 'mego.localhost, localhost' }, proxied)).toBe('lumen');
  });

  it('is the default one at an extra host and at the public origin', async () => {
    expect(await brandAt('192.168.1.20:3000', {}, proxied)).toBe('lumen');
    expect(await brandAt('tv.local', {}, proxied)).toBe('lumen');
    expect(await brandAt('shop.lumen.example', {}, proxied)).toBe('lumen');
    expect(await brandAt('tv.local')).toBe(421);
    expect(proxied.deps.catalog.byCode('lumen')?.origin).toBe('https://shop.lumen.example');
  });

  it('has this server’s port at a local origin, unless the origin has HTTPS or a port', async () => {
    const originOf = async (origin: string) => {
      await shop.db.update(brands).set({ origin }).where(eq(brands.code, 'mego'));
      await shop.deps.catalog.refresh();
      return shop.deps.catalog.byCode('mego')?.origin;
    };
    expect(await originOf('https://mego.localhost:8443')).toBe('https://mego.localhost:8443');
    expect(await originOf('http://mego.localhost:8080')).toBe('http://mego.localhost:8080');
    expect(await originOf('https://mego.localhost')).toBe('https://mego.localhost');
    expect(await originOf('http://mego.localhost')).toBe(`http://mego.localhost:${shop.deps.env.PORT}`);
  });

  it('contains the country only from the header of a trusted proxy', async () => {
    const headers = { 'CF-IPCountry': 'br' };
    expect((await shop.request(endpoints.getCountryCode, {}, { headers })).data.countryCode).toBe('');
    expect((await proxied.request(endpoints.getCountryCode, {}, { headers })).data.countryCode).toBe('BR');
  });
});
