import { dictionary } from '@zxcvbn-ts/language-common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { minPasswordLength } from '#contract/limits.ts';
import { aMember, linkOf, mailboxOf } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

const mego = { host: 'mego.localhost' };
const refused = { status: 400, errCode: 5000, params: { field: 'password' } };
let people = 0;

function signUp(password: string, account = `visitor-of-${(people += 1)}@example.com`) {
  const body = { account, password, agreePolicy: true, language: 'en' } as const;
  return shop.request(endpoints.signup, { body }, mego);
}

describe('a new password that guessers try first', () => {
  const used = dictionary['passwords-common'].filter((one) => one.length >= minPasswordLength);

  it('is one of the forty thousand that leaked most, and the list is there', () => {
    expect(used.length).toBeGreaterThan(40_000);
    expect(used).toEqual(expect.arrayContaining(['123456', 'password', 'qwerty123', 'iloveyou']));
  });

  it('is refused at sign-up: the most used three thousand, a hundredth of them here, in any case', async () => {
    const some = used.slice(0, 3000).filter((_, index) => index % 100 === 0);
    for (const password of [...some, 'PassWord', 'QWERTY123']) expect(await signUp(password)).toMatchObject(refused);
  });

  it.each(['Mego2026!', '1mego1', '--MEGO--', 'Marquee123', 'carla.souza1', 'Carla.Souza@example.com'])(
    'is refused as the name of the brand, the shop or oneself: %s',
    async (password) => {
      expect(await signUp(password, 'carla.souza@example.com')).toMatchObject(refused);
    },
  );

  it('is not one that only holds such a word, nor is any sentence of one’s own', async () => {
    for (const password of ['mego and my two dogs', 'passwordless-tortoise', '!"§$%&/()=', 'carla kocht gern'])
      expect((await signUp(password)).code).toBe(0);
  });

  it('is refused when the password is changed, and the old one stays', async () => {
    const { account, password, token } = await shop.customer();
    const body = { currentPassword: password, newPassword: 'football1' };
    const answer = await shop.request(endpoints.changePassword, { body }, { token });
    expect(answer).toMatchObject({ errCode: 5000, params: { field: 'newPassword' } });
    const again = await shop.request(endpoints.login, { body: { account, type: 'email', password } });
    expect(again.code).toBe(0);
  });

  it('is refused with a code that was mailed, which stays good for a better one', async () => {
    const { account } = await shop.customer();
    const who = { account, type: 'email' } as const;
    // the code of the sign-up was asked for a moment ago
    shop.clock.advance(60_001);
    await shop.request(endpoints.sendVerificationCode, { body: { ...who, scene: 'reset', language: 'en' } });
    const code = await shop.lastCode(account.toLowerCase());
    const reset = (password: string) => shop.request(endpoints.resetPasswd, { body: { ...who, code, password } });
    expect(await reset('dragon123')).toMatchObject(refused);
    expect((await reset('a dragon of my own')).code).toBe(0);
  });

  it('is refused with a link that was mailed, which stays good for a better one', async () => {
    const { account } = await shop.customer();
    await shop.request(endpoints.resetPasswordByEmail, { body: { email: account, language: 'en' } });
    const mails = await mailboxOf(shop, account.toLowerCase());
    const mail = mails.find(({ text }) => text.includes('/resetPassword?token='));
    const { token } = linkOf(mail ?? { text: '' });
    const reset = (password: string) => shop.request(endpoints.emailResetPassword, { body: { token, password } });
    expect(await reset('123456789')).toMatchObject(refused);
    expect((await reset('a link of my own')).code).toBe(0);
  });
});

it('somebody whose password was chosen before it was refused still logs in with it', async () => {
  const { account } = await aMember(shop, { password: '123456' });
  const body = { account, type: 'email', password: '123456' } as const;
  expect((await shop.request(endpoints.login, { body })).code).toBe(0);
});
