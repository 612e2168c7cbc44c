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
let signUps = 0;

function signUp(password: string, account = `visitor-of-${(signUps += 1)}@example.com`) {
  const body = { account, password, agreePolicy: true, language: 'en' } as const;
  return shop.request(endpoints.signup, { body }, mego);
}

describe('a new password that is easy to guess', () => {
  const used = dictionary['passwords-common'].filter((one) => one.length >= minPasswordLength);

  it('is compared with more than forty thousand of the most leaked passwords', () => {
    expect(used.length).toBeGreaterThan(40_000);
    expect(used).toEqual(expect.arrayContaining(['123456', 'password', 'qwerty123', 'iloveyou']));
  });

  it('is refused at sign-up: a sample of the most common three thousand, in any case', async () => {
    const some = used.slice(0, 3000).filter((_, index) => index % 100 === 0);
    for (const password of [...some, 'PassWord', 'QWERTY123']) expect(await signUp(password)).toMatchObject(refused);
  });

  it.each(['Mego2026!', '1mego1', '--MEGO--', 'Marquee123', 'carla.souza1', 'Carla.Souza@example.com'])(
    'is refused if it is the name of the brand, the product or the customer: %s',
    async (password) => {
      expect(await signUp(password, 'carla.souza@example.com')).toMatchObject(refused);
    },
  );

  it('may contain such a name as part of a phrase', async () => {
    for (const password of ['mego and my two dogs', 'passwordless-tortoise', '!"§$%&/()=', 'carla kocht gern'])
      expect((await signUp(password)).code).toBe(0);
  });

  it('is refused when the password is changed, and the old one stays valid', async () => {
    const { account, password, token } = await shop.customer();
    const body = { currentPassword: password, newPassword: 'football1' };
    const answer = await shop.request(endpoints.changePassword, { body }, { token });
    expect(answer).toMatchObject({ errCode: 5000, params: { field: 'newPassword' } });
    const again = await shop.request(endpoints.login, { body: { account, type: 'email', password } });
    expect(again.code).toBe(0);
  });

  it('is refused with an emailed code, which stays valid for a better password', async () => {
    const { account } = await shop.customer();
    const identity = { account, type: 'email' } as const;
    // a code was requested by the sign-up just before
    shop.clock.advance(60_001);
    await shop.request(endpoints.sendVerificationCode, { body: { ...identity, scene: 'reset', language: 'en' } });
    const code = await shop.lastCode(account.toLowerCase());
    const reset = (password: string) => shop.request(endpoints.resetPasswd, { body: { ...identity, code, password } });
    expect(await reset('dragon123')).toMatchObject(refused);
    expect((await reset('a dragon of my own')).code).toBe(0);
  });

  it('is refused with an emailed link, which stays valid for a better password', async () => {
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

it('an existing password that would be refused today still logs in', async () => {
  const { account } = await aMember(shop, { password: '123456' });
  const body = { account, type: 'email', password: '123456' } as const;
  expect((await shop.request(endpoints.login, { body })).code).toBe(0);
});
