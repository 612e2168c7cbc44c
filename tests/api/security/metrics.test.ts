import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestFrom, type From } from '#tests/builders/from-address.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
let withToken: TestApp;
beforeAll(async () => {
  shop = await testApp();
  withToken = await testApp({ db: shop.db, env: { METRICS_TOKEN: 'a-token-of-metrics', TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => shop.close());

const metrics = async (app: TestApp, from: From) => {
  const response = await requestFrom(app.app, 'http://localhost/metrics', from);
  return { status: response.status, text: await response.text() };
};

describe('the metrics', () => {
  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.8.8.8'])(
    'are available from the same machine: %s',
    async (address) => {
      expect((await metrics(shop, { address })).text).toContain('http_requests_total');
    },
  );

  it.each(['203.0.113.9', '192.168.1.4', '10.0.0.2', '::ffff:10.0.0.2', 'fe80::1', '2001:db8::1'])(
    'are not available from %s',
    async (address) => {
      expect(await metrics(shop, { address })).toEqual({ status: 404, text: 'not found' });
    },
  );

  it('are not available through a proxy on the same machine, whatever its headers claim', async () => {
    for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'via', 'x-real-ip']) {
      const headers = { [name]: '127.0.0.1' };
      expect((await metrics(shop, { address: '127.0.0.1', headers })).status, name).toBe(404);
    }
  });

  it('are available from anywhere with the token, and nowhere without it', async () => {
    const { text } = await metrics(withToken, {
      address: '203.0.113.9',
      headers: { authorization: 'Bearer a-token-of-metrics' },
    });
    expect(text).toContain('http_requests_total');
    for (const authorization of ['', 'Bearer wrong', 'a-token-of-metrics', 'Bearer a-token-of-metrics2']) {
      for (const address of ['127.0.0.1', '203.0.113.9']) {
        const refused = await metrics(withToken, { address, headers: { authorization } });
        expect(refused).toEqual({ status: 401, text: 'unauthorized' });
      }
    }
    const forged = { 'x-forwarded-for': '127.0.0.1' };
    expect((await metrics(withToken, { address: '203.0.113.9', headers: forged })).status).toBe(401);
  });
});
