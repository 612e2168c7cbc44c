import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { users } from '#server/db/schema/users.ts';
import { makeMailLink } from '#server/auth/mail-links.ts';
import { startBinding } from '#server/account/email/bind-email.ts';
import { aMember, linkOf, mailboxOf } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

const bind = (token: string, host?: string) =>
  shop.request(endpoints.bindEmailConfirmed, { body: { token } }, { host });
const emailOf = async (uid: string) =>
  (await shop.db.select({ email: users.email, verifiedAt: users.verifiedAt }).from(users).where(eq(users.uid, uid)))[0];

const lumen = () => shop.deps.catalog.byCode('lumen') ?? expect.fail('no brand lumen');

async function start(uid: string, email: string) {
  return shop.db.transaction((tx) => startBinding(tx, { brand: lumen(), uid, email }, shop.deps));
}
async function tokenTo(email: string) {
  const [mail] = await mailboxOf(shop, email);
  if (!mail) throw new Error(`no mail to ${email}`);
  return linkOf(mail).token;
}

describe('binding an email address to an account', () => {
  it('requires the emailed link, which can be followed repeatedly', async () => {
    const ana = await aMember(shop, { type: 'phone', proven: true });
    const { verifiedAt } = ana;
    expect(await start(ana.uid, 'ana@example.com')).toBe('queued');
    expect(await emailOf(ana.uid)).toEqual({ email: null, verifiedAt });
    const token = await tokenTo('ana@example.com');
    expect((await bind(token, 'mego.localhost')).errCode).toBe(10302);
    expect((await bind(token)).data).toEqual({ email: 'ana@example.com' });
    expect((await bind(token)).data).toEqual({ email: 'ana@example.com' });
    expect(await emailOf(ana.uid)).toEqual({ email: 'ana@example.com', verifiedAt });
  });

  it.each(['email', 'phone'] as const)('is refused for an unconfirmed account of type %s', async (type) => {
    const eve = await aMember(shop, { type });
    const email = `eve-${type}@example.com`;
    expect(await start(eve.uid, email)).toBe('accountNotProved');
    expect(await mailboxOf(shop, email)).toEqual([]);
    // A link that an earlier version sent.
    const link = { brand: lumen(), uid: eve.uid, purpose: 'bind', email, language: 'en' } as const;
    const url = await makeMailLink(shop.db, link, shop.deps);
    expect((await bind(new URL(url).searchParams.get('token') ?? '')).errCode).toBe(10302);
    expect(await emailOf(eve.uid)).toEqual({ email: eve.email, verifiedAt: null });
  });

  it('invalidates the links that were sent to the previous address', async () => {
    const ana = await aMember(shop, { proven: true });
    const { verifiedAt } = ana;
    await shop.request(endpoints.resetPasswordByEmail, { body: { email: ana.account, language: 'en' } });
    const older = await tokenTo(ana.account);
    await start(ana.uid, 'moved@example.com');
    await bind(await tokenTo('moved@example.com'));
    expect(await emailOf(ana.uid)).toEqual({ email: 'moved@example.com', verifiedAt });
    expect((await shop.request(endpoints.obtainResetPasswordEmail, { body: { token: older } })).errCode).toBe(10302);
  });

  it('is refused for an address of another account, at the request and at the link', async () => {
    const [ana, bia] = [await aMember(shop, { type: 'phone', proven: true }), await aMember(shop)];
    expect(await start(ana.uid, bia.account)).toBe('emailInUse');
    expect(await start('nobody', 'x@example.com')).toBe('accountNotFound');
    await start(ana.uid, 'wanted@example.com');
    const token = await tokenTo('wanted@example.com');
    await aMember(shop, { account: 'wanted@example.com' });
    expect((await bind(token)).errCode).toBe(10303);
    expect((await emailOf(ana.uid))?.email).toBeNull();
  });

  it('that was requested twice works only with the last email', async () => {
    const ana = await aMember(shop, { type: 'phone', proven: true });
    await start(ana.uid, 'first@example.com');
    await start(ana.uid, 'second@example.com');
    expect((await bind(await tokenTo('first@example.com'))).errCode).toBe(10302);
    expect((await bind(await tokenTo('second@example.com'))).code).toBe(0);
  });
});
