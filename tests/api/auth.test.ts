import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { sessionLengthMs } from '#contract/limits.ts';
import { demoBrand } from '#sandbox/demo-brands.ts';
import { brands } from '#server/db/schema/brands.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp();
});
afterEach(() => shop.close());

const ana = { account: 'ana@example.com', password: 'secret-123', type: 'email' } as const;
const signUp = () => shop.customer({ account: ana.account, password: ana.password });
const logIn = (change: object = {}, host?: string) =>
  shop.request(endpoints.login, { body: { ...ana, ...change } }, { host });

describe('logging in', () => {
  it('answers a wrong password and an unknown account alike', async () => {
    await signUp();
    const wrong = await logIn({ password: 'wrong-password' });
    const unknown = await logIn({ account: 'nobody@example.com' });
    for (const answer of [wrong, unknown]) {
      expect(answer).toMatchObject({ status: 401, code: 3001, errCode: 3001, params: {} });
    }
  });

  it('refuses an account of another brand', async () => {
    await signUp();
    expect((await logIn({}, 'mego.localhost')).errCode).toBe(3001);
  });

  it('accepts an email address that was bound to a phone number later', async () => {
    const { uid } = await signUp();
    await shop.db.update(users).set({ email: 'ana.lima@example.com' }).where(eq(users.uid, uid));
    expect((await logIn({ account: 'Ana.Lima@example.com' })).data).toMatchObject({ uid, account: ana.account });
  });

  it('answers an account that has only used Google like a wrong password', async () => {
    const { uid } = await signUp();
    await shop.db.update(users).set({ passwordHash: null }).where(eq(users.uid, uid));
    expect(await logIn()).toMatchObject({ status: 401, errCode: 3001, params: {} });
  });

  it.each(['BLOCKED', 'RESELLER'])(
    'reports that a %s account may not log in only if the password is right',
    async (userType) => {
      const { uid } = await signUp();
      await shop.db.update(users).set({ userType }).where(eq(users.uid, uid));
      expect(await logIn()).toMatchObject({ status: 403, errCode: 197 });
      expect((await logIn({ password: 'wrong-password' })).errCode).toBe(3001);
    },
  );

  it.each([
    [{ account: 'no-address' }, 8],
    [{ account: '12345', type: 'phone' }, 32],
    [{ password: '' }, 5000],
    [{ device: 'not a token' }, 5000],
  ])('refuses %o with %i', async (change, errCode) => {
    expect(await logIn(change)).toMatchObject({ status: 400, errCode });
  });
});

describe('a session', () => {
  const info = (token: string | undefined, uid: string, host?: string) =>
    shop.request(endpoints.queryInfo, { body: { uid, account: ana.account, type: 'email' } }, { token, host });

  it('gives access to the data of its customer, and nothing is readable without it', async () => {
    const data = await signUp();
    expect((await info(data.token, data.uid)).code).toBe(0);
    for (const token of [undefined, 'x'.repeat(43)]) {
      expect(await info(token, data.uid)).toMatchObject({ status: 401, errCode: 21 });
    }
  });

  it('is not valid at another brand', async () => {
    const data = await signUp();
    expect((await info(data.token, data.uid, 'mego.localhost')).errCode).toBe(21);
  });

  it('ends ten days after login', async () => {
    const data = await signUp();
    shop.clock.advance(sessionLengthMs - 1);
    expect((await info(data.token, data.uid)).code).toBe(0);
    shop.clock.advance(1);
    expect((await info(data.token, data.uid)).errCode).toBe(21);
  });

  it('ends at logout, and logging out twice is no error', async () => {
    const data = await signUp();
    const other = await logIn();
    const logOut = () =>
      shop.request(endpoints.loginOut, { body: { language: 'pt', uid: data.uid, account: '' } }, { token: data.token });
    expect((await logOut()).code).toBe(0);
    expect((await info(data.token, data.uid)).errCode).toBe(21);
    expect((await info(other.data.token, data.uid)).code).toBe(0);
    expect((await logOut()).code).toBe(0);
  });

  it('is deleted at the next login after it has expired', async () => {
    const data = await signUp();
    shop.clock.advance(sessionLengthMs);
    await logIn();
    expect(await shop.db.select().from(sessions).where(eq(sessions.uid, data.uid))).toHaveLength(1);
  });
});

it('the login page receives its brand and the wait between two codes', async () => {
  const { data } = await shop.request(endpoints.countdownConfig, {});
  expect(data).toEqual({
    brand: 'Lumen',
    brandId: 'lumen',
    vnoId: 'lumen',
    tenantId: 'lumen',
    env: 'test',
    caffeineRegionVerify: 60,
  });
});

it('the supported dialling codes are listed once each', async () => {
  const { data } = await shop.request(endpoints.supportPhone, {});
  expect(data.supported).toBe(true);
  expect(data.areaCodes).toEqual(expect.arrayContaining(['55', '7', '1']));
  expect(new Set(data.areaCodes).size).toBe(data.areaCodes.length);
});

it('a brand without a rule for phone numbers supports none', async () => {
  await shop.db
    .update(brands)
    .set({ config: { ...demoBrand('lumen').brand.config, validRules: {} } })
    .where(eq(brands.code, 'lumen'));
  await shop.deps.catalog.refresh();
  expect((await shop.request(endpoints.supportPhone, {})).data.supported).toBe(false);
});
