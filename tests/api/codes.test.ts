import { eq, like } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CodeScene } from '../../src/contract/codes.ts';
import * as endpoints from '../../src/contract/index.ts';
import { lifetimeKey } from '../../src/server/auth/code-guesses.ts';
import { messageRequests, throttles, verificationCodes } from '../../src/server/db/schema/sign-in.ts';
import { users } from '../../src/server/db/schema/users.ts';
import { aTicket, someWork } from '../builders/a-captcha.ts';
import { testApp, testNow, type TestApp } from '../builders/test-app.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterEach(() => shop.close());

const ana = { account: 'ana@example.com', type: 'email' } as const;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

interface Where {
  host?: string;
  ip?: string;
}
const options = ({ host, ip = '203.0.113.1' }: Where) => ({ host, headers: { 'X-Forwarded-For': ip } });
const ask = (change: object = {}, where: Where = {}) =>
  shop.request(
    endpoints.sendVerificationCode,
    { body: { ...ana, scene: 'login', language: 'en', ...change } },
    options(where),
  );
const enter = (code: string, change: object = {}, where: Where = {}) =>
  shop.request(endpoints.codeLogin, { body: { ...ana, code, ...change } }, options(where));
const asked = async (change: object = {}, where: Where = {}) => {
  expect((await ask(change, where)).code).toBe(0);
  return shop.lastCode(ana.account);
};
const worked = () => someWork(shop, { account: ana.account, ip: '203.0.113.1' });
const otherThan = (code: string) => String((Number(code) + 1) % 10_000).padStart(4, '0');
/** A customer whose sign-up code is a minute ago and counts for yesterday. */
const customer = async (given: { account?: string } = ana) => {
  const user = await shop.customer({ account: given.account ?? ana.account });
  await shop.db.delete(throttles).where(like(throttles.key, 'code %'));
  return user;
};
const spent = (key: string, count: number, forMs: number) =>
  shop.db.insert(throttles).values({ key, count, resetsAt: testNow + forMs });

describe('asking for a code', () => {
  it('makes four digits, which only the message can read', async () => {
    const code = await asked();
    expect(code).toMatch(/^\d{4}$/);
    const [row] = await shop.db.select().from(verificationCodes);
    expect(row).toMatchObject({ brand: 'lumen', account: ana.account, scene: 'login', triesLeft: 3 });
    expect(row?.codeHash).toMatch(/^[0-9a-f]{64}$/);
    expect(row?.expiresAt).toBe(testNow + 10 * minuteMs);
  });

  it('answers and writes the same whether the account exists or not', async () => {
    await customer();
    const answers = [];
    for (const account of [ana.account, 'nobody@example.com']) {
      for (const scene of ['login', 'signup', 'reset'] as const satisfies CodeScene[]) {
        const { status, code, data } = await ask({ account, scene });
        answers.push({ account, scene, status, code, waitSeconds: data.waitSeconds, request: data.request.length });
        shop.clock.advance(minuteMs);
      }
    }
    expect(answers.slice(0, 3).map((one) => ({ ...one, account: '' }))).toEqual(
      answers.slice(3).map((one) => ({ ...one, account: '' })),
    );
    const rows = await shop.db.select().from(messageRequests);
    expect(rows.filter(({ account }) => account === ana.account)).toHaveLength(3);
    expect(rows.filter(({ account }) => account === 'nobody@example.com')).toHaveLength(3);
  });

  it('has to wait a minute between two, whatever they are for', async () => {
    expect((await ask()).data.waitSeconds).toBe(60);
    shop.clock.advance(20_000);
    const early = await ask({ scene: 'reset' });
    expect(early).toMatchObject({ status: 429, errCode: -3031, params: { waitSeconds: 40 } });
    shop.clock.advance(40_000);
    expect((await ask()).code).toBe(0);
  });

  it('gets three a day for each purpose, and more of them for work', async () => {
    const ticket = { account: ana.account };
    for (const scene of ['login', 'signup', 'reset'] as const satisfies CodeScene[]) {
      for (let round = 0; round < 3; round += 1) {
        expect((await ask({ scene })).data.waitSeconds).toBe(60);
        shop.clock.advance(minuteMs);
      }
      expect(await ask({ scene })).toMatchObject({ errCode: -3035, params: { way: 'work' } });
      expect((await ask({ scene, ...(await aTicket(shop, ticket)) })).errCode).toBe(-3035);
      expect((await ask({ scene, ...worked() })).code).toBe(0);
      shop.clock.advance(minuteMs);
    }
    shop.clock.advance(dayMs);
    expect((await ask()).code).toBe(0);
  });

  it('makes one code of many requests at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask()));
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(await shop.db.select().from(messageRequests)).toHaveLength(1);
  });

  it('needs a captcha from an address that asks for many', async () => {
    await spent('code from lumen 203.0.113.1', 100, minuteMs);
    expect((await ask()).errCode).toBe(-3035);
    expect((await ask(await aTicket(shop, ana))).code).toBe(0);
    expect((await ask({ account: 'eva@example.com' }, { ip: '203.0.113.2' })).code).toBe(0);
  });

  it('takes work at an address that asks for far too many', async () => {
    await spent('code from lumen 203.0.113.1', 300, minuteMs);
    expect(await ask()).toMatchObject({ errCode: -3035, params: { way: 'work' } });
    expect((await ask(worked())).code).toBe(0);
  });

  it('needs a captcha of everyone at a brand with a thousand wrong codes in a day, and only there', async () => {
    await spent('code failures lumen', 1000, dayMs);
    expect((await ask()).errCode).toBe(-3035);
    expect((await ask({ scene: 'reset' }, { host: 'mego.localhost' })).code).toBe(0);
    expect((await ask(await aTicket(shop, ana))).code).toBe(0);
  });

  it('is no use any more after a hundred wrong codes in a lifetime', async () => {
    await spent(lifetimeKey(shop.deps, { brand: 'lumen', account: 'ana@example.com' }), 100, 50 * 365 * dayMs);
    expect(await ask()).toMatchObject({ status: 422, errCode: 4598 });
    expect((await enter('1234')).errCode).toBe(4598);
  });

  it.each([
    [{ account: 'no-address' }, 8],
    [{ account: '12345', type: 'phone' }, 32],
    [{ scene: 'delete' }, 5000],
  ])('is refused for %o with %i', async (change, errCode) => {
    expect(await ask(change)).toMatchObject({ status: 400, errCode });
  });

  it('to log in is refused by a brand that does not let codes in', async () => {
    expect((await ask({}, { host: 'mego.localhost' })).errCode).toBe(4598);
    expect((await enter('1234', {}, { host: 'mego.localhost' })).errCode).toBe(4598);
  });
});

describe('logging in by a code', () => {
  it('signs in, once, and proves the address', async () => {
    const { uid } = await customer();
    await shop.db.update(users).set({ verifiedAt: null }).where(eq(users.uid, uid));
    const code = await asked();
    const { data } = await enter(code);
    expect(data).toMatchObject({ uid, account: ana.account, accountLoginType: 'email' });
    expect(data.deviceToken).toBeTruthy();
    const [user] = await shop.db.select().from(users).where(eq(users.uid, uid));
    expect(user?.verifiedAt).toBe(testNow);
    expect(await enter(code)).toMatchObject({ status: 404, errCode: -3033 });
  });

  it('signs in one of many who send the right code at the same moment', async () => {
    await customer();
    const code = await asked();
    const answers = await Promise.all(Array.from({ length: 6 }, () => enter(code)));
    expect(answers.filter(({ code: result }) => result === 0)).toHaveLength(1);
  });

  it('gives three tries, and then not even the right one helps', async () => {
    await customer();
    const code = await asked();
    for (const triesLeft of [2, 1, 0]) {
      expect(await enter(otherThan(code))).toMatchObject({ status: 400, errCode: 11, params: { triesLeft } });
    }
    expect(await enter(code)).toMatchObject({ status: 410, errCode: 10 });
  });

  it('gives no more than three tries to twenty guesses at the same moment', async () => {
    await customer();
    const code = await asked();
    const guesses = Array.from({ length: 20 }, (_, index) =>
      String((Number(code) + 1 + index) % 10_000).padStart(4, '0'),
    );
    const answers = await Promise.all(guesses.map((guess) => enter(guess)));
    expect(answers.filter(({ errCode }) => errCode === 11)).toHaveLength(3);
    expect(answers.filter(({ errCode }) => errCode === 10)).toHaveLength(17);
    const failures = await shop.db.select().from(throttles).where(like(throttles.key, 'code failures %'));
    expect(failures.map(({ count }) => count)).toEqual([3, 3, 3]);
    expect((await enter(code)).errCode).toBe(10);
  });

  it('takes the newest code only, and not for long', async () => {
    await customer();
    const old = await asked();
    shop.clock.advance(minuteMs);
    const code = await asked();
    if (old !== code) expect((await enter(old)).errCode).toBe(11);
    shop.clock.advance(10 * minuteMs);
    expect((await enter(code)).errCode).toBe(10);
  });

  it('takes no code that was made for something else', async () => {
    await customer();
    const code = await asked({ scene: 'reset' });
    expect((await enter(code)).errCode).toBe(-3033);
  });

  it('takes no code of another brand or another account', async () => {
    await customer();
    const code = await asked({ scene: 'signup' }, { host: 'mego.localhost' });
    const here = { ...ana, password: 'secret-123', agreePolicy: true, language: 'en', code } as const;
    expect((await shop.request(endpoints.signup, { body: here }, options({}))).errCode).toBe(-3033);
    await asked();
    expect((await enter(await shop.lastCode(ana.account), { account: 'eva@example.com' })).errCode).toBe(-3033);
  });

  it('answers for an account that nobody has as for one that somebody has', async () => {
    await customer();
    const steps = async (account: string) => {
      const answers = [];
      answers.push(await enter('1234', { account }));
      await ask({ account });
      const code = await shop.lastCode(account);
      for (let round = 0; round < 4; round += 1) answers.push(await enter(otherThan(code), { account }));
      return answers.map(({ status, errCode, params }) => ({ status, errCode, params }));
    };
    expect(await steps('nobody@example.com')).toEqual(await steps(ana.account));
  });

  it('does not let anyone in who guesses a code that was sent to nobody', async () => {
    expect((await enter(await asked())).errCode).toBe(11);
  });

  it('waits where one address tries many, and says how long', async () => {
    await spent('code guess lumen 203.0.113.1', 300, minuteMs);
    expect(await enter('1234')).toMatchObject({ status: 423, errCode: 17, params: { waitSeconds: 60 } });
    expect((await enter('1234', {}, { ip: '203.0.113.2' })).errCode).toBe(-3033);
  });

  it('ends a lock of the password, and needs no second mail on a device that is known', async () => {
    const { deviceToken } = await customer();
    await spent(`login lumen ${ana.account} 203.0.113.1`, 20, minuteMs);
    await enter(await asked(), { device: deviceToken });
    const body = { ...ana, password: 'secret-123' };
    expect((await shop.request(endpoints.login, { body }, options({}))).code).toBe(0);
  });

  it('tells an account of a kind that may not', async () => {
    const { uid } = await customer();
    await shop.db.update(users).set({ userType: 'BLOCKED' }).where(eq(users.uid, uid));
    expect(await enter(await asked())).toMatchObject({ status: 403, errCode: 197 });
  });

  it.each([
    [{ account: 'no-address' }, 8],
    [{ account: '12345', type: 'phone' }, 32],
    [{ code: '12a4' }, 5000],
  ])('is refused for %o with %i', async (change, errCode) => {
    expect(await enter('1234', change)).toMatchObject({ status: 400, errCode });
  });
});
