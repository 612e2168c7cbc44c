import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { mailLinks, throttles } from '#server/db/schema/sign-in.ts';
import { users } from '#server/db/schema/users.ts';
import { aMember } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { emailCalls } from '#tests/builders/email-calls.ts';

const minute = 60_000;
const hour = 60 * minute;
let shop: TestApp;
beforeAll(async () => {
  shop = await testApp({ env: { EXTRA_HOSTS: 'alias.example' } });
});
afterAll(() => shop.close());
beforeEach(() => shop.db.delete(throttles));

const { requestReset, requestConfirmation, readLink, reset, confirm, rowOf, newestLink, resetTokenFor, resetLink } =
  emailCalls(() => shop);

describe('an emailed link', () => {
  it('stays valid after link scanners have opened it', async () => {
    const ana = await aMember(shop);
    const { url, token } = await resetLink(ana.account);
    for (const method of ['GET', 'HEAD', 'GET']) await shop.app.request(url.href.replace(':3000', ''), { method });
    for (let round = 0; round < 3; round += 1) expect((await readLink(token)).code).toBe(0);
    expect((await reset(token)).code).toBe(0);
  });

  it('works once, even for two simultaneous taps', async () => {
    const ana = await aMember(shop);
    const token = await resetTokenFor(ana.account);
    const twice = await Promise.all([reset(token), reset(token)]);
    expect(new Set(twice.map(({ code }) => code))).toEqual(new Set([0, 10302]));
    expect((await readLink(token)).errCode).toBe(10302);
  });

  it('expires after half an hour, or after a day if it confirms an address', async () => {
    const ana = await aMember(shop);
    const token = await resetTokenFor(ana.account);
    await requestConfirmation(ana.account);
    const confirming = (await newestLink(ana.account, '/activate')).token;
    shop.clock.advance(30 * minute);
    expect((await readLink(token)).errCode).toBe(10302);
    expect((await reset(token)).errCode).toBe(10302);
    shop.clock.advance(23.5 * hour);
    expect((await confirm(confirming)).errCode).toBe(10302);
  });

  it('is invalidated by a newer one of the same kind', async () => {
    const ana = await aMember(shop);
    const older = await resetTokenFor(ana.account);
    shop.clock.advance(minute);
    const newer = await resetTokenFor(ana.account);
    expect((await reset(older)).errCode).toBe(10302);
    expect((await reset(newer)).code).toBe(0);
  });

  it('is refused at another brand and for another purpose', async () => {
    const ana = await aMember(shop);
    const token = await resetTokenFor(ana.account);
    expect((await readLink(token, 'mego.localhost')).errCode).toBe(10302);
    expect((await reset(token, 'another-123', 'mego.localhost')).errCode).toBe(10302);
    expect((await confirm(token)).errCode).toBe(10302);
    expect((await shop.request(endpoints.bindEmailConfirmed, { body: { token } })).errCode).toBe(10302);
    expect((await reset(token)).code).toBe(0);
  });

  it('leads to the brand’s own origin, whatever host the request named', async () => {
    const ana = await aMember(shop);
    const spoofed = await requestReset(ana.account, { host: 'evil.example' });
    expect([spoofed.status, spoofed.errCode]).toEqual([421, 5000]);
    const headers = {
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'https',
      Origin: 'https://evil.example',
    };
    expect((await requestReset(ana.account, { host: 'alias.example', headers })).code).toBe(0);
    expect((await newestLink(ana.account)).url.origin).toBe('http://localhost:3000');
  });

  it('is stored nowhere in the database except in the email', async () => {
    const ana = await aMember(shop);
    const token = await resetTokenFor(ana.account);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(await shop.db.select().from(mailLinks))).not.toContain(token);
  });

  it('cannot be guessed for long from one IP address, where valid links still work', async () => {
    const ana = await aMember(shop);
    const token = await resetTokenFor(ana.account);
    const guesses: (number | undefined)[] = [];
    for (let tries = 0; tries < 61; tries += 1)
      guesses.push((await readLink(`guess-${'x'.repeat(20)}-${tries}`)).errCode);
    expect(new Set(guesses.slice(0, 60))).toEqual(new Set([10302]));
    expect(guesses[60]).toBe(-3031);
    expect((await reset(token)).code).toBe(0);
  });

  it('to a former address of the account resets nothing', async () => {
    const ana = await aMember(shop);
    const token = await resetTokenFor(ana.account);
    await requestConfirmation(ana.account);
    const confirming = (await newestLink(ana.account, '/activate')).token;
    await shop.db.update(users).set({ email: 'moved@example.com' }).where(eq(users.uid, ana.uid));
    expect((await reset(token)).errCode).toBe(10026);
    expect((await confirm(confirming)).errCode).toBe(10027);
    expect((await rowOf(ana.uid))?.verifiedAt).toBeNull();
  });
});
