import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { linkOf, mailboxOf } from '#tests/builders/a-mailbox.ts';
import { anSsoToken } from '#tests/builders/an-sso-token.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { anAddress, host, minuteMs, nameCalls } from '#tests/builders/a-name.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp();
});
afterEach(() => shop.close());

const { signUp, logInByCode, logIn } = nameCalls(() => shop);

describe('the creator of an account', () => {
  it('keeps access after verifying the address on the device of the sign-up', async () => {
    const name = anAddress('ana');
    const ana = await signUp(name);
    const [mail] = await mailboxOf(shop, name.account, host);
    const body = { token: linkOf(mail ?? { text: '' }).token };
    const { data } = await shop.request(endpoints.activeUser, { body }, { token: ana.token, host });
    expect(data).toEqual({ email: name.account });
    expect((await logIn(name, ana.password)).code).toBe(0);
    expect(
      (await shop.request(endpoints.orders, { body: { page: 1, size: 1 } }, { token: ana.token, host })).code,
    ).toBe(0);
  });

  it('is not recognised by a later session in the browser of the owner', async () => {
    const name = anAddress('victim');
    const attacker = await signUp(name);
    shop.clock.advance(minuteMs);
    const { token } = (await logIn(name, attacker.password)).data;
    const mail = (await mailboxOf(shop, name.account, host)).find(({ text }) => text.includes('/activate'));
    const body = { token: linkOf(mail ?? { text: '' }).token };
    const { data } = await shop.request(endpoints.activeUser, { body }, { token, host });
    expect(data.passwordToken).toBeDefined();
    expect((await logIn(name, attacker.password)).errCode).toBe(3001);
  });

  it('is not recognised by a link of the attacker’s app', async () => {
    const name = anAddress('victim');
    const attacker = await signUp(name);
    const link = { token: await anSsoToken(shop, { brand: 'baobab', uid: attacker.uid }) };
    const { data } = await shop.request(endpoints.sso, { body: link }, { host });
    expect(data.uid).toBe(attacker.uid);
    expect((await logInByCode(name, data.deviceToken)).code).toBe(0);
    expect((await logIn(name, attacker.password)).errCode).toBe(3001);
  });

  it('keeps access after a login by code on a known device', async () => {
    const name = anAddress('ana');
    const ana = await signUp(name);
    expect((await logInByCode(name, ana.deviceToken)).code).toBe(0);
    expect((await logIn(name, ana.password)).code).toBe(0);
  });

  it('chooses a new password at once after verifying the address on another device', async () => {
    const name = anAddress('ana');
    const ana = await signUp(name);
    const [mail] = await mailboxOf(shop, name.account, host);
    const link = { token: linkOf(mail ?? { text: '' }).token };
    const { passwordToken = '' } = (await shop.request(endpoints.activeUser, { body: link }, { host })).data;
    expect((await logIn(name, ana.password)).errCode).toBe(3001);
    const body = { token: passwordToken, password: 'a password of the owner' };
    expect((await shop.request(endpoints.emailResetPassword, { body }, { host })).code).toBe(0);
    expect((await logIn(name, 'a password of the owner')).code).toBe(0);
  });
});
