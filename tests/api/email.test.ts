import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { messageRequests, mailLinks, throttles } from '#server/db/schema/sign-in.ts';
import { users } from '#server/db/schema/users.ts';
import { aTicket, someWork } from '#tests/builders/a-captcha.ts';
import { aMember, linkOf, mailboxOf } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

const minute = 60_000;
const hour = 60 * minute;
let shop: TestApp;
beforeAll(async () => {
  shop = await testApp({ env: { EXTRA_HOSTS: 'alias.example' } });
});
afterAll(() => shop.close());
beforeEach(() => shop.db.delete(throttles));

const askReset = (email: string, more: { host?: string; headers?: Record<string, string> } = {}) =>
  shop.request(endpoints.resetPasswordByEmail, { body: { email, language: 'pt' } }, more);
const askConfirm = (email: string) => shop.request(endpoints.resendConfirmation, { body: { email, language: 'en' } });
const look = (token: string, host?: string) =>
  shop.request(endpoints.obtainResetPasswordEmail, { body: { token } }, { host });
const reset = (token: string, password = 'another-123', host?: string) =>
  shop.request(endpoints.emailResetPassword, { body: { token, password } }, { host });
const confirm = (token: string) => shop.request(endpoints.activeUser, { body: { token } });
const enter = (account: string, password: string) =>
  shop.request(endpoints.login, { body: { account, password, type: 'email' } });
const rowOf = async (uid: string) => (await shop.db.select().from(users).where(eq(users.uid, uid)))[0];

/** The newest link that somebody was mailed; of one kind where two were mailed at the same moment. */
async function newestLink(to: string, path = '') {
  const mail = (await mailboxOf(shop, to)).find(({ text }) => text.includes(`${path}?token=`));
  if (!mail) throw new Error(`no mail to ${to}`);
  return linkOf(mail);
}
async function resetTokenFor(account: string) {
  expect((await askReset(account)).code).toBe(0);
  return (await newestLink(account)).token;
}

describe('a forgotten password', () => {
  it('is replaced by following the link of the mail, and every device is signed out', async () => {
    const ana = await aMember(shop);
    const before = await enter(ana.account, 'secret-123');
    expect((await askReset(` ${ana.account.toUpperCase()}`)).data.waitSeconds).toBe(60);
    const { url, token } = await newestLink(ana.account);
    expect(url.href).toBe(`http://localhost:3000/resetPassword?token=${token}&language=pt`);
    expect((await look(token)).data).toEqual({ email: 'm***@example.com', expiresAt: shop.clock.now + 30 * minute });
    expect((await reset(token)).data).toEqual({});
    expect((await enter(ana.account, 'secret-123')).errCode).toBe(3001);
    expect((await enter(ana.account, 'another-123')).code).toBe(0);
    const urv = await shop.request(endpoints.queryUrv, {}, { token: before.data.token });
    expect(urv.errCode).toBe(21);
    expect((await rowOf(ana.uid))?.verifiedAt).toBe(shop.clock.now);
  });

  it('lets in at once whoever had been locked out for guessing', async () => {
    const ana = await aMember(shop);
    for (let tries = 0; tries < 12; tries += 1) await enter(ana.account, 'wrong-one');
    expect((await enter(ana.account, 'secret-123')).code).not.toBe(0);
    await reset(await resetTokenFor(ana.account));
    expect((await enter(ana.account, 'another-123')).code).toBe(0);
  });

  it('of a number with a bound address is replaced by mail, and the number stays as proven as it was', async () => {
    const ana = await aMember(shop, { type: 'phone' });
    await shop.db.update(users).set({ email: 'phone-mail@example.com' }).where(eq(users.uid, ana.uid));
    expect((await reset(await resetTokenFor('phone-mail@example.com'))).code).toBe(0);
    expect((await rowOf(ana.uid))?.verifiedAt).toBeNull();
  });

  it('answers the same for an address that nobody has, and writes nothing to it', async () => {
    const ana = await aMember(shop);
    const known = await askReset(ana.account);
    const unknown = await askReset('nobody@example.com');
    expect([unknown.status, unknown.data]).toEqual([known.status, known.data]);
    expect(await shop.db.select().from(messageRequests)).toHaveLength(2);
    expect(await mailboxOf(shop, 'nobody@example.com')).toEqual([]);
    expect((await askReset('nobody@example.com')).errCode).toBe((await askReset(ana.account)).errCode);
  });

  it('is not asked for with what is no address', async () => {
    expect((await askReset('not an address')).errCode).toBe(8);
  });
});

describe('the link of a mail', () => {
  it('is still good after programs have opened it, however often', async () => {
    const ana = await aMember(shop);
    const { url, token } = await resetLink(ana.account);
    for (const method of ['GET', 'HEAD', 'GET']) await shop.app.request(url.href.replace(':3000', ''), { method });
    for (let looks = 0; looks < 3; looks += 1) expect((await look(token)).code).toBe(0);
    expect((await reset(token)).code).toBe(0);
  });

  it('works once, even for two taps at the same moment', async () => {
    const ana = await aMember(shop);
    const token = await resetTokenFor(ana.account);
    const twice = await Promise.all([reset(token), reset(token)]);
    expect(new Set(twice.map(({ code }) => code))).toEqual(new Set([0, 10302]));
    expect((await look(token)).errCode).toBe(10302);
  });

  it('ends after half an hour, or a day for confirming', async () => {
    const ana = await aMember(shop);
    const token = await resetTokenFor(ana.account);
    await askConfirm(ana.account);
    const confirming = (await newestLink(ana.account, '/activate')).token;
    shop.clock.advance(30 * minute);
    expect((await look(token)).errCode).toBe(10302);
    expect((await reset(token)).errCode).toBe(10302);
    shop.clock.advance(23.5 * hour);
    expect((await confirm(confirming)).errCode).toBe(10302);
  });

  it('ends when a newer one of the same kind is mailed', async () => {
    const ana = await aMember(shop);
    const older = await resetTokenFor(ana.account);
    shop.clock.advance(minute);
    const newer = await resetTokenFor(ana.account);
    expect((await reset(older)).errCode).toBe(10302);
    expect((await reset(newer)).code).toBe(0);
  });

  it('opens nothing at another brand, and nothing that it is not for', async () => {
    const ana = await aMember(shop);
    const token = await resetTokenFor(ana.account);
    expect((await look(token, 'mego.localhost')).errCode).toBe(10302);
    expect((await reset(token, 'another-123', 'mego.localhost')).errCode).toBe(10302);
    expect((await confirm(token)).errCode).toBe(10302);
    expect((await shop.request(endpoints.bindEmailConfirmed, { body: { token } })).errCode).toBe(10302);
    expect((await reset(token)).code).toBe(0);
  });

  it('leads to the brand’s own address, by whatever name the shop was asked', async () => {
    const ana = await aMember(shop);
    const spoofed = await askReset(ana.account, { host: 'evil.example' });
    expect([spoofed.status, spoofed.errCode]).toEqual([421, 5000]);
    const headers = {
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'https',
      Origin: 'https://evil.example',
    };
    expect((await askReset(ana.account, { host: 'alias.example', headers })).code).toBe(0);
    expect((await newestLink(ana.account)).url.origin).toBe('http://localhost:3000');
  });

  it('is nowhere in the database but in the mail', async () => {
    const ana = await aMember(shop);
    const token = await resetTokenFor(ana.account);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(await shop.db.select().from(mailLinks))).not.toContain(token);
  });

  it('cannot be guessed at for long from one address, while a customer’s own still works there', async () => {
    const ana = await aMember(shop);
    const token = await resetTokenFor(ana.account);
    const guesses: (number | undefined)[] = [];
    for (let tries = 0; tries < 61; tries += 1) guesses.push((await look(`guess-${'x'.repeat(20)}-${tries}`)).errCode);
    expect(new Set(guesses.slice(0, 60))).toEqual(new Set([10302]));
    expect(guesses[60]).toBe(-3031);
    expect((await reset(token)).code).toBe(0);
  });

  it('to an address that the account has left resets nothing', async () => {
    const ana = await aMember(shop);
    const token = await resetTokenFor(ana.account);
    await askConfirm(ana.account);
    const confirming = (await newestLink(ana.account, '/activate')).token;
    await shop.db.update(users).set({ email: 'moved@example.com' }).where(eq(users.uid, ana.uid));
    expect((await reset(token)).errCode).toBe(10026);
    expect((await confirm(confirming)).errCode).toBe(10027);
    expect((await rowOf(ana.uid))?.verifiedAt).toBeNull();
  });
});

describe('asking for mail', () => {
  it('takes a minute between two, and work from the sixth of a day on', async () => {
    const ana = await aMember(shop);
    expect((await askReset(ana.account)).data).toEqual({ waitSeconds: 60 });
    expect(await askReset(ana.account)).toMatchObject({ errCode: -3031, params: { waitSeconds: 60 } });
    // another kind of mail is counted by itself
    expect((await askConfirm(ana.account)).code).toBe(0);
    const waits: number[] = [];
    for (let more = 0; more < 4; more += 1) {
      shop.clock.advance(minute);
      waits.push((await askReset(ana.account)).data.waitSeconds);
    }
    expect(waits).toEqual([60, 60, 60, 60]);
    shop.clock.advance(minute);
    expect(await askReset(ana.account)).toMatchObject({ errCode: -3035, params: { way: 'work' } });
    const body = { email: ana.account, language: 'en', ...someWork(shop, ana) } as const;
    expect((await shop.request(endpoints.resetPasswordByEmail, { body })).data).toEqual({ waitSeconds: 60 });
  });

  it('takes a captcha after thirty requests of an hour from one place, and each captcha is good for one', async () => {
    for (let one = 0; one < 30; one += 1) expect((await askReset(`many${one}@example.com`)).code).toBe(0);
    expect((await askReset('more@example.com')).errCode).toBe(-3035);
    const solved = await aTicket(shop, { account: 'more@example.com' });
    const body = { email: 'more@example.com', language: 'en', ...solved } as const;
    expect((await shop.request(endpoints.resetPasswordByEmail, { body })).code).toBe(0);
    shop.clock.advance(minute);
    expect((await shop.request(endpoints.resetPasswordByEmail, { body })).errCode).toBe(-3035);
  });

  it('speaks a language of the brand', async () => {
    const ana = await aMember(shop);
    await shop.request(endpoints.resetPasswordByEmail, { body: { email: ana.account, language: 'ru' } });
    expect((await newestLink(ana.account)).url.searchParams.get('language')).toBe('pt');
  });
});

describe('confirming an address', () => {
  it('is done by the link of the mail, and doing it again is no error', async () => {
    const ana = await aMember(shop);
    expect((await askConfirm(ana.account)).data).toEqual({ waitSeconds: 60 });
    const { url, token } = await newestLink(ana.account);
    expect(url.pathname).toBe('/activate');
    expect((await confirm(token)).data).toMatchObject({ email: ana.account });
    const at = shop.clock.now;
    expect((await rowOf(ana.uid))?.verifiedAt).toBe(at);
    shop.clock.advance(minute);
    expect((await confirm(token)).data).toEqual({ email: ana.account });
    expect((await rowOf(ana.uid))?.verifiedAt).toBe(at);
    await askConfirm(ana.account);
    const mails = await mailboxOf(shop, ana.account);
    expect(mails.filter(({ text }) => text.includes('/activate'))).toHaveLength(1);
  });

  it('is part of the welcome at a brand that asks for no code', async () => {
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

describe('the reset mail of a customer who is signed in', () => {
  const send = (email: string, token: string) =>
    shop.request(endpoints.sendResetPasswordEmail, { query: { email } }, { token, headers: { Language: 'es' } });

  it('goes to the customer’s own address and to no other', async () => {
    const [ana, bia] = [await shop.customer(), await aMember(shop)];
    expect((await send(ana.account.toUpperCase(), ana.token)).data).toEqual({ waitSeconds: 60 });
    expect((await newestLink(ana.account.toLowerCase())).url.searchParams.get('language')).toBe('es');
    expect((await send(bia.account, ana.token)).errCode).toBe(10024);
    expect(await mailboxOf(shop, bia.account)).toEqual([]);
    expect((await send(ana.account, ana.token)).errCode).toBe(-3031);
    expect((await send(ana.account, 'null')).errCode).toBe(21);
  });

  it('is none of those that strangers ask for, and there are five a day of it', async () => {
    const ana = await shop.customer();
    for (let round = 0; round < 5; round += 1) {
      expect((await askReset(ana.account)).code).toBe(0);
      expect((await send(ana.account, ana.token)).code).toBe(0);
      shop.clock.advance(minute);
    }
    expect(await send(ana.account, ana.token)).toMatchObject({
      errCode: -3031,
      params: { waitSeconds: 86_400 - 5 * 60 },
    });
  });
});

async function resetLink(account: string) {
  await askReset(account);
  return newestLink(account);
}
