import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { mailLinks } from '#server/db/schema/sign-in.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { startBinding } from '#server/account/email/bind-email.ts';
import { aBrand } from '#tests/builders/a-brand.ts';
import { aPerson, atGoogle, type Journey } from '#tests/builders/google-sign-in.ts';
import { testApp, type CallOptions, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp();
});
afterEach(() => shop.close());

const logIn = async (journey: Journey = {}, change: object = {}) => {
  const { proof } = await atGoogle(shop, journey);
  return shop.request(endpoints.googleLogin, { body: { ...proof, ...change } }, { host: journey.host });
};
const signUp = (ticket: string, change: object = {}, options?: CallOptions) =>
  shop.request(endpoints.googleSignup, { body: { ticket, agreePolicy: true, language: 'pt', ...change } }, options);
const ticketFor = async (email: string, host?: string) => {
  const { data } = await logIn({ form: aPerson(email), ...(host && { host }) });
  if (data.outcome !== 'signup') throw new Error('has an account');
  return data.ticket;
};
const userOf = async (account: string) => (await shop.db.select().from(users).where(eq(users.account, account)))[0];
const verify = (account: string) =>
  shop.db.update(users).set({ verifiedAt: shop.clock.now }).where(eq(users.account, account));
const removeVerification = (account: string) =>
  shop.db.update(users).set({ verifiedAt: null }).where(eq(users.account, account));

describe('a new customer', () => {
  it('agrees to the terms with a ticket, and gets a verified account', async () => {
    const { data } = await logIn();
    expect(data).toMatchObject({ outcome: 'signup', email: 'ana.lima@example.com', name: 'Ana Lima' });
    expect(await shop.db.select().from(users)).toEqual([]);
    const ticket = data.outcome === 'signup' ? data.ticket : '';
    const { data: user } = await signUp(ticket, { nickname: 'Ana', entry: { psl: 'tv' } });
    expect(user).toMatchObject({ account: 'ana.lima@example.com', type: 'email', accountLoginType: 'google' });
    expect(await userOf('ana.lima@example.com')).toMatchObject({
      passwordHash: null,
      verifiedAt: shop.clock.now,
      nickname: 'Ana',
      language: 'pt',
      entry: { psl: 'tv' },
    });
    const [mail] = await shop.db.select().from(outbox);
    expect(mail).toMatchObject({ recipient: 'ana.lima@example.com', subject: 'Boas-vindas à Lumen' });
    const again = await logIn();
    expect(again.data).toMatchObject({ outcome: 'signedIn', user: { uid: user.uid } });
  });

  it('can use the ticket once, within ten minutes, at the same brand', async () => {
    const [used, old, otherBrand] = [
      await ticketFor('one@example.com'),
      await ticketFor('two@example.com'),
      await ticketFor('three@example.com', 'mego.localhost'),
    ];
    expect((await signUp(used)).code).toBe(0);
    expect((await signUp(used)).errCode).toBe(-3039);
    expect((await signUp(otherBrand)).errCode).toBe(-3039);
    expect((await signUp('no.ticket.atall')).errCode).toBe(-3039);
    expect((await signUp(otherBrand, {}, { host: 'mego.localhost' })).code).toBe(0);
    shop.clock.advance(600_000);
    expect((await signUp(old)).errCode).toBe(-3039);
  });

  it('gets one account from ten simultaneous requests', async () => {
    const ticket = await ticketFor('ana@example.com');
    const answers = await Promise.all(Array.from({ length: 10 }, () => signUp(ticket)));
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(await shop.db.select().from(users)).toHaveLength(1);
  });

  it('is refused if the address has an account by then', async () => {
    const ticket = await ticketFor('ana@example.com');
    await shop.customer({ account: 'ana@example.com' });
    expect((await signUp(ticket)).errCode).toBe(6);
  });
});

describe('an existing customer', () => {
  it('can log in with Google, with the same account and password', async () => {
    const ana = await shop.customer({ account: 'ana@example.com' });
    await verify('ana@example.com');
    const before = await userOf('ana@example.com');
    const { data } = await logIn({ form: aPerson('Ana@Example.com') });
    expect(data).toMatchObject({ outcome: 'signedIn', user: { uid: ana.uid, accountLoginType: 'google' } });
    expect(await userOf('ana@example.com')).toMatchObject({ passwordHash: before?.passwordHash });
    const own = await shop.request(endpoints.orders, { body: { page: 1, size: 1 } }, { token: ana.token });
    expect(own.code).toBe(0);
  });

  it('of a phone account is found by its email address', async () => {
    const ana = await shop.customer();
    await shop.db
      .update(users)
      .set({ account: '5511987654321', accountType: 'phone', email: 'ana@example.com', verifiedAt: null })
      .where(eq(users.uid, ana.uid));
    const { data } = await logIn({ form: aPerson('ana@example.com') });
    expect(data).toMatchObject({ outcome: 'signedIn', user: { uid: ana.uid, type: 'phone' } });
    const [row] = await shop.db.select().from(users);
    expect(row?.passwordHash).not.toBeNull();
    expect(row?.verifiedAt).toBeNull();
  });

  it('is not replaced by another person who gets the address', async () => {
    const ana = await shop.customer({ account: 'ana@example.com' });
    await verify('ana@example.com');
    await shop.db.update(users).set({ googleSub: 'somebody else' }).where(eq(users.uid, ana.uid));
    expect((await logIn({ form: aPerson('ana@example.com') })).errCode).toBe(-3039);
  });

  it('cannot log in if the account is blocked, or has another address for email', async () => {
    const ana = await shop.customer({ account: 'ana@example.com' });
    await verify('ana@example.com');
    await shop.db.update(users).set({ userType: 'RESELLER' }).where(eq(users.uid, ana.uid));
    expect((await logIn({ form: aPerson('ana@example.com') })).errCode).toBe(197);
    await shop.db.update(users).set({ userType: 'MEMBER', email: 'b@example.com' }).where(eq(users.uid, ana.uid));
    expect((await logIn({ form: aPerson('ana@example.com') })).errCode).toBe(-3039);
  });

  it('needs an address that the provider has verified', async () => {
    const unverified = { ...aPerson('ana@example.com'), unverified: 'yes' };
    expect((await logIn({ form: unverified })).errCode).toBe(-3039);
    await shop.customer({ account: 'ana@example.com' });
    expect((await logIn({ form: unverified })).errCode).toBe(-3039);
    expect((await logIn({ form: { person: 'unverified' } })).errCode).toBe(-3039);
    expect((await userOf('ana@example.com'))?.googleSub).toBeNull();
  });
});

describe('an address that an attacker has signed up with', () => {
  it('is taken over by its owner: password, session and links of the attacker become invalid', async () => {
    const attacker = await shop.customer({ account: 'ana@example.com', password: 'thief-123' });
    const brand = shop.deps.catalog.byCode('lumen');
    if (!brand) throw new Error('no lumen');
    await startBinding(shop.db, { brand, uid: attacker.uid, email: 'thief@example.com' }, shop.deps);
    await removeVerification('ana@example.com');
    expect(await shop.db.select().from(mailLinks)).not.toEqual([]);

    const { data } = await logIn({ form: aPerson('ana@example.com') });
    expect(data).toMatchObject({ outcome: 'signedIn', user: { uid: attacker.uid } });

    const byToken = { token: attacker.token };
    expect((await shop.request(endpoints.orders, { body: { page: 1, size: 1 } }, byToken)).errCode).toBe(21);
    const body = { account: 'ana@example.com', password: 'thief-123', type: 'email' } as const;
    expect((await shop.request(endpoints.login, { body })).errCode).toBe(3001);
    expect(await shop.db.select().from(mailLinks)).toEqual([]);
    expect(await shop.db.select().from(sessions)).toHaveLength(1);
    expect(await userOf('ana@example.com')).toMatchObject({ passwordHash: null, verifiedAt: shop.clock.now });
  });
});

describe('brands', () => {
  it('have separate customers of Google', async () => {
    const lumen = await signUp(await ticketFor('ana@example.com'));
    const host = 'mego.localhost';
    const mego = await signUp(await ticketFor('ana@example.com', host), {}, { host });
    expect(lumen.data.uid).not.toBe(mego.data.uid);
    const { proof } = await atGoogle(shop, { form: aPerson('ana@example.com') });
    expect((await shop.request(endpoints.googleLogin, { body: proof }, { host })).errCode).toBe(-3039);
  });

  it('have no Google login without a configuration', async () => {
    const { host } = await aBrand(shop.db);
    const plain = await testApp({ db: shop.db, env: { SANDBOX: 'false' } });
    expect((await plain.request(endpoints.googleClient, {}, { host })).data).toEqual({
      clientId: '',
      authorizationEndpoint: '',
    });
    const body = { code: 'code', codeVerifier: 'v'.repeat(43), nonce: 'n'.repeat(16) };
    expect((await plain.request(endpoints.googleLogin, { body }, { host })).errCode).toBe(-3036);
    expect((await plain.app.request(`http://${host}/sandbox/google/jwks`)).status).toBe(404);
  });

  it('have no sandbox provider if the real one is configured', async () => {
    const env = { GOOGLE_CLIENT_ID: 'a-client-of-google' };
    await expect(testApp({ db: shop.db, env })).rejects.toThrow('GOOGLE_CLIENT_SECRET');
    const real = await testApp({ db: shop.db, env: { ...env, GOOGLE_CLIENT_SECRET: 'its-secret' } });
    expect(real.deps.google?.clientId).toBe('a-client-of-google');
    expect((await real.app.request('http://localhost/sandbox/google/jwks')).status).toBe(404);
  });
});

describe('a network', () => {
  it('is limited to sixty Google logins a minute', async () => {
    const body = { code: 'code', codeVerifier: 'v'.repeat(43), nonce: 'n'.repeat(16) };
    for (let index = 0; index < 60; index += 1) {
      expect((await shop.request(endpoints.googleLogin, { body })).errCode).toBe(-3039);
    }
    const busy = await shop.request(endpoints.googleLogin, { body });
    expect(busy).toMatchObject({ errCode: -24040, params: { waitSeconds: 60 } });
  });
});
