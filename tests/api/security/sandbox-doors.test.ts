import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestFrom, type From } from '#tests/builders/from-address.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
let proxied: TestApp;
let open: TestApp;
let real: TestApp;
const captcha = { SANDBOX_CAPTCHA: 'true', CAPTCHA_ORIGIN: 'http://captcha.test' };
beforeAll(async () => {
  shop = await testApp({ env: captcha });
  const { db } = shop;
  proxied = await testApp({ db, env: { ...captcha, TRUST_PROXY: '127.0.0.1' } });
  open = await testApp({ db, env: { ...captcha, SANDBOX_PUBLIC: 'true' } });
  real = await testApp({ db, env: { ...captcha, SANDBOX: 'false' } });
});
afterAll(() => shop.close());

/** An endpoint of each simulated service. */
const sandboxPaths = [
  '/sandbox/google/.well-known/openid-configuration',
  '/sandbox/google/jwks',
  '/sandbox/google/authorize',
  '/sandbox/bank/mobile/5511999990000',
  '/sandbox/paypal/checkoutnow?token=X',
  '/sandbox/desk',
  '/sandbox/captcha/api.js',
  '/dev/outbox',
  '/dev/outbox.json',
];
const otherNetwork: From = { address: '203.0.113.9' };
const at = (path: string, host = 'localhost') => `http://${host}${path}`;

/** A response as a caller sees it, without its request id. */
const visibleParts = async (response: Response) => {
  const headers = Object.fromEntries(response.headers);
  delete headers['x-request-id'];
  return { status: response.status, headers, body: await response.text() };
};

describe('the sandbox endpoints', () => {
  it.each(sandboxPaths)('hide %s from other networks, as if there were no sandbox', async (sandboxPath) => {
    const closed = await visibleParts(await requestFrom(shop.app, at(sandboxPath), otherNetwork));
    expect(closed.status).toBe(404);
    expect(closed.body).not.toMatch(/sandbox|bank|google/i);
    expect(await visibleParts(await requestFrom(shop.app, at('/sandbox/no-such-thing'), otherNetwork))).toEqual(closed);
    expect(await visibleParts(await requestFrom(real.app, at(sandboxPath), { address: '127.0.0.1' }))).toEqual(closed);
  });

  it('accept no request from other networks: no review, no login at Google, no charge', async () => {
    for (const sandboxPath of [
      '/sandbox/desk',
      '/sandbox/google/authorize',
      '/sandbox/google/token',
      '/sandbox/bank/charges',
    ]) {
      const post = { method: 'POST', body: new URLSearchParams({ verdict: 'accept' }) };
      expect((await requestFrom(shop.app, at(sandboxPath), otherNetwork, post)).status, sandboxPath).toBe(404);
    }
  });

  it.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '192.168.1.77',
    '10.0.0.7',
    '172.20.3.4',
    '169.254.10.10',
    'fe80::1c2b',
    'fd00::7',
    '::ffff:192.168.1.77',
  ])('are available to %s, so that a phone in the same network can test', async (address) => {
    for (const sandboxPath of ['/sandbox/google/jwks', '/sandbox/desk', '/dev/outbox']) {
      expect((await requestFrom(shop.app, at(sandboxPath), { address })).status, sandboxPath).toBe(200);
    }
  });

  it.each(['8.8.8.8', '172.32.0.1', '2001:db8::7', '::ffff:8.8.8.8', '100.64.0.9'])(
    'are not available to %s',
    async (address) => {
      for (const sandboxPath of sandboxPaths)
        expect((await requestFrom(shop.app, at(sandboxPath), { address })).status, sandboxPath).toBe(404);
    },
  );

  it('are available to this machine by its public address, and to no other through it', async () => {
    const own = { address: '192.0.2.2', local: '192.0.2.2' };
    expect((await requestFrom(shop.app, at('/dev/outbox'), own)).status).toBe(200);
    expect((await requestFrom(shop.app, at('/dev/outbox'), { ...otherNetwork, local: '192.0.2.2' })).status).toBe(404);
    const proxy = { ...own, headers: { 'x-forwarded-for': otherNetwork.address } };
    for (const app of [shop, proxied]) expect((await requestFrom(app.app, at('/dev/outbox'), proxy)).status).toBe(404);
  });

  it('ignore forwarding headers, and are not available behind an untrusted proxy', async () => {
    const forged = { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '10.0.0.1', forwarded: 'for=127.0.0.1' };
    expect((await requestFrom(shop.app, at('/dev/outbox'), { ...otherNetwork, headers: forged })).status).toBe(404);
    const local = { address: '127.0.0.1' };
    for (const headers of [{ 'x-forwarded-for': '203.0.113.9' }, { forwarded: 'for=203.0.113.9' }, { via: '1.1 a' }]) {
      expect((await requestFrom(shop.app, at('/dev/outbox'), { ...local, headers })).status).toBe(404);
    }
    const both = { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' };
    expect((await requestFrom(shop.app, at('/dev/outbox'), { ...local, headers: both })).status).toBe(404);
  });

  it('use the address from a trusted proxy', async () => {
    const by = (forwardedFor: string) => ({ address: '127.0.0.1', headers: { 'x-forwarded-for': forwardedFor } });
    expect((await requestFrom(proxied.app, at('/dev/outbox'), by('203.0.113.9'))).status).toBe(404);
    expect((await requestFrom(proxied.app, at('/dev/outbox'), by('192.168.1.20'))).status).toBe(200);
    expect((await requestFrom(proxied.app, at('/dev/outbox'), by('127.0.0.1'))).status).toBe(200);
  });

  it('are available to everyone if configured', async () => {
    for (const sandboxPath of ['/sandbox/google/jwks', '/sandbox/desk', '/dev/outbox']) {
      expect((await requestFrom(open.app, at(sandboxPath), otherNetwork)).status, sandboxPath).toBe(200);
    }
  });
});

describe('an unknown host', () => {
  it('receives none of the sandbox endpoints from any address', async () => {
    for (const sandboxPath of sandboxPaths) {
      for (const app of [shop, open, real]) {
        expect(
          (await requestFrom(app.app, at(sandboxPath, 'nobody.example'), { address: '127.0.0.1' })).status,
          sandboxPath,
        ).toBe(404);
      }
    }
  });

  it('receives the captcha at the captcha origin, and nothing else', async () => {
    const local = { address: '127.0.0.1' };
    const status = async (path: string, app: TestApp, from = local) =>
      (await requestFrom(app.app, at(path, 'captcha.test'), from)).status;
    expect(await status('/sandbox/captcha/api.js', shop)).toBe(200);
    expect(await status('/sandbox/captcha/api.js', shop, otherNetwork)).toBe(404);
    expect(await status('/sandbox/captcha/api.js', real)).toBe(404);
    for (const sandboxPath of sandboxPaths.filter((path) => !path.endsWith('api.js')))
      expect(await status(sandboxPath, shop), sandboxPath).toBe(404);
  });
});
