import { eq, like } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { failedCodesKey } from '#server/auth/code-guesses.ts';
import { mailLinks, throttles } from '#server/db/schema/sign-in.ts';
import { users } from '#server/db/schema/users.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp();
});
afterEach(() => shop.close());

const ana = { account: 'ana@example.com', type: 'email' } as const;
const newPassword = 'a new secret';
const customer = async (host?: string) => {
  const user = await shop.customer({ account: ana.account, ...(host !== undefined && { host }) });
  await shop.db.delete(throttles).where(like(throttles.key, 'code %'));
  return user;
};
const requestCode = async (host?: string) => {
  const body = { ...ana, scene: 'reset', language: 'en' } as const;
  expect((await shop.request(endpoints.sendVerificationCode, { body }, { host })).code).toBe(0);
  return shop.lastCode(ana.account);
};
const reset = (code: string, change: object = {}, host?: string) =>
  shop.request(endpoints.resetPasswd, { body: { ...ana, code, password: newPassword, ...change } }, { host });
const logIn = (password: string) => shop.request(endpoints.login, { body: { ...ana, password } });
const otherThan = (code: string) => String((Number(code) + 1) % 10_000).padStart(4, '0');

describe('a forgotten password', () => {
  it('is replaced with a code, which ends the old password and every session', async () => {
    const user = await customer();
    const other = await logIn(user.password);
    await shop.db.update(users).set({ passwordResetDue: true, verifiedAt: null }).where(eq(users.uid, user.uid));
    expect((await reset(await requestCode())).data).toEqual({});
    for (const token of [user.token, other.data.token]) {
      expect((await shop.request(endpoints.queryUrv, {}, { token })).errCode).toBe(21);
    }
    expect((await logIn(user.password)).errCode).toBe(3001);
    expect((await logIn(newPassword)).code).toBe(0);
    const [row] = await shop.db.select().from(users).where(eq(users.uid, user.uid));
    expect(row).toMatchObject({ passwordResetDue: false, verifiedAt: testNow });
  });

  it('invalidates emailed links, except the one that confirms the address', async () => {
    const { uid } = await customer();
    const link = { brand: 'lumen', uid, email: ana.account, createdAt: testNow, expiresAt: testNow + 60_000 };
    await shop.db.insert(mailLinks).values([
      { ...link, tokenHash: 'a', purpose: 'reset' },
      { ...link, tokenHash: 'b', purpose: 'bind' },
      { ...link, tokenHash: 'c', purpose: 'confirm' },
    ]);
    await reset(await requestCode());
    expect((await shop.db.select().from(mailLinks)).map(({ purpose }) => purpose)).toEqual(['confirm']);
  });

  it('gives a first password to a customer who has only used Google', async () => {
    const { uid } = await customer();
    await shop.db.update(users).set({ passwordHash: null }).where(eq(users.uid, uid));
    await reset(await requestCode());
    expect((await logIn(newPassword)).code).toBe(0);
  });

  it('unlocks an account that was locked after failed logins', async () => {
    await customer();
    for (let round = 0; round < 10; round += 1) await logIn('wrong-password');
    await reset(await requestCode());
    expect((await logIn(newPassword)).code).toBe(0);
  });

  it('stays unchanged with a wrong, a used, an expired and an unrequested code', async () => {
    const user = await customer();
    expect((await reset('1234')).errCode).toBe(-3033);
    const code = await requestCode();
    expect(await reset(otherThan(code))).toMatchObject({ errCode: 11, params: { triesLeft: 2 } });
    shop.clock.advance(10 * 60_000);
    expect((await reset(code)).errCode).toBe(10);
    expect((await logIn(user.password)).code).toBe(0);
    const next = await requestCode();
    expect((await reset(next)).code).toBe(0);
    expect((await reset(next, { password: 'another one' })).errCode).toBe(-3033);
    expect((await logIn(newPassword)).code).toBe(0);
  });

  it('is never replaced by the code of another brand', async () => {
    const user = await customer();
    await customer('mego.localhost');
    const code = await requestCode('mego.localhost');
    expect((await reset(code)).errCode).toBe(-3033);
    expect((await logIn(user.password)).code).toBe(0);
    expect((await reset(code, {}, 'mego.localhost')).code).toBe(0);
    expect((await logIn(user.password)).code).toBe(0);
  });

  it('gets the same answers for an unknown account', async () => {
    const code = await requestCode();
    expect(await reset(otherThan(code))).toMatchObject({ errCode: 11, params: { triesLeft: 2 } });
    expect((await reset(code)).data).toEqual({});
    expect(await shop.db.select().from(users)).toEqual([]);
  });

  it('is limited for an address that tries many codes, and ends codes after a hundred wrong ones', async () => {
    const resetsAt = testNow + 60_000;
    await shop.db.insert(throttles).values({ key: 'code guess lumen 127.0.0.1', count: 300, resetsAt });
    expect(await reset('1234')).toMatchObject({ errCode: 17, params: { waitSeconds: 60 } });
    await shop.db
      .insert(throttles)
      .values({ key: failedCodesKey(shop.deps, { brand: 'lumen', account: ana.account }), count: 100, resetsAt });
    expect((await reset('1234')).errCode).toBe(4598);
  });

  it.each([
    [{ account: 'no-address' }, 8],
    [{ account: '12345', type: 'phone' }, 32],
    [{ password: 'short' }, 5000],
  ])('is refused for %o with %i', async (change, errCode) => {
    expect(await reset('1234', change)).toMatchObject({ status: 400, errCode });
  });
});
