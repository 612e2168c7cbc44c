import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { makeMailLink } from '#server/auth/mail-links.ts';
import { users } from '#server/db/schema/users.ts';
import { changeContact, emailOf, proofOf } from '#tests/builders/a-contact-change.ts';
import { aMember, linkOf, mailboxOf } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { lumenOf } from '#tests/builders/ways-in.ts';

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

describe('a link that restores the names of an account', () => {
  it('restores the kind of name, too, where the number was removed after it was sent', async () => {
    const ana = await aPhoneAccount();
    await changeContact(shop, ana, emailOf('first@example.com'));
    await changeContact(shop, ana, emailOf('second@example.com'));
    await removeNumber(ana);
    expect(await rowOf(ana.uid)).toMatchObject({ account: 'second@example.com', accountType: 'email' });
    expect((await restore((await restoreTokenOf('first@example.com')) ?? '')).code).toBe(0);
    const names = { account: ana.account, accountType: 'phone', phone: ana.account, email: 'first@example.com' };
    expect(await rowOf(ana.uid)).toMatchObject(names);
    // and its owner gets in by that number again
    shop.clock.advance(60_000);
    const asked = { ...numberOf(ana.account), scene: 'login', language: 'en' } as const;
    await shop.request(endpoints.sendVerificationCode, { body: asked });
    const code = await shop.lastCode(ana.account);
    const entered = await shop.request(endpoints.codeLogin, { body: { ...numberOf(ana.account), code } });
    expect(entered.data).toMatchObject({ uid: ana.uid, type: 'phone' });
  });

  it.each(['email', 'phone'] as const)(
    'of an earlier version restores the kind of an account that was an %s',
    async (was) => {
      const email = `${was}.kind@example.com`;
      const account = was === 'email' ? email : '5511955550001';
      const ana = await aMember(shop, { account, type: was, proven: true });
      const other = was === 'email' ? 'phone' : 'email';
      await shop.db
        .update(users)
        .set({ accountType: other, account: `moved-${was}` })
        .where(eq(users.uid, ana.uid));
      const before = { account, areaCode: ana.areaCode, email, phone: ana.phone, googleSub: null };
      const link = { brand: lumenOf(shop), uid: ana.uid, purpose: 'restore', email, language: 'en', before } as const;
      const url = await shop.db.transaction((tx) => makeMailLink(tx, link, shop.deps));
      expect((await restore(new URL(url).searchParams.get('token') ?? '')).code).toBe(0);
      expect(await rowOf(ana.uid)).toMatchObject({ account, accountType: was, email });
    },
  );

  it('is not sent to an address that nobody has proved', async () => {
    const { account, uid } = await aMember(shop);
    const { token } = (await shop.request(endpoints.login, { body: { ...emailOf(account), password } })).data;
    expect((await changeContact(shop, { token, password }, emailOf('corrected@example.com'))).code).toBe(0);
    expect(await rowOf(uid)).toMatchObject({ account: 'corrected@example.com', email: 'corrected@example.com' });
    expect(await restoreTokenOf(account)).toBeUndefined();
  });

  it('ends with the first proof of the account, because it may be the creator’s', async () => {
    const { account, uid } = await aMember(shop, { type: 'phone' });
    const email = 'creator@example.com';
    const before = { account, accountType: 'phone', areaCode: '55', email, phone: account, googleSub: null } as const;
    const link = { brand: lumenOf(shop), uid, purpose: 'restore', email, language: 'en', before } as const;
    const url = await shop.db.transaction((tx) => makeMailLink(tx, link, shop.deps));
    const asked = { ...numberOf(account), scene: 'login', language: 'en' } as const;
    await shop.request(endpoints.sendVerificationCode, { body: asked });
    const code = await shop.lastCode(account);
    expect((await shop.request(endpoints.codeLogin, { body: { ...numberOf(account), code } })).code).toBe(0);
    expect((await restore(new URL(url).searchParams.get('token') ?? '')).errCode).toBe(10302);
    expect((await rowOf(uid))?.email).toBeNull();
  });
});
