import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { users } from '#server/db/schema/users.ts';
import { changeContact, emailOf, proofOf, type Changing } from '#tests/builders/a-contact-change.ts';
import { aMember, linkOf, mailboxOf } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

const number = (account: string) => ({ account, type: 'phone', areaCode: '55' }) as const;
const logIn = (name: ReturnType<typeof number> | ReturnType<typeof emailOf>, password: string) =>
  shop.request(endpoints.login, { body: { ...name, password } });
const remove = (token: string, confirmation: string) =>
  shop.request(endpoints.removePhone, { body: { confirmation } }, { token });
const settingsOf = async ({ token }: Pick<Changing, 'token'>) =>
  (await shop.request(endpoints.ownSettings, { body: {} }, { token })).data;
const rowOf = async (uid: string) => (await shop.db.select().from(users).where(eq(users.uid, uid)))[0];
async function removalMailTo(address: string) {
  const found = (await mailboxOf(shop, address)).find(({ subject }) => subject.includes('no longer has a number'));
  if (!found) throw new Error(`nothing was told to ${address}`);
  return found;
}

describe('the phone number of an account', () => {
  it('is removed by its owner, can no longer log in, and the email address can revert it', async () => {
    const ana = await shop.customer();
    await changeContact(shop, ana, number('11987650101'));
    expect(await settingsOf(ana)).toMatchObject({ phone: '5511987650101', phoneRemovable: true });
    expect((await remove(ana.token, 'x'.repeat(60))).errCode).toBe(-3034);
    const proof = await proofOf(shop, ana);
    expect((await remove(ana.token, proof)).data).toMatchObject({ account: ana.account, type: 'email' });
    expect((await remove(ana.token, proof)).errCode).toBe(-3034);
    expect(await settingsOf(ana)).toMatchObject({ phone: null, phoneRemovable: false });
    expect((await logIn(number('11987650101'), ana.password)).errCode).toBe(3001);
    expect((await logIn(emailOf(ana.account), ana.password)).data.uid).toBe(ana.uid);
    const removalMail = await removalMailTo(ana.account);
    expect(removalMail.text).not.toContain('11987650101');
    expect(await shop.db.select().from(outbox).where(eq(outbox.recipient, '5511987650101'))).toEqual([]);
    await shop.request(endpoints.restoreContact, { body: { token: linkOf(removalMail).token } });
    expect(await rowOf(ana.uid)).toMatchObject({ phone: '5511987650101', passwordHash: null });
  });

  it('is replaced by the email address as the account name, and is restored unchanged', async () => {
    const { account, uid } = await aMember(shop, { type: 'phone', proven: true });
    const signedIn = await logIn(number(account.slice(2)), 'secret-123');
    const ana = { token: signedIn.data.token, password: 'secret-123' };
    await changeContact(shop, ana, emailOf('bound.first@example.com'));
    expect((await settingsOf(ana)).phoneRemovable).toBe(true);
    const removed = await remove(ana.token, await proofOf(shop, ana));
    expect(removed.data).toMatchObject({ account: 'bound.first@example.com', type: 'email' });
    expect((await logIn(emailOf('bound.first@example.com'), ana.password)).data).toMatchObject({ uid, type: 'email' });
    expect((await logIn(number(account.slice(2)), ana.password)).errCode).toBe(3001);
    const { token } = linkOf(await removalMailTo('bound.first@example.com'));
    expect((await shop.request(endpoints.restoreContact, { body: { token } })).code).toBe(0);
    expect(await rowOf(uid)).toMatchObject({ account, accountType: 'phone', email: 'bound.first@example.com' });
  });

  it('cannot be removed if there is no other login method', async () => {
    const { account, uid } = await aMember(shop, { type: 'phone' });
    const { token } = (await logIn(number(account.slice(2)), 'secret-123')).data;
    const onlyPhone = { token, password: 'secret-123' };
    expect((await settingsOf(onlyPhone)).phoneRemovable).toBe(false);
    expect((await remove(token, await proofOf(shop, onlyPhone))).errCode).toBe(4598);
    expect((await rowOf(uid))?.account).toBe(account);

    // an email address that was mistyped at sign-up, and no password
    const eva = await shop.customer();
    await changeContact(shop, eva, number('11987650103'));
    const proof = await proofOf(shop, eva);
    await shop.db.update(users).set({ verifiedAt: null, passwordHash: null }).where(eq(users.uid, eva.uid));
    expect((await settingsOf(eva)).phoneRemovable).toBe(false);
    expect((await remove(eva.token, proof)).errCode).toBe(4598);
  });
});
