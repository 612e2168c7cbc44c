import { generateKeyPairSync } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { withoutValues } from '#server/runtime/log.ts';
import { openMailer } from '#server/runtime/wiring/open-deps.ts';
import { auditLog } from '#server/db/schema/audit.ts';
import { isUndeliverable, mailBounces, outbox } from '#server/db/schema/outbox.ts';
import { users } from '#server/db/schema/users.ts';
import { readSettings } from '#server/env.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { clearBounce, recordBounce } from '#server/messages/bounces.ts';
import { smtpMailer } from '#server/messages/mailer.ts';
import { queueMail, type QueuedMail } from '#server/messages/message-requests.ts';
import { signNotice } from '#server/payments/notice-signature.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { startMailServer, type MailServer } from '#tests/fixtures/mail-server.ts';
import { isSigned, tagsOf } from '#tests/fixtures/dkim.ts';

const minute = 60_000;
const secret = 'what the shop and its mail provider share, and nobody else';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
const dkim = { MAIL_DKIM_DOMAIN: 'shop.example', MAIL_DKIM_SELECTOR: 'm1', MAIL_DKIM_KEY: pem.replaceAll('\n', '\\n') };

let app: TestApp;
let mailServer: MailServer;
beforeAll(async () => {
  mailServer = await startMailServer();
  const env = { SANDBOX: 'true', MAIL_BOUNCE_SECRET: secret, SMTP_URL: mailServer.url, ...dkim };
  app = await testApp({ env, deps: (base) => ({ mailer: openMailer(base.env) }) });
});
beforeEach(async () => {
  await app.db.delete(outbox);
  await app.db.delete(mailBounces);
});
afterAll(async () => {
  await app.close();
  await mailServer.stop();
});

const queue = (mail: Partial<QueuedMail> = {}) => {
  const content = { subject: 'A receipt', text: 'Thank you.\n', html: '<p>Thank you.</p>' };
  return queueMail(app.db, { brand: { code: 'lumen' }, to: 'ana@example.com', ...content, ...mail }, app.deps);
};
const waiting = async () =>
  (await app.db.select().from(outbox)).filter(({ sentAt, tries }) => sentAt === null && tries < 12);

async function sendEvents(events: object, wish: { at?: number; secret?: string } = {}): Promise<number> {
  const body = JSON.stringify(events);
  const at = wish.at ?? app.clock.now;
  const headers = {
    'x-marquee-timestamp': String(at),
    'x-marquee-signature': signNotice(wish.secret ?? secret, at, body),
  };
  return (await app.app.request('http://localhost/webhooks/mail', { method: 'POST', headers, body })).status;
}

describe('a sent email', () => {
  it('is signed with DKIM', async () => {
    await queue();
    expect(await sendOutbox(app.deps)).toBe(1);
    const mail = mailServer.mails.at(-1) ?? '';
    expect(tagsOf(mail)).toMatchObject({ d: 'shop.example', s: 'm1', a: 'rsa-sha256', c: 'relaxed/relaxed' });
    expect(isSigned(mail, publicKey)).toBe(true);
    expect(isSigned(mail.replace('Thank you.', 'Thank him.'), publicKey)).toBe(false);
    expect(isSigned(mail.replace('A receipt', 'A bill'), publicKey)).toBe(false);
  });

  it('says that a machine sent it, so that no server answers it with an absence note', async () => {
    await queue();
    await sendOutbox(app.deps);
    expect(mailServer.mails.at(-1)).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
  });

  it('with an offer has signed unsubscribe headers', async () => {
    const { uid } = await app.customer({ account: 'bea@example.com' });
    await queue({ to: 'bea@example.com', offersTo: uid });
    await sendOutbox(app.deps);
    const mail = mailServer.mails.at(-1) ?? '';
    expect(mail).toMatch(/^List-Unsubscribe:\s+<http/m);
    expect(tagsOf(mail).h?.toLowerCase().split(':')).toEqual(
      expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']),
    );
    expect(isSigned(mail, publicKey)).toBe(true);
    expect(isSigned(mail.replace('One-Click', 'Two-Click'), publicKey)).toBe(false);
  });

  it('with a receipt has a PDF attachment, rendered when it is sent and not stored', async () => {
    const dora = await app.customer({ account: 'paper@example.com' });
    const { order } = await anOrder(app.db, dora, { status: 'PAYMENT_SUCCEEDED' });
    const receipt = { orderId: order.orderId, language: 'pt' } as const;
    await app.db.delete(outbox);
    await queue({ receipt });
    mailServer.close(true);
    expect(await sendOutbox(app.deps)).toBe(0);
    const [row] = await app.db.select().from(outbox);
    expect(JSON.stringify(row).length).toBeLessThan(1000);
    mailServer.close(false);
    app.clock.advance(minute);
    expect(await sendOutbox(app.deps)).toBe(1);
    const mail = mailServer.mails.at(-1) ?? '';
    expect(mail).toMatch(new RegExp(`Content-Disposition: attachment;\\s+filename="?Recibo ${order.orderId}\\.pdf`));
    // "%PDF-" as base64
    expect(mail).toContain('JVBERi0');
    expect((await app.db.select().from(outbox))[0]?.receipt).toBeNull();
  });

  it('has no attachment if the account was deleted meanwhile', async () => {
    const { uid } = await app.customer({ account: 'no-paper@example.com' });
    const { order } = await anOrder(app.db, { uid }, { status: 'PAYMENT_SUCCEEDED' });
    await app.db.update(users).set({ userType: 'DELETED' }).where(eq(users.uid, uid));
    await app.db.delete(outbox);
    await queue({ receipt: { orderId: order.orderId, language: 'pt' } });
    expect(await sendOutbox(app.deps)).toBe(1);
    expect(mailServer.mails.at(-1)).not.toContain('application/pdf');
  });

  it('is retried later if the mail server takes too long in total, even with fast replies', async () => {
    const impatient = { ...app.deps, mailer: smtpMailer(mailServer.url, undefined, 300) };
    await queue();
    const before = mailServer.mails.length;
    mailServer.delay(100);
    expect(await sendOutbox(impatient)).toBe(0);
    mailServer.delay(0);
    expect(mailServer.mails).toHaveLength(before);
    expect(await waiting()).toMatchObject([{ tries: 0, nextTryAt: app.clock.now + minute / 2 }]);
    app.clock.advance(minute);
    expect(await sendOutbox(app.deps)).toBe(1);
  });

  it('fails without repeating the address that the mail server repeats, because the log contains no account', async () => {
    mailServer.refuse('451 4.7.1 <Ana@Example.com>: Recipient address rejected: greylisted');
    const mail = { from: 'Shop <shop@example.com>', to: 'Ana@Example.com', subject: 'A', text: 'b', html: 'b' };
    const refused = await smtpMailer(mailServer.url)
      .send(mail)
      .catch((error: unknown) => JSON.stringify(withoutValues(error)));
    mailServer.refuse(undefined);
    expect(refused).toContain('451 4.7.1 <address>: Recipient address rejected: greylisted');
    expect(refused, 'where it failed').toContain('smtp-connection');
    expect(refused).not.toMatch(/ana@/i);
  });

  it('requires all DKIM settings or none', () => {
    const settings = (env: object) => readSettings({ NODE_ENV: 'test', ...env });
    expect(() => settings({ MAIL_DKIM_DOMAIN: 'shop.example' })).toThrow(/MAIL_DKIM_DOMAIN: must be set together with/);
    expect(() => settings({ ...dkim, MAIL_DKIM_KEY: 'a key' })).toThrow(/MAIL_DKIM_KEY: must be a PEM key/);
  });
});

describe('an address whose email bounces', () => {
  it('gets only email that the customer requests', async () => {
    expect(await sendEvents({ events: [{ address: 'Ana@Example.com', type: 'permanent' }] })).toBe(204);
    await queue();
    await queue({ to: 'bob@example.com' });
    await queue({ asked: true, subject: 'A code' });
    const before = mailServer.mails.length;
    expect(await sendOutbox(app.deps)).toBe(2);
    expect(await waiting()).toEqual([]);
    const sent = mailServer.mails.slice(before).join('');
    expect(sent).toContain('A code');
    expect(sent.match(/^To: .*ana@example\.com/gm)).toHaveLength(1);
  });

  it('still gets a login code', async () => {
    const { account } = await app.customer({ account: 'cleo@example.com' });
    await app.db.delete(outbox);
    await recordBounce(app.deps, account, 'permanent', app.clock.now);
    app.clock.advance(minute);
    const body = { account, type: 'email', scene: 'login', language: 'en' } as const;
    await app.request(endpoints.sendVerificationCode, { body });
    const { writeRequestedMessages } = await import('#server/jobs/write-requested-messages.ts');
    app.clock.advance(1000);
    await writeRequestedMessages(app.deps);
    expect(await sendOutbox(app.deps)).toBe(1);
  });

  it('is recorded when the mail server reports an unknown mailbox, not for other refusals', async () => {
    mailServer.refuse('550 5.7.1 we do not like you');
    await queue();
    expect(await sendOutbox(app.deps)).toBe(0);
    expect(await app.db.select().from(mailBounces)).toEqual([]);
    expect(await waiting()).toMatchObject([{ lastAnswer: expect.stringContaining('550 5.7.1 we do not') as string }]);
    mailServer.refuse('550 5.1.1 no such user here');
    app.clock.advance(minute);
    expect(await sendOutbox(app.deps)).toBe(0);
    mailServer.refuse(undefined);
    expect(await app.db.select({ kind: mailBounces.kind }).from(mailBounces)).toEqual([{ kind: 'permanent' }]);
    const [lost] = await app.db.select().from(outbox).where(isUndeliverable(outbox));
    expect(lost?.lastAnswer).toBe('the mail server reports that the mailbox does not exist');
    expect(await waiting()).toEqual([]);
  });

  it('gets no more offers after a spam complaint, but all other email', async () => {
    const { uid, account } = await app.customer({ account: 'dora@example.com' });
    await app.db.delete(outbox);
    expect(
      await sendEvents({
        events: [
          { address: account, type: 'complaint' },
          { address: account, type: 'transient' },
        ],
      }),
    ).toBe(204);
    await queue({ to: account, offersTo: uid, subject: 'An offer' });
    await queue({ to: account });
    expect(await sendOutbox(app.deps)).toBe(1);
  });

  it('is shown to its customer until it is cleared', async () => {
    const eva = await app.customer({ account: 'eva@example.com' });
    const bounces = async () => (await app.request(endpoints.queryUrv, {}, eva)).data.mailBounces;
    expect(await bounces()).toBe(false);
    await recordBounce(app.deps, eva.account, 'permanent', app.clock.now);
    await recordBounce(app.deps, eva.account, 'complaint', app.clock.now);
    expect(await bounces()).toBe(true);
    expect(await clearBounce(app.deps, 'EVA@example.com')).toBe(true);
    expect(await bounces()).toBe(false);
    expect(await app.db.select().from(auditLog)).toEqual([]);
  });

  it('is stored as a hash', async () => {
    await recordBounce(app.deps, 'ana@example.com', 'permanent', app.clock.now);
    expect(JSON.stringify(await app.db.select().from(mailBounces))).not.toContain('ana');
  });
});

describe('a bounce notice', () => {
  const events = { events: [{ address: 'ana@example.com', type: 'permanent' }] };

  it('is refused if it is unsigned, too old or invalid', async () => {
    expect(await sendEvents(events, { secret: 'another secret of thirty-two characters' })).toBe(401);
    expect(await sendEvents(events, { at: app.clock.now - 6 * minute })).toBe(401);
    expect(await sendEvents({ events: [{ address: 'ana@example.com', type: 'sold' }] })).toBe(400);
    const unsigned = await app.app.request('http://localhost/webhooks/mail', {
      method: 'POST',
      body: JSON.stringify(events),
    });
    expect(unsigned.status).toBe(401);
    expect(await app.db.select().from(mailBounces)).toEqual([]);
  });

  it('changes nothing when it arrives twice', async () => {
    expect([await sendEvents(events), await sendEvents(events)]).toEqual([204, 204]);
    expect(await app.db.select().from(mailBounces)).toHaveLength(1);
  });
});
