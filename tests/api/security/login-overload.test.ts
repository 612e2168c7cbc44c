import { like } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changePassword, login, resetPasswd, sendVerificationCode } from '#contract/index.ts';
import { throttles } from '#server/db/schema/sign-in.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

/** The limit of simultaneous logins from one address. */
const share = 64;
let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

const logIn = (account: string, password = 'a wrong password') =>
  shop.request(login, { body: { account, type: 'email', password } });

describe('more logins than the server can process', { tags: 'slow' }, () => {
  it('are refused with a wait before an attempt is counted, equally for existing and unknown accounts', async () => {
    const owner = await shop.customer();
    const customers = await Promise.all(Array.from({ length: 8 }, () => shop.customer()));
    const accounts = Array.from({ length: 3 * share }, (_, n) =>
      n % 2 === 0 ? `nobody.${n}@example.com` : (customers[n % customers.length]?.account ?? ''),
    );
    const answers = await Promise.all(accounts.map((account) => logIn(account)));
    const summary = (own: typeof answers) => own.map(({ status, errCode }) => `${status} ${errCode}`);
    const [unknown, known] = [0, 1].map((rest) => summary(answers.filter((_, n) => n % 2 === rest)));
    expect(known).toEqual(unknown);
    expect(new Set(unknown)).toEqual(new Set(['401 3001', '503 -24040']));
    const refused = answers.filter(({ errCode }) => errCode === -24040);
    expect(refused).toHaveLength(accounts.length - share);
    expect(refused[0]?.headers.get('retry-after')).toBe('3');
    const tries = await shop.db.select().from(throttles).where(like(throttles.key, 'login lumen %@example.com'));
    expect(tries.reduce((sum, { count }) => sum + count, 0)).toBe(share);
    expect((await logIn(owner.account, owner.password)).code).toBe(0);
  });

  it('consume neither the code of a password reset nor an attempt to change the password', async () => {
    const { account, password, token } = await shop.customer();
    const ask = { account, type: 'email', scene: 'reset', language: 'en' } as const;
    shop.clock.advance(61_000);
    await shop.request(sendVerificationCode, { body: ask });
    const code = await shop.lastCode(account);
    const newPassword = 'a new password';
    const reset = () => shop.request(resetPasswd, { body: { account, type: 'email', code, password: newPassword } });
    const change = () => shop.request(changePassword, { body: { currentPassword: password, newPassword } }, { token });
    const others = Array.from({ length: share }, (_, n) => logIn(`crowd.${n}@example.com`));
    // a login takes more steps than a reset before it is admitted; this one is refused once all others are
    expect((await logIn('late@example.com')).errCode).toBe(-24040);
    const [tooEarly, changed] = await Promise.all([reset(), change()]);
    expect([tooEarly.errCode, changed.errCode]).toEqual([-24040, -24040]);
    await Promise.all(others);
    expect((await reset()).code).toBe(0);
    expect((await logIn(account, newPassword)).code).toBe(0);
  });
});
