import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { customerOfBrand } from '#server/operator/open-shop.ts';
import { anSsoToken, type TokenOptions } from '#tests/builders/an-sso-token.ts';
import { testApp, type CallOptions, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
let ana: { uid: string; account: string };
beforeEach(async () => {
  shop = await testApp();
  ana = await shop.customer({ account: 'ana@example.com' });
  await shop.db.delete(sessions);
});
afterEach(() => shop.close());

const token = (wish: TokenOptions = {}) => anSsoToken(shop, { uid: ana.uid, ...wish });
const open = (given: string, named: object = {}, options: CallOptions = {}) =>
  shop.request(endpoints.sso, { body: { token: given, ...named } }, options);

describe('the account in a login link', () => {
  it('may be the user id, the account or the email address in any notation', async () => {
    await shop.db.update(users).set({ email: 'bound@example.com' }).where(eq(users.uid, ana.uid));
    const named = [
      { accountId: ana.uid, loginId: 'ANA@example.com ' },
      { accountId: 'Bound@Example.com' },
      { accountId: '', loginId: '' },
    ];
    for (const names of named) expect((await open(await token(), names)).code).toBe(0);
  });

  it('may be a phone number with or without its area code', async () => {
    await shop.db
      .update(users)
      .set({ account: '5511987654321', accountType: 'phone', areaCode: '55', email: null })
      .where(eq(users.uid, ana.uid));
    for (const loginId of ['+55 (11) 98765-4321', '11987654321']) {
      expect((await open(await token(), { loginId })).code).toBe(0);
    }
    expect((await open(await anSsoToken(shop, { account: '+55 11 98765-4321' }))).code).toBe(0);
    expect((await open(await token(), { loginId: '4321' })).errCode).toBe(-24050);
  });

  it('may be an added phone number in any notation', async () => {
    await shop.db.update(users).set({ phone: '5511987654321', areaCode: '55' }).where(eq(users.uid, ana.uid));
    for (const account of ['+5511987654321', '+55 (11) 98765-4321', '11987654321']) {
      expect((await open(await anSsoToken(shop, { account }))).data?.uid).toBe(ana.uid);
      expect((await open(await token(), { accountId: account, loginId: 'ana@example.com' })).code).toBe(0);
    }
    expect((await open(await anSsoToken(shop, { account: '+5511987654322' }))).errCode).toBe(-24031);
    expect((await open(await token(), { loginId: '+5511987654322' })).errCode).toBe(-24050);
  });

  it('may not be an email address with the digits of the phone number', async () => {
    const number = { account: '5511987654321', accountType: 'phone', areaCode: '55', email: null } as const;
    await shop.db.update(users).set(number).where(eq(users.uid, ana.uid));
    const loginId = '5511987654321@example.com';
    expect((await open(await token(), { loginId })).errCode).toBe(-24050);
    const named = { account: 'ana@example.com', accountType: 'email', phone: '5511987654321' } as const;
    await shop.db.update(users).set(named).where(eq(users.uid, ana.uid));
    expect((await open(await token(), { loginId })).errCode).toBe(-24050);
  });

  describe('of a phone number whose area code is also a country code', () => {
    const customerWithNumber = async (account: string) => {
      const { uid } = await shop.customer({ account: `${account}@example.com` });
      const number = { account, accountType: 'phone', areaCode: '55', email: null } as const;
      await shop.db.update(users).set(number).where(eq(users.uid, uid));
      return uid;
    };
    const loggedInAs = async (account: string) => (await open(await anSsoToken(shop, { account }))).data?.uid;

    it.each(['51987654321', '49987654321', '81987654321', '34987654321'])('is found: %s', async (national) => {
      const uid = await customerWithNumber(`55${national}`);
      for (const account of [national, `0${national}`, `55${national}`, `+55${national}`])
        expect(await loggedInAs(account), account).toBe(uid);
      expect((await open(await anSsoToken(shop, { uid }), { loginId: national })).code).toBe(0);
    });

    it('is found in that country too, and without a plus only if it is unambiguous', async () => {
      const peruvian = await customerWithNumber('51987654321');
      expect(await loggedInAs('51987654321')).toBe(peruvian);
      const brazilian = await customerWithNumber('5551987654321');
      expect(await loggedInAs('+51987654321')).toBe(peruvian);
      expect(await loggedInAs('+5551987654321')).toBe(brazilian);
      expect((await open(await anSsoToken(shop, { account: '51987654321' }))).errCode).toBe(-24031);
    });

    it('is found by operators', async () => {
      const brand = shop.deps.catalog.byCode('lumen');
      if (!brand) throw new Error('no brand');
      const uid = await customerWithNumber('5551987654321');
      expect((await customerOfBrand(shop.deps, brand, '51 98765-4321')).uid).toBe(uid);
      await customerWithNumber('51987654321');
      await expect(customerOfBrand(shop.deps, brand, '51987654321')).rejects.toThrow('several customers');
      expect((await customerOfBrand(shop.deps, brand, '+55 51 98765-4321')).uid).toBe(uid);
    });
  });

  it('may not belong to another customer, and the token stays valid', async () => {
    await shop.customer({ account: 'bia@example.com' });
    const link = await token();
    expect((await open(link, { accountId: ana.uid, loginId: 'bia@example.com' })).errCode).toBe(-24050);
    expect((await open(link, { accountId: 'somebody' })).errCode).toBe(-24050);
    expect((await open(link, { accountId: ana.uid })).code).toBe(0);
  });
});
