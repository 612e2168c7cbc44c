import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CodeScene } from '#contract/codes.ts';
import * as endpoints from '#contract/index.ts';
import { hiddenFailedCodesKey } from '#server/auth/code-guesses.ts';
import { throttles } from '#server/db/schema/sign-in.ts';
import { users } from '#server/db/schema/users.ts';
import { aCaller, type Caller, type Name } from '#tests/builders/a-caller.ts';
import { aMember, mailboxOf } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterEach(() => shop.close());

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const email: Name = { account: 'bound@example.com', type: 'email' };
const otherThan = (code: string) => String((Number(code) + 1) % 10_000).padStart(4, '0');

/** A customer with a phone number and an email address that was added to it. */
async function withTwoNames(): Promise<Name> {
  const { uid, account } = await aMember(shop, { type: 'phone', proven: true });
  await shop.db.update(users).set({ email: email.account }).where(eq(users.uid, uid));
  return { account: account.slice(2), type: 'phone', areaCode: '55' };
}

const plainName = ({ account, areaCode = '' }: Name) => `${areaCode}${account}`;
const submitCode = (caller: Caller, name: Name, scene: 'login' | 'reset', code: string, request?: string) =>
  scene === 'login'
    ? caller.call(endpoints.codeLogin, { body: { ...name, code, request } })
    : caller.call(endpoints.resetPasswd, { body: { ...name, code, request, password: 'a new secret' } });

/** Requests a code and enters a wrong one until it is refused; returns the error codes. */
async function exhaustCode(caller: Caller, name: Name, scene: 'login' | 'reset'): Promise<(number | undefined)[]> {
  const request = await caller.askCode(name, scene);
  const code = otherThan(await shop.lastCode(plainName(name)));
  const errors: (number | undefined)[] = [];
  for (let tries = 0; tries < 4; tries += 1) {
    errors.push((await submitCode(caller, name, scene, code, request.data.request)).errCode);
  }
  shop.clock.advance(minuteMs);
  return errors;
}

/** Whether the right code is accepted now. */
async function loginError(caller: Caller, name: Name, scene: 'login' | 'reset') {
  const { request } = (await caller.askCode(name, scene)).data;
  const answer = await submitCode(caller, name, scene, await shop.lastCode(plainName(name)), request);
  shop.clock.advance(minuteMs);
  return answer.errCode ?? 0;
}

const caller = (index: number) => aCaller(shop, `203.0.113.${index}`);

describe('verification codes of one customer', () => {
  it('can be tried nine times a day, for all purposes and requests together', async () => {
    await aMember(shop, email);
    const errors: (number | undefined)[] = [];
    for (let round = 0; round < 8; round += 1) {
      errors.push(...(await exhaustCode(caller(round), email, round % 2 ? 'login' : 'reset')));
    }
    expect(errors.filter((code) => code === 11)).toHaveLength(9);
    expect(await loginError(caller(99), email, 'login')).toBe(17);
    shop.clock.advance(dayMs);
    expect(await loginError(caller(99), email, 'login')).toBe(0);
  });

  it('can be tried nine times by email and phone together, without revealing that they belong together', async () => {
    const number = await withTwoNames();
    expect((await exhaustCode(caller(1), number, 'login')).filter((code) => code === 11)).toHaveLength(3);
    expect((await exhaustCode(caller(2), email, 'login')).filter((code) => code === 11)).toHaveLength(3);
    expect((await exhaustCode(caller(3), number, 'reset')).filter((code) => code === 11)).toHaveLength(3);
    // a caller gets the same errors as for any wrong code and for an unknown name
    const unknownName: Name = { account: 'nobody@example.com', type: 'email' };
    await exhaustCode(caller(2), unknownName, 'login');
    expect(await exhaustCode(caller(4), email, 'login')).toEqual(await exhaustCode(caller(4), unknownName, 'login'));
    // the right code is then refused as well, by either name
    expect(await loginError(caller(5), email, 'reset')).toBe(11);
    expect(await loginError(caller(5), number, 'login')).toBe(11);
    shop.clock.advance(dayMs);
    expect(await loginError(caller(5), email, 'login')).toBe(0);
  });

  it('are not sent once they cannot be tried: the email address gets a link instead', async () => {
    const number = await withTwoNames();
    for (let round = 0; round < 3; round += 1) await exhaustCode(caller(round), number, 'login');
    expect((await caller(9).askCode(email, 'login')).code).toBe(0);
    const [newest] = await mailboxOf(shop, email.account);
    expect(newest?.text).toContain('/resetPassword?');
  });

  it.each(['login', 'reset'] as const)(
    'fail a hundred times in total, and then never %s by code again',
    { tags: 'slow' },
    async (scene) => {
      await aMember(shop, email);
      let wrong = 0;
      for (let day = 0; day < 12; day += 1) {
        for (let round = 0; round < 3; round += 1) {
          const request = await caller(day).askCode(email, scene);
          if (request.errCode === 4598) break;
          const code = otherThan(await shop.lastCode(email.account));
          for (let tries = 0; tries < 3; tries += 1) {
            wrong += Number((await submitCode(caller(day), email, scene, code, request.data.request)).errCode === 11);
          }
          shop.clock.advance(minuteMs);
        }
        shop.clock.advance(dayMs);
      }
      expect(wrong).toBe(100);
      expect((await caller(50).askCode(email, scene)).errCode).toBe(4598);
      expect((await caller(50).askReset(email.account)).code).toBe(0);
      expect((await mailboxOf(shop, email.account))[0]?.text).toContain('/resetPassword?');
    },
  );

  it('fail a hundred times in total by email and phone together', { tags: 'slow' }, async () => {
    const number = await withTwoNames();
    const { uid } = (await shop.db.select().from(users))[0] ?? { uid: '' };
    const key = hiddenFailedCodesKey(shop.deps, { brand: 'lumen', customer: `uid ${uid}` });
    await shop.db.insert(throttles).values({ key, count: 100, resetsAt: shop.clock.now + 99 * dayMs });
    expect(await loginError(caller(1), number, 'login')).toBe(11);
    expect(await loginError(caller(1), email, 'login')).toBe(11);
  });
});

describe('three verification codes a day', () => {
  it('are available to each customer and purpose without proof of work', async () => {
    await aMember(shop, email);
    const customer = caller(1);
    for (const scene of ['login', 'signup', 'reset'] as const satisfies CodeScene[]) {
      for (let round = 0; round < 3; round += 1) {
        expect((await customer.askCode(email, scene)).data.waitSeconds).toBe(60);
        shop.clock.advance(minuteMs);
      }
    }
    expect(customer.worked()).toBe(0);
    expect((await customer.askCode(email, 'login')).code).toBe(0);
    expect(customer.worked()).toBe(1);
  });
});

it('right codes are not counted as attempts: twenty logins a day are possible', async () => {
  await aMember(shop, email);
  for (let round = 0; round < 20; round += 1) expect(await loginError(caller(1), email, 'login')).toBe(0);
});

it('a device that logged in by one name is known by the other', async () => {
  const number = await withTwoNames();
  const knownDevice = caller(1);
  const { data } = await knownDevice.logIn(number, 'secret-123');
  for (let tries = 0; tries < 12; tries += 1) await knownDevice.logIn(email, 'a guess');
  const before = knownDevice.worked();
  expect((await knownDevice.logIn(email, 'secret-123', data.deviceToken)).code).toBe(0);
  expect(knownDevice.worked()).toBe(before);
});
