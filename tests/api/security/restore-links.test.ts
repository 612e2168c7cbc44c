import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { makeMailLink } from '#server/auth/mail-links.ts';
import { users } from '#server/db/schema/users.ts';
import { changeContact, emailOf, proofOf } from '#tests/builders/a-contact-change.ts';
import { aMember, linkOf, mailboxOf } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { lumenOf } from '#tests/builders/access-paths.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

const password = 'secret-123';
const numberOf = (account: string) => ({ account: account.slice(2), type: 'phone', areaCode: '55' }) as const;
const rowOf = async (uid: string) => (await shop.db.select().from(users).where(eq(users.uid, uid)))[0];
const restore = (token: string) => shop.request(endpoints.restoreContact, { body: { token } });
async function restoreTokenOf(address: string): Promise<string | undefined> {
  const mail = (await mailboxOf(shop, address)).find(({ text }) => text.includes('/restoreEmail?'));
  return mail && linkOf(mail).token;
}
async function aPhoneAccount() {
  const { account, uid } = await aMember(shop, { type: 'phone', proven: true });
  const { token } = (await shop.request(endpoints.login, { body: { ...numberOf(account), password } })).data;
  return { account, uid, token, password };
}
async function removeNumber(who: { token: string; password: string }) {
  const body = { confirmation: await proofOf(shop, who) };
  expect((await shop.request(endpoints.removePhone, { body }, { token: who.token })).code).toBe(0);
}

describe('a link that restores the contact details', () => {
  it('also restores the login name if the phone number was removed after it was sent', async () => {
    const ana = await aPhoneAccount();
    await changeContact(shop, ana, emailOf('first@example.com'));
    await changeContact(shop, ana, emailOf('second@example.com'));
    await removeNumber(ana);
    expect(await rowOf(ana.uid)).toMatchObject({ account: 'second@example.com', accountType: 'email' });
    expect((await restore((await restoreTokenOf('first@example.com')) ?? '')).code).toBe(0);
    const names = { account: ana.account, accountType: 'phone', phone: ana.account, email: 'first@example.com' };
    expect(await rowOf(ana.uid)).toMatchObject(names);
    // the owner can log in with that number again
    shop.clock.advance(60_000);
    const codeRequest = { ...numberOf(ana.account), scene: 'login', language: 'en' } as const;
    await shop.request(endpoints.sendVerificationCode, { body: codeRequest });
    const code = await shop.lastCode(ana.account);
    const login = await shop.request(endpoints.codeLogin, { body: { ...numberOf(ana.account), code } });
    expect(login.data).toMatchObject({ uid: ana.uid, type: 'phone' });
  });

  it.each(['email', 'phone'] as const)(
    'of an earlier version restores the original account type: %s',
    async (originalType) => {
      const email = `${originalType}.kind@example.com`;
      const account = originalType === 'email' ? email : '5511955550001';
      const ana = await aMember(shop, { account, type: originalType, proven: true });
      const other = originalType === 'email' ? 'phone' : 'email';
      await shop.db
        .update(users)
        .set({ accountType: other, account: `moved-${originalType}` })
        .where(eq(users.uid, ana.uid));
      const before = { account, areaCode: ana.areaCode, email, phone: ana.phone, googleSub: null };
      const link = { brand: lumenOf(shop), uid: ana.uid, purpose: 'restore', email, language: 'en', before } as const;
      const url = await shop.db.transaction((tx) => makeMailLink(tx, link, shop.deps));
      expect((await restore(new URL(url).searchParams.get('token') ?? '')).code).toBe(0);
      expect(await rowOf(ana.uid)).toMatchObject({ account, accountType: originalType, email });
    },
  );

  it('is not sent to an unverified address', async () => {
    const { account, uid } = await aMember(shop);
    const { token } = (await shop.request(endpoints.login, { body: { ...emailOf(account), password } })).data;
    expect((await changeContact(shop, { token, password }, emailOf('corrected@example.com'))).code).toBe(0);
    expect(await rowOf(uid)).toMatchObject({ account: 'corrected@example.com', email: 'corrected@example.com' });
    expect(await restoreTokenOf(account)).toBeUndefined();
  });

  it('is invalid after the first verification, because an attacker may have created the account', async () => {
    const { account, uid } = await aMember(shop, { type: 'phone' });
    const email = 'creator@example.com';
    const before = { account, accountType: 'phone', areaCode: '55', email, phone: account, googleSub: null } as const;
    const link = { brand: lumenOf(shop), uid, purpose: 'restore', email, language: 'en', before } as const;
    const url = await shop.db.transaction((tx) => makeMailLink(tx, link, shop.deps));
    const codeRequest = { ...numberOf(account), scene: 'login', language: 'en' } as const;
    await shop.request(endpoints.sendVerificationCode, { body: codeRequest });
    const code = await shop.lastCode(account);
    expect((await shop.request(endpoints.codeLogin, { body: { ...numberOf(account), code } })).code).toBe(0);
    expect((await restore(new URL(url).searchParams.get('token') ?? '')).errCode).toBe(10302);
    expect((await rowOf(uid))?.email).toBeNull();
  });
});
