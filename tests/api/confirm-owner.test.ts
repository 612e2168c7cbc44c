import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import type { ConfirmPurpose } from '#contract/confirm-owner.ts';
import { assertConfirmed, consumeConfirmed } from '#server/auth/confirm-owner.ts';
import { findSession, tokenHash } from '#server/auth/session.ts';
import { users } from '#server/db/schema/users.ts';
import { throwRefusal } from '#server/runtime/request/api-error.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp();
});
afterEach(() => shop.close());

type User = Awaited<ReturnType<TestApp['customer']>>;
const byPassword = ({ token, password }: User, purpose: ConfirmPurpose = 'contact') =>
  shop.request(endpoints.confirmOwner, { body: { purpose, password } }, { token });
const requestCode = ({ token }: User) =>
  shop.request(endpoints.sendConfirmCode, { body: { language: 'en' } }, { token });

async function byCode(user: User, code?: string) {
  const { request } = (await requestCode(user)).data;
  const body = { purpose: 'contact', code: code ?? (await shop.lastCode(user.account)), request } as const;
  return shop.request(endpoints.confirmOwner, { body }, { token: user.token });
}

/** The parts of a handler's context that a confirmation reads. */
async function contextOf({ token }: User): Promise<CustomerContext<'requestExpired'>> {
  const brand = shop.deps.catalog.byCode('lumen');
  const user = await findSession(shop.db, 'lumen', tokenHash(token), shop.clock.now);
  // as: a confirmation reads no other part of the context
  return {
    deps: shop.deps,
    brand,
    user,
    tokenHash: tokenHash(token),
    refuse: throwRefusal,
  } as CustomerContext<'requestExpired'>;
}
const isGood = async (user: User, confirmation: string, purpose: ConfirmPurpose = 'contact') => {
  try {
    assertConfirmed(await contextOf(user), purpose, confirmation);
    return true;
  } catch {
    return false;
  }
};

describe('confirming the account owner', () => {
  it('accepts the password for one purpose, one session and ten minutes', async () => {
    const ana = await shop.customer();
    const eva = await shop.customer();
    const { confirmation, expiresAt } = (await byPassword(ana)).data;
    expect(expiresAt).toBe(shop.clock.now + 600_000);
    expect(await isGood(ana, confirmation)).toBe(true);
    expect(await isGood(ana, confirmation, 'deletion')).toBe(false);
    expect(await isGood(eva, confirmation)).toBe(false);
    const again = await shop.request(endpoints.login, {
      body: { account: ana.account, password: ana.password, type: 'email' },
    });
    expect(await isGood({ ...ana, token: again.data.token }, confirmation)).toBe(false);
    expect(
      await isGood(
        ana,
        confirmation.replace(/\d{13}/, (until) => String(Number(until) + 1)),
      ),
    ).toBe(false);
    shop.clock.advance(600_000);
    expect(await isGood(ana, confirmation)).toBe(false);
  });

  it('is consumed once, even by two simultaneous calls', async () => {
    const ana = await shop.customer();
    const { confirmation } = (await byPassword(ana)).data;
    const context = await contextOf(ana);
    const results = await Promise.allSettled([
      consumeConfirmed(shop.db, context, 'contact', confirmation),
      consumeConfirmed(shop.db, context, 'contact', confirmation),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is blocked after ten wrong passwords, whatever their purpose', async () => {
    const ana = await shop.customer();
    for (let round = 0; round < 9; round += 1) {
      expect((await byPassword({ ...ana, password: 'wrong-password' })).errCode).toBe(3);
    }
    const body = { currentPassword: 'wrong-password', newPassword: 'quite-another-one' };
    expect((await shop.request(endpoints.changePassword, { body }, { token: ana.token })).errCode).toBe(3);
    expect(await byPassword(ana, 'deletion')).toMatchObject({ errCode: 17, params: { waitSeconds: 900 } });
  });

  it('accepts a code sent to the customer’s address, which is no login code, and refuses a wrong one', async () => {
    const ana = await shop.customer();
    const { confirmation } = (await byCode(ana)).data;
    expect(await isGood(ana, confirmation)).toBe(true);
    shop.clock.advance(60_000);
    await requestCode(ana);
    const code = await shop.lastCode(ana.account);
    const login = { account: ana.account, type: 'email', code } as const;
    expect((await shop.request(endpoints.codeLogin, { body: login })).code).not.toBe(0);
    shop.clock.advance(60_000);
    const right = await shop.lastCode(ana.account);
    const wrong = right === '0000' ? '0001' : '0000';
    expect(await byCode(ana, wrong)).toMatchObject({ errCode: 11, params: { triesLeft: 2 } });
  });

  it('sends one code a minute and six a day for each session', async () => {
    const ana = await shop.customer();
    expect((await requestCode(ana)).code).toBe(0);
    expect((await requestCode(ana)).errCode).toBe(-3031);
    for (let round = 0; round < 5; round += 1) {
      shop.clock.advance(60_000);
      expect((await requestCode(ana)).code).toBe(0);
    }
    shop.clock.advance(60_000);
    expect(await requestCode(ana)).toMatchObject({ errCode: -3031, params: { waitSeconds: 86_400 - 360 } });
    const body = { account: ana.account, password: ana.password, type: 'email' } as const;
    const { token } = (await shop.request(endpoints.login, { body })).data;
    expect((await requestCode({ ...ana, token })).code).toBe(0);
  });

  it('accepts only a code from a customer without a password', async () => {
    const ana = await shop.customer();
    await shop.db.update(users).set({ passwordHash: null }).where(eq(users.uid, ana.uid));
    expect((await byPassword(ana)).errCode).toBe(4598);
    expect((await byCode(ana)).code).toBe(0);
  });
});
