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

/** One door of everything that is pretended. */
const doors = [
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
const stranger: From = { address: '203.0.113.9' };
const at = (path: string, host = 'localhost') => `http://${host}${path}`;

/** What somebody sees of an answer, without the name that each one has of its own. */
const faceOf = async (response: Response) => {
  const headers = Object.fromEntries(response.headers);
  delete headers['x-request-id'];
  return { status: response.status, headers, body: await response.text() };
};

describe('the doors of the sandbox', () => {
  it.each(doors)('%s is nothing to a stranger, as where there is no sandbox', async (door) => {
    const closed = await faceOf(await requestFrom(shop.app, at(door), stranger));
    expect(closed.status).toBe(404);
    expect(closed.body).not.toMatch(/sandbox|bank|google/i);
    expect(await faceOf(await requestFrom(shop.app, at('/sandbox/no-such-thing'), stranger))).toEqual(closed);
    expect(await faceOf(await requestFrom(real.app, at(door), { address: '127.0.0.1' }))).toEqual(closed);
  });

  it('take nothing from a stranger: no yes of the desk, no choice at Google, no message to the bank', async () => {
    for (const door of [
      '/sandbox/desk',
      '/sandbox/google/authorize',
      '/sandbox/google/token',
      '/sandbox/bank/charges',
    ]) {
      const post = { method: 'POST', body: new URLSearchParams({ verdict: 'accept' }) };
      expect((await requestFrom(shop.app, at(door), stranger, post)).status, door).toBe(404);
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
  ])('open to %s, so that a phone in the same network tries the shop', async (address) => {
    for (const door of ['/sandbox/google/jwks', '/sandbox/desk', '/dev/outbox']) {
      expect((await requestFrom(shop.app, at(door), { address })).status, door).toBe(200);
    }
  });

  it.each(['8.8.8.8', '172.32.0.1', '2001:db8::7', '::ffff:8.8.8.8', '100.64.0.9'])(
    'are closed to %s',
    async (address) => {
      for (const door of doors) expect((await requestFrom(shop.app, at(door), { address })).status, door).toBe(404);
    },
  );

  it('open to this machine at its public address, and to nobody by way of it', async () => {
    const own = { address: '192.0.2.2', local: '192.0.2.2' };
    expect((await requestFrom(shop.app, at('/dev/outbox'), own)).status).toBe(200);
    expect((await requestFrom(shop.app, at('/dev/outbox'), { ...stranger, local: '192.0.2.2' })).status).toBe(404);
    const proxy = { ...own, headers: { 'x-forwarded-for': stranger.address } };
    for (const app of [shop, proxied]) expect((await requestFrom(app.app, at('/dev/outbox'), proxy)).status).toBe(404);
  });

  it('cannot be opened by a header, and stay closed behind a proxy that nobody said to trust', async () => {
    const forged = { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '10.0.0.1', forwarded: 'for=127.0.0.1' };
    expect((await requestFrom(shop.app, at('/dev/outbox'), { ...stranger, headers: forged })).status).toBe(404);
    const local = { address: '127.0.0.1' };
    for (const headers of [{ 'x-forwarded-for': '203.0.113.9' }, { forwarded: 'for=203.0.113.9' }, { via: '1.1 a' }]) {
      expect((await requestFrom(shop.app, at('/dev/outbox'), { ...local, headers })).status).toBe(404);
    }
    const both = { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' };
    expect((await requestFrom(shop.app, at('/dev/outbox'), { ...local, headers: both })).status).toBe(404);
  });

  it('go by the address that a trusted proxy tells', async () => {
    const by = (told: string) => ({ address: '127.0.0.1', headers: { 'x-forwarded-for': told } });
    expect((await requestFrom(proxied.app, at('/dev/outbox'), by('203.0.113.9'))).status).toBe(404);
    expect((await requestFrom(proxied.app, at('/dev/outbox'), by('192.168.1.20'))).status).toBe(200);
    expect((await requestFrom(proxied.app, at('/dev/outbox'), by('127.0.0.1'))).status).toBe(200);
  });

  it('open to everyone where that is said', async () => {
    for (const door of ['/sandbox/google/jwks', '/sandbox/desk', '/dev/outbox']) {
      expect((await requestFrom(open.app, at(door), stranger)).status, door).toBe(200);
    }
  });
});

describe('a host that is nobody’s', () => {
  it('meets no code of the sandbox, from wherever it is asked', async () => {
    for (const door of doors) {
      for (const app of [shop, open, real]) {
        expect((await requestFrom(app.app, at(door, 'nobody.example'), { address: '127.0.0.1' })).status, door).toBe(
          404,
        );
      }
    }
  });

  it('lets the captcha’s own origin load the captcha, and nothing else', async () => {
    const local = { address: '127.0.0.1' };
    const status = async (path: string, app: TestApp, from = local) =>
      (await requestFrom(app.app, at(path, 'captcha.test'), from)).status;
    expect(await status('/sandbox/captcha/api.js', shop)).toBe(200);
    expect(await status('/sandbox/captcha/api.js', shop, stranger)).toBe(404);
    expect(await status('/sandbox/captcha/api.js', real)).toBe(404);
    for (const door of doors.filter((path) => !path.endsWith('api.js')))
      expect(await status(door, shop), door).toBe(404);
  });
});
