import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '../../src/contract/index.ts';
import { sessionLengthMs } from '../../src/contract/limits.ts';
import { outbox, sessions, throttles, users } from '../../src/server/db/schema.ts';
import { testApp, testNow, type TestApp } from '../builders/test-app.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp();
});
afterEach(() => shop.close());

const ana = { account: 'ana@example.com', password: 'secret-123', type: 'email' } as const;
const signUp = (change: object = {}, host?: string) =>
  shop.request(
    endpoints.signup,
    { body: { account: ana.account, password: ana.password, agreePolicy: true, language: 'pt', ...change } },
    { host },
  );
const logIn = (change: object = {}, host?: string) =>
  shop.request(endpoints.login, { body: { ...ana, ...change } }, { host });

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}

describe('signing up', () => {
  it('creates the account, signs in for ten days and queues a welcome in the language of the form', async () => {
    const { data } = await signUp();
    expect(data).toMatchObject({ account: 'ana@example.com', type: 'email', payStatus: 'FREE_TRIAL' });
    expect(data.expiration).toBe(testNow + sessionLengthMs);
    const [mail] = await shop.db.select().from(outbox);
    expect(mail).toMatchObject({ recipient: 'ana@example.com', brand: 'lumen', subject: 'Boas-vindas à Lumen' });
    expect(mail?.text).toContain('http://localhost:3000/pricing-table?la=pt');
  });

  it('keeps neither the password nor the token in readable form', async () => {
    const { data } = await signUp();
    const [user] = await shop.db.select().from(users);
    const [session] = await shop.db.select().from(sessions);
    expect(user?.passwordHash).toMatch(/^\$argon2id\$/);
    expect(session?.tokenHash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify([user, session])).not.toContain(data.token);
  });

  it('tells that an address is taken, however it is written, and keeps the first account', async () => {
    await signUp();
    const again = await signUp({ account: ' ANA@Example.com ', password: 'other-secret' });
    expect(again).toMatchObject({ status: 409, errCode: 6 });
    expect((await logIn()).code).toBe(0);
    expect((await logIn({ password: 'other-secret' })).errCode).toBe(3001);
    expect(await shop.db.select().from(outbox)).toHaveLength(1);
  });

  it('makes one account when two taps arrive at the same moment', async () => {
    const answers = await Promise.all([signUp(), signUp()]);
    expect(answers.map(({ errCode }) => errCode ?? 0).sort((a, b) => a - b)).toEqual([0, 6]);
    expect(await shop.db.select().from(users)).toHaveLength(1);
  });

  it('lets the same address have an account at each brand', async () => {
    await signUp();
    expect((await signUp({ language: 'ru' }, 'mego.localhost')).code).toBe(0);
  });

  it.each([
    [{ account: 'no-address' }, 8, undefined],
    [{ account: '12', type: 'phone' }, 5000, 'account'],
    [{ account: '12345', type: 'phone' }, 32, undefined],
    [{ password: 'short' }, 5000, 'password'],
    [{ agreePolicy: false }, 5000, 'agreePolicy'],
    [{ nickname: '<b>' }, 5000, 'nickname'],
    [{ language: 'de' }, 5000, 'language'],
    [{ admin: true }, 5000, 'admin'],
  ])('refuses %o with %i', async (change, errCode, field) => {
    const answer = await signUp(change);
    expect(answer).toMatchObject({ status: 400, errCode });
    expect(answer.params.field).toBe(field);
  });

  it('takes a phone number with its area code as the account', async () => {
    const { data } = await signUp({ account: '(11) 91234-5678', type: 'phone', areaCode: '55' });
    expect(data.account).toBe('5511912345678');
    expect((await logIn({ account: '11912345678', type: 'phone', areaCode: '+55' })).code).toBe(0);
    expect(await shop.db.select().from(outbox)).toHaveLength(0);
  });
});

describe('logging in', () => {
  it('answers a wrong password and an unknown account with the same words', async () => {
    await signUp();
    const wrong = await logIn({ password: 'wrong-password' });
    const unknown = await logIn({ account: 'nobody@example.com' });
    for (const answer of [wrong, unknown]) {
      expect(answer).toMatchObject({ status: 401, code: 3001, errCode: 3001, params: {} });
    }
  });

  it('spends as much time on an unknown account as on a wrong password', async () => {
    await signUp();
    const fastest = { known: Infinity, unknown: Infinity };
    // in turns, and the fastest of each, so that a busy machine slows neither more than the other
    for (let round = 0; round < 8; round += 1) {
      fastest.known = Math.min(fastest.known, await timeOf(() => logIn({ password: 'wrong-password' })));
      fastest.unknown = Math.min(fastest.unknown, await timeOf(() => logIn({ account: 'nobody@example.com' })));
    }
    expect(fastest.unknown / fastest.known).toBeGreaterThan(0.6);
    expect(fastest.unknown / fastest.known).toBeLessThan(1.6);
  });

  it('does not let an account of one brand in at another', async () => {
    await signUp();
    expect((await logIn({}, 'mego.localhost')).errCode).toBe(3001);
  });

  it('waits after ten failures, even for the right password, and only at that address', async () => {
    await signUp();
    for (let round = 0; round < 10; round += 1) {
      expect((await logIn({ password: `wrong-${round}` })).errCode).toBe(3001);
    }
    const blocked = await logIn();
    expect(blocked).toMatchObject({ status: 423, errCode: 17, params: { waitSeconds: 900 } });
    expect(blocked.headers.get('Retry-After')).toBe('900');
    shop.clock.advance(15 * 60_000);
    expect((await logIn()).code).toBe(0);
  });

  it('counts guesses that arrive together', async () => {
    await signUp();
    const answers = await Promise.all(Array.from({ length: 14 }, (_, index) => logIn({ password: `wrong-${index}` })));
    expect(answers.filter(({ errCode }) => errCode === 17)).toHaveLength(4);
  });

  it('forgets the failures after a success', async () => {
    await signUp();
    for (let round = 0; round < 3; round += 1) {
      for (let wrong = 0; wrong < 6; wrong += 1) await logIn({ password: 'wrong-password' });
      expect((await logIn()).code).toBe(0);
    }
    const rows = await shop.db.select().from(throttles);
    expect(rows.filter(({ key }) => key.includes(ana.account))).toEqual([]);
  });
});

describe('a session', () => {
  const info = (token: string | undefined, uid: string, host?: string) =>
    shop.request(endpoints.queryInfo, { body: { uid, account: ana.account, type: 'email' } }, { token, host });

  it('opens what belongs to the customer, and nothing without it', async () => {
    const { data } = await signUp();
    expect((await info(data.token, data.uid)).code).toBe(0);
    for (const token of [undefined, 'x'.repeat(43)]) {
      expect(await info(token, data.uid)).toMatchObject({ status: 401, errCode: 21 });
    }
  });

  it('does not open another brand', async () => {
    const { data } = await signUp();
    expect((await info(data.token, data.uid, 'mego.localhost')).errCode).toBe(21);
  });

  it('ends ten days after login', async () => {
    const { data } = await signUp();
    shop.clock.advance(sessionLengthMs - 1);
    expect((await info(data.token, data.uid)).code).toBe(0);
    shop.clock.advance(1);
    expect((await info(data.token, data.uid)).errCode).toBe(21);
  });

  it('ends at once with logout, and logging out twice is no error', async () => {
    const { data } = await signUp();
    const other = await logIn();
    const logOut = () =>
      shop.request(endpoints.loginOut, { body: { language: 'pt', uid: data.uid, account: '' } }, { token: data.token });
    expect((await logOut()).code).toBe(0);
    expect((await info(data.token, data.uid)).errCode).toBe(21);
    expect((await info(other.data.token, data.uid)).code).toBe(0);
    expect((await logOut()).code).toBe(0);
  });

  it('that has ended is swept away at the next login', async () => {
    const { data } = await signUp();
    shop.clock.advance(sessionLengthMs);
    await logIn();
    expect(await shop.db.select().from(sessions).where(eq(sessions.uid, data.uid))).toHaveLength(1);
  });
});

it('tells the login page its brand and how long a code takes', async () => {
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
