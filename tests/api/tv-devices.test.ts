import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { deviceGrants } from '#server/db/schema/sign-in.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { aTvDevice, type Box } from '#tests/builders/a-tv-device.ts';
import { anSsoToken } from '#tests/builders/an-sso-token.ts';
import { testApp, type CallOptions, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
let tvDevice: Box;
let ana: { uid: string; token: string };
beforeEach(async () => {
  shop = await testApp();
  tvDevice = aTvDevice(shop);
  ana = await shop.customer({ account: 'maria@example.com' });
});
afterEach(() => shop.close());

const query = (userCode: string, options?: CallOptions) =>
  shop.request(endpoints.deviceQuery, { body: { userCode } }, options);
const answer = (userCode: string, approve: boolean, options?: CallOptions) =>
  shop.request(endpoints.deviceConfirm, { body: { userCode, approve } }, options);
const isSignedIn = async (token: string) =>
  (await shop.request(endpoints.orders, { body: { page: 1, size: 1 } }, { token })).code === 0;
const loginToken = (src: 'app' | 'qr' = 'qr') => anSsoToken(shop, { uid: ana.uid, src });

describe('a set-top box that is not logged in', () => {
  it('shows a code, waits, and gets the account of the phone that approves', async () => {
    const granted = await tvDevice.authorize({ target: 'orders' });
    expect(granted.headers.get('cache-control')).toBe('no-store');
    const { user_code: userCode, device_code: deviceCode } = granted.body as Record<string, string>;
    expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(granted.body).toMatchObject({
      verification_uri: 'http://localhost:3000/device',
      verification_uri_complete: `http://localhost:3000/stb-orders?user_code=${userCode}&st=STB`,
      expires_in: 600,
      interval: 5,
    });
    const pending = await tvDevice.poll(deviceCode ?? '');
    expect(pending).toMatchObject({ status: 400, body: { error: 'authorization_pending' } });

    const { data } = await query(`${userCode?.toLowerCase().replace('-', ' ')}`);
    expect(data).toEqual({
      device: 'Xiaomi',
      model: 'Mi Box S',
      account: null,
      isOwn: false,
      expiresAt: shop.clock.now + 600_000,
    });
    expect((await answer(userCode ?? '', true)).errCode).toBe(21);
    expect((await answer(userCode ?? '', true, { token: ana.token })).data).toEqual({ user: null });

    shop.clock.advance(5000);
    const polled = await tvDevice.poll(deviceCode ?? '');
    expect(polled.body).toMatchObject({ token_type: 'Bearer', expires_in: 864_000 });
    expect(polled.headers.get('cache-control')).toBe('no-store');
    const token = String(polled.body['access_token']);
    expect(token).not.toBe(ana.token);
    expect(await isSignedIn(token)).toBe(true);
    shop.clock.advance(5000);
    expect((await tvDevice.poll(deviceCode ?? '')).body).toEqual({ error: 'invalid_grant' });
  });

  it('receives a refusal, even from a phone that is not logged in', async () => {
    const { deviceCode, userCode } = await tvDevice.codes();
    expect((await answer(userCode, false)).data).toEqual({ user: null });
    expect((await tvDevice.poll(deviceCode)).body).toEqual({ error: 'access_denied' });
    expect((await query(userCode)).errCode).toBe(-3033);
    expect((await answer(userCode, true, { token: ana.token })).errCode).toBe(-3033);
  });
});

describe('a set-top box that is logged in', () => {
  it('passes its account to the phone, which sees it masked first', async () => {
    const { deviceCode, userCode } = await tvDevice.codes({ login_token: await loginToken(), target: 'payment' });
    const { data } = await query(userCode);
    expect(data).toMatchObject({ device: 'Xiaomi', account: 'm***@example.com' });
    const { user } = (await answer(userCode, true)).data;
    expect(user).toMatchObject({ uid: ana.uid, account: 'maria@example.com', accountLoginType: 'device' });
    expect(await isSignedIn(user?.token ?? '')).toBe(true);
    const polled = await tvDevice.poll(deviceCode);
    expect(await isSignedIn(String(polled.body['access_token']))).toBe(true);
  });

  it('reports to the phone whether both have the same account, even if the masked names are equal', async () => {
    const mario = await shop.customer({ account: 'mario@example.com' });
    const { userCode } = await tvDevice.codes({ login_token: await loginToken() });
    const seenBy = async (token?: string) => (await query(userCode, token === undefined ? {} : { token })).data;
    expect(await seenBy(ana.token)).toMatchObject({ account: 'm***@example.com', isOwn: true });
    expect(await seenBy(mario.token)).toMatchObject({ account: 'm***@example.com', isOwn: false });
    expect(await seenBy()).toMatchObject({ isOwn: false });
    expect(await seenBy('a-token-that-nobody-was-given')).toMatchObject({ isOwn: false });
  });

  it('stays on its account when the phone has another', async () => {
    const other = await shop.customer({ account: 'bia@example.com' });
    const { deviceCode, userCode } = await tvDevice.codes({ login_token: await loginToken() });
    const { user } = (await answer(userCode, true, { token: other.token })).data;
    expect(user?.uid).toBe(ana.uid);
    const polled = await tvDevice.poll(deviceCode);
    const info = await shop.request(
      endpoints.queryInfo,
      { body: { uid: ana.uid, account: 'maria@example.com', type: 'email' } },
      { token: String(polled.body['access_token']) },
    );
    expect(info.data.uid).toBe(ana.uid);
  });

  it('consumes its token, which must be for a QR code and of a customer who may log in', async () => {
    const link = await loginToken();
    await tvDevice.codes({ login_token: link });
    expect(await tvDevice.authorize({ login_token: link })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', errCode: -24030 },
    });
    expect((await shop.request(endpoints.sso, { body: { token: link } })).errCode).toBe(-24030);
    const forApp = await tvDevice.authorize({ login_token: await loginToken('app') });
    expect(forApp.body).toMatchObject({ error: 'invalid_grant', errCode: -24030 });
    const old = await loginToken();
    shop.clock.advance(601_000);
    expect((await tvDevice.authorize({ login_token: old })).body).toMatchObject({ errCode: -24020 });
    await shop.db.update(users).set({ userType: 'BLOCKED' }).where(eq(users.uid, ana.uid));
    expect((await tvDevice.authorize({ login_token: await loginToken() })).body).toMatchObject({ errCode: 201 });
  });
});

describe('the limits of device login', () => {
  it('slow down a set-top box that polls too often, and increase its interval', async () => {
    const { deviceCode } = await tvDevice.codes();
    expect((await tvDevice.poll(deviceCode)).body).toEqual({ error: 'authorization_pending' });
    shop.clock.advance(1000);
    expect((await tvDevice.poll(deviceCode)).body).toEqual({ error: 'slow_down' });
    shop.clock.advance(5000);
    expect((await tvDevice.poll(deviceCode)).body).toEqual({ error: 'slow_down' });
    shop.clock.advance(10_000);
    expect((await tvDevice.poll(deviceCode)).body).toEqual({ error: 'authorization_pending' });
  });

  it('expire a code after ten minutes, for the set-top box and for the phone', async () => {
    const { deviceCode, userCode } = await tvDevice.codes();
    const late = await tvDevice.codes();
    await answer(late.userCode, true, { token: ana.token });
    shop.clock.advance(600_000);
    expect((await query(userCode)).errCode).toBe(-3034);
    expect((await answer(userCode, true, { token: ana.token })).errCode).toBe(-3034);
    expect((await tvDevice.poll(deviceCode)).body).toEqual({ error: 'expired_token' });
    expect((await tvDevice.poll(late.deviceCode)).body).toEqual({ error: 'expired_token' });
  });

  it('block an address that guesses codes, but not one that enters valid codes', async () => {
    for (let index = 0; index < 30; index += 1) {
      const { userCode } = await tvDevice.codes();
      expect((await query(userCode)).code).toBe(0);
    }
    const { userCode } = await tvDevice.codes({ login_token: await loginToken() });
    for (let index = 0; index < 20; index += 1) expect((await query('BBBB-BBBB')).errCode).toBe(-3033);
    expect(await query(userCode)).toMatchObject({ errCode: -3031, params: { waitSeconds: 600 } });
    expect((await answer(userCode, true)).errCode).toBe(-3031);
  });

  it('allow sixty set-top boxes a minute from one address', async () => {
    for (let index = 0; index < 60; index += 1) await tvDevice.codes();
    const busy = await tvDevice.authorize();
    expect(busy).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } });
    expect(busy.headers.get('retry-after')).toBe('60');
  });
});

describe('simultaneous requests', () => {
  it('ten approvals open one session on the phone', async () => {
    const { userCode } = await tvDevice.codes({ login_token: await loginToken() });
    const before = (await shop.db.select().from(sessions)).length;
    const answers = await Promise.all(Array.from({ length: 10 }, () => answer(userCode, true)));
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(answers.filter(({ errCode }) => errCode === -3033)).toHaveLength(9);
    expect(await shop.db.select().from(sessions)).toHaveLength(before + 1);
  });

  it('ten polls of the set-top box get one token', async () => {
    const { deviceCode, userCode } = await tvDevice.codes();
    await answer(userCode, true, { token: ana.token });
    const answers = await Promise.all(Array.from({ length: 10 }, () => tvDevice.poll(deviceCode)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('the device authorization protocol', () => {
  it('reports errors with the codes of OAuth', async () => {
    const { deviceCode } = await tvDevice.codes();
    const wrong = [
      await tvDevice.authorize({ client_id: 'phone' }),
      await tvDevice.authorize({ device: '' }),
      await tvDevice.authorize({ target: '//evil.example' }),
      await tvDevice.poll(deviceCode, { client_id: 'phone' }),
      await tvDevice.poll(deviceCode, { grant_type: 'password' }),
      await tvDevice.poll(''),
      await tvDevice.poll('unknown'),
    ];
    expect(wrong.map(({ status, body }) => [status, body['error']])).toEqual([
      [401, 'invalid_client'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
      [401, 'invalid_client'],
      [400, 'unsupported_grant_type'],
      [400, 'invalid_request'],
      [400, 'invalid_grant'],
    ]);
    const twice = { method: 'POST', body: new URLSearchParams('client_id=box&client_id=box&device=TV') };
    expect((await shop.app.request('http://localhost/oauth/device_authorization', twice)).status).toBe(400);
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect((await shop.app.request('http://localhost/oauth/token', json)).status).toBe(400);
    const much = { method: 'POST', body: new URLSearchParams({ client_id: 'box', device: 'x'.repeat(9000) }) };
    expect((await shop.app.request('http://localhost/oauth/device_authorization', much)).status).toBe(413);
  });

  it('stores no code in readable form', async () => {
    const { deviceCode, userCode } = await tvDevice.codes();
    const rows = JSON.stringify(await shop.db.select().from(deviceGrants));
    expect(rows).not.toContain(deviceCode);
    expect(rows).not.toContain(userCode.replace('-', ''));
  });

  it('links to the page of the target at the stored origin of the brand', async () => {
    const path = async (target?: string) => {
      const { body } = await aTvDevice(shop, 'mego.localhost').authorize(target === undefined ? {} : { target });
      return String(body['verification_uri_complete']).split('?')[0];
    };
    expect(await path()).toBe('http://mego.localhost:3000/device');
    expect(await path('payment')).toBe('http://mego.localhost:3000/stbPayment');
    expect(await path('plans')).toBe('http://mego.localhost:3000/plan');
  });

  it('separates the brands', async () => {
    const { deviceCode, userCode } = await tvDevice.codes();
    const other = { host: 'mego.localhost' };
    expect((await query(userCode, other)).errCode).toBe(-3033);
    expect((await answer(userCode, false, other)).errCode).toBe(-3033);
    expect((await aTvDevice(shop, 'mego.localhost').poll(deviceCode)).body).toEqual({ error: 'invalid_grant' });
    const theirs = await aTvDevice(shop, 'mego.localhost').authorize({ login_token: await loginToken() });
    expect(theirs.body).toMatchObject({ error: 'invalid_grant', errCode: -2223 });
    expect((await query(userCode)).code).toBe(0);
  });
});
