import { eq, like } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { throttles } from '#server/db/schema/sign-in.ts';
import { users } from '#server/db/schema/users.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';
import { ana, codeCalls, minuteMs } from '#tests/builders/code-calls.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp({ env: { TRUST_PROXY: '127.0.0.1' }, deps: ({ random }) => ({ random: { ...random } }) });
});
afterEach(() => shop.close());

const { options, ask, enter, asked, otherThan, customer, spent } = codeCalls(() => shop);

describe('logging in by a code', () => {
  it('logs in once and confirms the address', async () => {
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

  it('logs in one of several simultaneous requests with the right code', async () => {
    await customer();
    const code = await asked();
    const answers = await Promise.all(Array.from({ length: 6 }, () => enter(code)));
    expect(answers.filter(({ code: result }) => result === 0)).toHaveLength(1);
  });

  it('allows three tries, after which the right code is refused', async () => {
    await customer();
    const code = await asked();
    for (const triesLeft of [2, 1, 0]) {
      expect(await enter(otherThan(code))).toMatchObject({ status: 400, errCode: 11, params: { triesLeft } });
    }
    expect(await enter(code)).toMatchObject({ status: 410, errCode: 10 });
  });

  it('allows no more than three tries to twenty simultaneous guesses', async () => {
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

  it('accepts the newest code only, for ten minutes', async () => {
    await customer();
    const old = await asked();
    shop.clock.advance(minuteMs);
    vi.spyOn(shop.deps.random, 'text').mockReturnValueOnce(otherThan(old));
    const code = await asked();
    expect(code).toBe(otherThan(old));
    expect((await enter(old)).errCode).toBe(11);
    shop.clock.advance(10 * minuteMs - 1);
    expect((await enter(otherThan(code))).errCode).toBe(11);
    shop.clock.advance(1);
    expect((await enter(code)).errCode).toBe(10);
  });

  it('refuses a code for another purpose', async () => {
    await customer();
    const code = await asked({ scene: 'reset' });
    expect((await enter(code)).errCode).toBe(-3033);
  });

  it('refuses a code of another brand or another account', async () => {
    await customer();
    const code = await asked({ scene: 'signup' }, { host: 'mego.localhost' });
    const body = { ...ana, password: 'secret-123', agreePolicy: true, language: 'en', code } as const;
    expect((await shop.request(endpoints.signup, { body }, options({}))).errCode).toBe(-3033);
    await asked();
    expect((await enter(await shop.lastCode(ana.account), { account: 'eva@example.com' })).errCode).toBe(-3033);
  });

  it('answers for an unknown account as for an existing one', async () => {
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

  it('refuses the right code for an account that does not exist', async () => {
    expect((await enter(await asked())).errCode).toBe(11);
  });

  it('blocks an address that tries many codes, and reports for how long', async () => {
    await spent('code guess lumen 203.0.113.1', 300, minuteMs);
    expect(await enter('1234')).toMatchObject({ status: 423, errCode: 17, params: { waitSeconds: 60 } });
    expect((await enter('1234', {}, { ip: '203.0.113.2' })).errCode).toBe(-3033);
  });

  it('ends a lock of the password, and needs no second email on a known device', async () => {
    const { deviceToken } = await customer();
    await spent(`login lumen ${ana.account} 203.0.113.1`, 20, minuteMs);
    await enter(await asked(), { device: deviceToken });
    const body = { ...ana, password: 'secret-123' };
    expect((await shop.request(endpoints.login, { body }, options({}))).code).toBe(0);
  });

  it('refuses a blocked account', async () => {
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
