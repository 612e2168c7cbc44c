import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { messageRequests, throttles } from '#server/db/schema/sign-in.ts';
import { users } from '#server/db/schema/users.ts';
import { aTicket, someWork } from '#tests/builders/a-captcha.ts';
import { aMember, linkOf, mailboxOf } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { emailCalls } from '#tests/builders/email-calls.ts';

const minute = 60_000;
let shop: TestApp;
beforeAll(async () => {
  shop = await testApp({ env: { EXTRA_HOSTS: 'alias.example' } });
});
afterAll(() => shop.close());
beforeEach(() => shop.db.delete(throttles));

const { requestReset, requestConfirmation, readLink, reset, confirm, logIn, rowOf, newestLink, resetTokenFor } =
  emailCalls(() => shop);

describe('a forgotten password', () => {
  it('is replaced through the emailed link, and every device is logged out', async () => {
    const ana = await aMember(shop);
    const before = await logIn(ana.account, 'secret-123');
    expect((await requestReset(` ${ana.account.toUpperCase()}`)).data.waitSeconds).toBe(60);
    const { url, token } = await newestLink(ana.account);
    expect(url.href).toBe(`http://localhost:3000/resetPassword?token=${token}&language=pt`);
    expect((await readLink(token)).data).toEqual({
      email: 'm***@example.com',
      expiresAt: shop.clock.now + 30 * minute,
    });
    expect((await reset(token)).data).toEqual({});
    expect((await logIn(ana.account, 'secret-123')).errCode).toBe(3001);
    expect((await logIn(ana.account, 'another-123')).code).toBe(0);
    const urv = await shop.request(endpoints.queryUrv, {}, { token: before.data.token });
    expect(urv.errCode).toBe(21);
    expect((await rowOf(ana.uid))?.verifiedAt).toBe(shop.clock.now);
  });

  it('unlocks an account that was locked for wrong passwords', async () => {
    const ana = await aMember(shop);
    for (let tries = 0; tries < 12; tries += 1) await logIn(ana.account, 'wrong-one');
    expect((await logIn(ana.account, 'secret-123')).code).not.toBe(0);
    await reset(await resetTokenFor(ana.account));
    expect((await logIn(ana.account, 'another-123')).code).toBe(0);
  });

  it('of an account with a phone number is replaced by email, which does not confirm the number', async () => {
    const ana = await aMember(shop, { type: 'phone' });
    await shop.db.update(users).set({ email: 'phone-mail@example.com' }).where(eq(users.uid, ana.uid));
    expect((await reset(await resetTokenFor('phone-mail@example.com'))).code).toBe(0);
    expect((await rowOf(ana.uid))?.verifiedAt).toBeNull();
  });

  it('gets the same answer for an unknown address, which receives no email', async () => {
    const ana = await aMember(shop);
    const known = await requestReset(ana.account);
    const unknown = await requestReset('nobody@example.com');
    expect([unknown.status, unknown.data]).toEqual([known.status, known.data]);
    expect(await shop.db.select().from(messageRequests)).toHaveLength(2);
    expect(await mailboxOf(shop, 'nobody@example.com')).toEqual([]);
    expect((await requestReset('nobody@example.com')).errCode).toBe((await requestReset(ana.account)).errCode);
  });

  it('cannot be requested with an invalid address', async () => {
    expect((await requestReset('not an address')).errCode).toBe(8);
  });
});

describe('requesting an email', () => {
  it('requires a minute between two, and proof of work from the sixth of a day', async () => {
    const ana = await aMember(shop);
    expect((await requestReset(ana.account)).data).toEqual({ waitSeconds: 60 });
    expect(await requestReset(ana.account)).toMatchObject({ errCode: -3031, params: { waitSeconds: 60 } });
    // Each kind of email has its own limit.
    expect((await requestConfirmation(ana.account)).code).toBe(0);
    const waits: number[] = [];
    for (let more = 0; more < 4; more += 1) {
      shop.clock.advance(minute);
      waits.push((await requestReset(ana.account)).data.waitSeconds);
    }
    expect(waits).toEqual([60, 60, 60, 60]);
    shop.clock.advance(minute);
    expect(await requestReset(ana.account)).toMatchObject({ errCode: -3035, params: { way: 'work' } });
    const body = { email: ana.account, language: 'en', ...someWork(shop, ana) } as const;
    expect((await shop.request(endpoints.resetPasswordByEmail, { body })).data).toEqual({ waitSeconds: 60 });
  });

  it('requires a captcha for each request after thirty in an hour from one IP address', async () => {
    for (let one = 0; one < 30; one += 1) expect((await requestReset(`many${one}@example.com`)).code).toBe(0);
    expect((await requestReset('more@example.com')).errCode).toBe(-3035);
    const solved = await aTicket(shop, { account: 'more@example.com' });
    const body = { email: 'more@example.com', language: 'en', ...solved } as const;
    expect((await shop.request(endpoints.resetPasswordByEmail, { body })).code).toBe(0);
    shop.clock.advance(minute);
    expect((await shop.request(endpoints.resetPasswordByEmail, { body })).errCode).toBe(-3035);
  });

  it('uses a language of the brand', async () => {
    const ana = await aMember(shop);
    await shop.request(endpoints.resetPasswordByEmail, { body: { email: ana.account, language: 'ru' } });
    expect((await newestLink(ana.account)).url.searchParams.get('language')).toBe('pt');
  });
});

describe('confirming an address', () => {
  it('works with the emailed link, which can be followed repeatedly', async () => {
    const ana = await aMember(shop);
    expect((await requestConfirmation(ana.account)).data).toEqual({ waitSeconds: 60 });
    const { url, token } = await newestLink(ana.account);
    expect(url.pathname).toBe('/activate');
    expect((await confirm(token)).data).toMatchObject({ email: ana.account });
    const at = shop.clock.now;
    expect((await rowOf(ana.uid))?.verifiedAt).toBe(at);
    shop.clock.advance(minute);
    expect((await confirm(token)).data).toEqual({ email: ana.account });
    expect((await rowOf(ana.uid))?.verifiedAt).toBe(at);
    await requestConfirmation(ana.account);
    const mails = await mailboxOf(shop, ana.account);
    expect(mails.filter(({ text }) => text.includes('/activate'))).toHaveLength(1);
  });

  it('is part of the welcome email at a brand that requires no code', async () => {
    const account = 'welcome@example.com';
    const host = 'mego.localhost';
    const { uid } = await shop.customer({ account, host });
    const [mail] = await mailboxOf(shop, account, host);
    const { url, token } = linkOf(mail ?? { text: '' });
    expect(url.host).toBe('mego.localhost:3000');
    expect((await shop.request(endpoints.activeUser, { body: { token } }, { host })).code).toBe(0);
    expect((await rowOf(uid))?.verifiedAt).toBe(shop.clock.now);
  });
});

describe('the reset email of a logged-in customer', () => {
  const send = (email: string, token: string) =>
    shop.request(endpoints.sendResetPasswordEmail, { query: { email } }, { token, headers: { Language: 'es' } });

  it('is sent only to the customer’s own address', async () => {
    const [ana, bia] = [await shop.customer(), await aMember(shop)];
    expect((await send(ana.account.toUpperCase(), ana.token)).data).toEqual({ waitSeconds: 60 });
    expect((await newestLink(ana.account.toLowerCase())).url.searchParams.get('language')).toBe('es');
    expect((await send(bia.account, ana.token)).errCode).toBe(10024);
    expect(await mailboxOf(shop, bia.account)).toEqual([]);
    expect((await send(ana.account, ana.token)).errCode).toBe(-3031);
    expect((await send(ana.account, 'null')).errCode).toBe(21);
  });

  it('has its own limit of five a day, separate from anonymous requests', async () => {
    const ana = await shop.customer();
    for (let round = 0; round < 5; round += 1) {
      expect((await requestReset(ana.account)).code).toBe(0);
      expect((await send(ana.account, ana.token)).code).toBe(0);
      shop.clock.advance(minute);
    }
    expect(await send(ana.account, ana.token)).toMatchObject({
      errCode: -3031,
      params: { waitSeconds: 86_400 - 5 * 60 },
    });
  });
});
