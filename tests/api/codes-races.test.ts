import { like } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { messageRequests, throttles } from '#server/db/schema/sign-in.ts';
import { users } from '#server/db/schema/users.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';

const twenty = Array.from({ length: 20 }, (_, index) => index);
let opened: Awaited<ReturnType<typeof openOnPostgres>>;
let shop: TestApp;

beforeAll(async () => {
  opened = await openOnPostgres();
  shop = await testApp({ db: opened.db });
}, 120_000);
afterAll(() => opened?.close());

const requestCode = (account: string, scene: 'login' | 'signup') =>
  shop.request(endpoints.sendVerificationCode, { body: { account, type: 'email', scene, language: 'en' } });
const logIn = (account: string, code: string) =>
  shop.request(endpoints.codeLogin, { body: { account, type: 'email', code } });
const codesOf = (answers: readonly { errCode: number | undefined }[]) =>
  answers.map(({ errCode }) => errCode ?? 0).sort((one, other) => one - other);

const times = (count: number, code: number) => Array.from({ length: count }, () => code);

async function customerWithCode(account: string): Promise<string> {
  await shop.customer({ account });
  await shop.db.delete(throttles).where(like(throttles.key, `code %${account}%`));
  await requestCode(account, 'login');
  return shop.lastCode(account);
}

describe('on a real PostgreSQL', { timeout: 60_000 }, () => {
  it('twenty wrong guesses at once count as three tries, and the right code is then refused', async () => {
    const code = await customerWithCode('ana@example.com');
    const guesses = twenty.map((index) => String((Number(code) + 1 + index) % 10_000).padStart(4, '0'));
    const answers = await Promise.all(guesses.map((guess) => logIn('ana@example.com', guess)));
    expect(codesOf(answers)).toEqual([...times(17, 10), ...times(3, 11)]);
    const failures = await shop.db.select().from(throttles).where(like(throttles.key, 'code failures %'));
    expect(failures.map(({ count }) => count)).toEqual([3, 3, 3]);
    expect((await logIn('ana@example.com', code)).errCode).toBe(10);
  });

  it('a right code that is sent twenty times at once logs in once', async () => {
    const code = await customerWithCode('eva@example.com');
    const answers = await Promise.all(twenty.map(() => logIn('eva@example.com', code)));
    expect(answers.filter(({ errCode }) => errCode === undefined)).toHaveLength(1);
  });

  it('twenty requests at once send one code', async () => {
    const answers = await Promise.all(twenty.map(() => requestCode('ivo@example.com', 'login')));
    expect(codesOf(answers)).toEqual([...times(19, -3031), 0]);
    expect(await shop.db.select().from(messageRequests).where(like(messageRequests.account, 'ivo%'))).toHaveLength(1);
  });

  it('twenty sign-ups with one code make one account', async () => {
    const account = 'lia@example.com';
    await requestCode(account, 'signup');
    const code = await shop.lastCode(account);
    const body = { account, password: 'secret-123', agreePolicy: true, language: 'en', code } as const;
    const answers = await Promise.all(twenty.map(() => shop.request(endpoints.signup, { body })));
    expect(answers.filter(({ errCode }) => errCode === undefined)).toHaveLength(1);
    expect(await shop.db.select().from(users).where(like(users.account, account))).toHaveLength(1);
  });

  it('a password change ends every session of a simultaneous login with the old password', async () => {
    const user = await shop.customer({ account: 'rui@example.com' });
    const { account, password, token } = user;
    const body = { currentPassword: password, newPassword: 'a new secret' };
    const [changed, ...logins] = await Promise.all([
      shop.request(endpoints.changePassword, { body }, { token }),
      ...twenty.slice(0, 8).map(() => shop.request(endpoints.login, { body: { account, password, type: 'email' } })),
    ]);
    expect(changed.code).toBe(0);
    for (const login of logins.filter(({ code }) => code === 0)) {
      const still = await shop.request(endpoints.queryUrv, {}, { token: login.data.token });
      expect(still.errCode).toBe(21);
    }
  });
});
