import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import type { UserInfo } from '#contract/user.ts';
import { sessionLengthMs } from '#contract/limits.ts';
import { aTvDevice } from '#tests/builders/a-tv-device.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { opens, accessPaths } from '#tests/builders/access-paths.ts';

let shop: TestApp;
let ana: UserInfo & { password: string };
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());
beforeEach(async () => {
  ana = await shop.customer();
});

const signInsOf = async ({ uid, account, token }: Pick<UserInfo, 'uid' | 'account' | 'token'>) =>
  (await shop.request(endpoints.queryInfo, { body: { uid, account, type: 'email' } }, { token })).data.deviceSessions;
const logIn = async () => {
  shop.clock.advance(1000);
  const body = { account: ana.account, password: ana.password, type: 'email' } as const;
  return (await shop.request(endpoints.login, { body })).data;
};
const end = (signInId: string, token = ana.token) =>
  shop.request(endpoints.endSignIn, { body: { signInId } }, { token });
const endOthers = (token = ana.token) => shop.request(endpoints.endOtherSignIns, { body: {} }, { token });
const aTv = async () => {
  shop.clock.advance(1000);
  const { deviceCode, userCode } = await aTvDevice(shop).codes();
  await shop.request(endpoints.deviceConfirm, { body: { userCode, approve: true } }, { token: ana.token });
  return String((await aTvDevice(shop).poll(deviceCode)).body['access_token']);
};
const newest = async () => (await signInsOf(ana))[0]?.signInId ?? '';

describe('a recent login', () => {
  it('is ended from another phone without affecting others', async () => {
    const [endedLogin, active] = [await logIn(), await logIn()];
    const [, { signInId } = { signInId: '' }] = await signInsOf(ana);
    expect((await end(signInId)).code).toBe(0);
    expect(await opens(shop, endedLogin.token)).toBe(false);
    expect(await opens(shop, active.token)).toBe(true);
    expect(await opens(shop, ana.token)).toBe(true);
    const states = (await signInsOf(ana)).map(({ here, open }) => ({ here, open }));
    expect(states).toEqual([
      { here: false, open: true },
      { here: false, open: false },
      { here: true, open: true },
    ]);
    expect((await end(signInId)).code).toBe(0);
  });

  it('cannot be ended after its expiry, after a logout, or by a set-top box', async () => {
    const loggedOut = await logIn();
    await shop.request(endpoints.loginOut, { body: { language: 'en', uid: ana.uid, account: '' } }, loggedOut);
    expect((await signInsOf(ana))[0]).toMatchObject({ open: false });
    const box = await aTv();
    expect((await end(await newest(), box)).errCode).toBe(-24031);
    expect((await endOthers(box)).errCode).toBe(-24031);
    shop.clock.advance(sessionLengthMs);
    const back = await logIn();
    const open = (await signInsOf(back)).filter((one) => one.open);
    expect(open).toEqual([expect.objectContaining({ here: true })]);
  });

  it('of another customer is not ended, with the same response', async () => {
    const eva = await shop.customer();
    const [{ signInId } = { signInId: '' }] = await signInsOf(eva);
    expect((await end(signInId)).code).toBe(0);
    expect(await opens(shop, eva.token)).toBe(true);
  });

  it('of a TV is ended together with the phone of its checkout, but not vice versa', async () => {
    const tv = await aTv();
    const open = async () => {
      const body = { planId: '101', language: 'en', idempotencyKey: crypto.randomUUID() } as const;
      const { userCode } = (await shop.request(endpoints.openHandover, { body }, { token: tv })).data;
      shop.clock.advance(1000);
      const taken = await shop.request(endpoints.takeHandover, { body: { userCode, approve: true } });
      return taken.data.user?.token;
    };
    const ended = await open();
    await end(await newest());
    expect(await opens(shop, ended)).toBe(false);
    expect(await opens(shop, tv)).toBe(true);
    const phone = await open();
    const ofTv = (await signInsOf(ana)).find(({ device }) => device === 'Xiaomi');
    await end(ofTv?.signInId ?? '');
    expect(await opens(shop, tv)).toBe(false);
    expect(await opens(shop, phone)).toBe(false);
  });
});

describe('all other logins', () => {
  it('are ended at once, including TVs, and the current one stays', async () => {
    const [other, tv, eva] = [await logIn(), await aTv(), await shop.customer()];
    expect((await endOthers()).data).toEqual({ ended: 2 });
    for (const token of [other.token, tv]) expect(await opens(shop, token)).toBe(false);
    for (const { token } of [ana, eva]) expect(await opens(shop, token)).toBe(true);
    expect((await endOthers()).data).toEqual({ ended: 0 });
  });

  it.each([
    'a TV device that was approved and has not fetched its token',
    'a TV device that waits and is approved by the stolen session',
    'a TV device that is signed in and waits for a phone',
    'a TV device that is signed in, was approved and has not fetched its token',
    'a checkout that a TV hands over and no phone has taken',
  ])('leave nothing that opens a session later: %s', async (name) => {
    const prepareWithStolenSession = async () => accessPaths[name]?.(shop, { ...ana, token: (await logIn()).token });
    const working = await prepareWithStolenSession();
    expect(await opens(shop, await working?.())).toBe(true);
    const ended = await prepareWithStolenSession();
    await endOthers();
    expect(await opens(shop, await ended?.())).toBe(false);
  });
});
