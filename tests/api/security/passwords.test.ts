import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { users } from '#server/db/schema/users.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

const logIn = (account: string, password: string) =>
  shop.request(endpoints.login, { body: { account, type: 'email', password } });

describe('a password', () => {
  it.each([
    ['letters alone', 'abcdefghijkl'],
    ['digits alone', '481516234299'],
    ['a sentence with spaces at both ends', '  correct horse battery staple '],
    ['signs of every kind', `'"\\<>%;--$(){}[]|&*?~\`^`],
    ['letters of other scripts, and pictures', 'пароль 密码 🔑🔑'],
    ['two hundred characters', 'é'.repeat(200)],
  ])('may consist of %s', async (_, password) => {
    const { account } = await shop.customer({ password });
    expect((await logIn(account, password)).code).toBe(0);
  });

  it('is compared exactly: with case, spaces and all characters beyond the seventy-second', async () => {
    const password = ` Sécret ${'x'.repeat(80)}-end `;
    const { account } = await shop.customer({ password });
    const others = [
      password.trim(),
      password.toLowerCase(),
      password.slice(0, -2),
      password.slice(0, 72),
      `${password} `,
    ];
    for (const other of others) expect((await logIn(account, other)).errCode).toBe(3001);
    // the same letters in another Unicode normalisation
    for (const same of [password, password.normalize('NFD')]) expect((await logIn(account, same)).code).toBe(0);
  });

  it('may have 200 characters, and a longer one is refused', async () => {
    const body = { account: 'long@example.com', agreePolicy: true, language: 'en' } as const;
    const signUp = (password: string) =>
      shop.request(endpoints.signup, { body: { ...body, password } }, { host: 'mego.localhost' });
    expect(await signUp('y'.repeat(201))).toMatchObject({ errCode: 5000, params: { field: 'password' } });
    expect((await signUp('y'.repeat(200))).code).toBe(0);
  });

  it('is stored as Argon2id with 19 MiB and two passes, with a salt for each customer', async () => {
    const password = 'the same for both';
    const [ana, bob] = [await shop.customer({ password }), await shop.customer({ password })];
    const hashes = await Promise.all(
      [ana, bob].map(async ({ uid }) => {
        const [row] = await shop.db.select({ hash: users.passwordHash }).from(users).where(eq(users.uid, uid));
        return row?.hash ?? '';
      }),
    );
    for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22,}\$/);
    expect(new Set(hashes).size).toBe(2);
  });

  it('does not expire', async () => {
    const { account, password } = await shop.customer();
    shop.clock.advance(5 * 365 * 86_400_000);
    const { data } = await logIn(account, password);
    const { data: due } = await shop.request(endpoints.queryUrv, {}, { token: data.token });
    expect(due.passwordResetDue).toBe(false);
  });

  it('has no hint and no security question in the API and the database', () => {
    const written = JSON.stringify(Object.keys(endpoints)) + Object.keys(users).join(' ');
    expect(written).not.toMatch(/hint|question|maiden/i);
  });
});
