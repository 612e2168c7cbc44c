import { createHash, createVerify, generateKeyPairSync } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { openMailer } from '#server/runtime/wiring/open-deps.ts';
import { auditLog } from '#server/db/schema/audit.ts';
import { mailBounces, outbox } from '#server/db/schema/outbox.ts';
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

const minute = 60_000;
const secret = 'what the shop and its mail provider share, and nobody else';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
const dkim = { MAIL_DKIM_DOMAIN: 'shop.example', MAIL_DKIM_SELECTOR: 'm1', MAIL_DKIM_KEY: pem.replaceAll('\n', '\\n') };

let app: TestApp;
let office: MailServer;
beforeAll(async () => {
  office = await startMailServer();
  const env = { SANDBOX: 'true', MAIL_BOUNCE_SECRET: secret, SMTP_URL: office.url, ...dkim };
  app = await testApp({ env, deps: (base) => ({ mailer: openMailer(base.env) }) });
});
beforeEach(async () => {
  await app.db.delete(outbox);
  await app.db.delete(mailBounces);
});
afterAll(async () => {
  await app.close();
  await office.stop();
});

const queue = (mail: Partial<QueuedMail> = {}) => {
  const words = { subject: 'A receipt', text: 'Thank you.\n', html: '<p>Thank you.</p>' };
  return queueMail(app.db, { brand: { code: 'lumen' }, to: 'ana@example.com', ...words, ...mail }, app.deps);
};
const waiting = async () =>
  (await app.db.select().from(outbox)).filter(({ sentAt, tries }) => sentAt === null && tries < 12);

async function tell(events: object, wish: { at?: number; secret?: string } = {}): Promise<number> {
  const body = JSON.stringify(events);
  const at = wish.at ?? app.clock.now;
  const headers = {
    'x-marquee-timestamp': String(at),
    'x-marquee-signature': signNotice(wish.secret ?? secret, at, body),
  };
  return (await app.app.request('http://localhost/webhooks/mail', { method: 'POST', headers, body })).status;
}

describe('mail that leaves', () => {
  it('is signed by DKIM, so that whoever gets it can prove where it is from', async () => {
    await queue();
    expect(await sendOutbox(app.deps)).toBe(1);
    const mail = office.mails.at(-1) ?? '';
    expect(tagsOf(mail)).toMatchObject({ d: 'shop.example', s: 'm1', a: 'rsa-sha256', c: 'relaxed/relaxed' });
    expect(isSigned(mail)).toBe(true);
    expect(isSigned(mail.replace('Thank you.', 'Thank him.'))).toBe(false);
    expect(isSigned(mail.replace('A receipt', 'A bill'))).toBe(false);
  });

  it('of an offer has its way out signed, both headers of it', async () => {
    const { uid } = await app.customer({ account: 'bea@example.com' });
    await queue({ to: 'bea@example.com', offersTo: uid });
    await sendOutbox(app.deps);
    const mail = office.mails.at(-1) ?? '';
    expect(mail).toMatch(/^List-Unsubscribe:\s+<http/m);
    expect(tagsOf(mail).h?.toLowerCase().split(':')).toEqual(
      expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']),
    );
    expect(isSigned(mail)).toBe(true);
    expect(isSigned(mail.replace('One-Click', 'Two-Click'))).toBe(false);
  });

  it('with a receipt brings the paper as PDF, drawn when it leaves and in no row', async () => {
    const dora = await app.customer({ account: 'paper@example.com' });
    const { order } = await anOrder(app.db, dora, { status: 'PAYMENT_SUCCEEDED' });
    const receipt = { orderId: order.orderId, language: 'pt' } as const;
    await app.db.delete(outbox);
    await queue({ receipt });
    office.close(true);
    expect(await sendOutbox(app.deps)).toBe(0);
    const [row] = await app.db.select().from(outbox);
    expect(JSON.stringify(row).length).toBeLessThan(1000);
    office.close(false);
    app.clock.advance(minute);
    expect(await sendOutbox(app.deps)).toBe(1);
    const mail = office.mails.at(-1) ?? '';
    expect(mail).toMatch(new RegExp(`Content-Disposition: attachment;\\s+filename="?Recibo ${order.orderId}\\.pdf`));
    // "%PDF-" as base64
    expect(mail).toContain('JVBERi0');
    expect((await app.db.select().from(outbox))[0]?.receipt).toBeNull();
  });

  it('has no paper of somebody who has had the account deleted meanwhile', async () => {
    const { uid } = await app.customer({ account: 'no-paper@example.com' });
    const { order } = await anOrder(app.db, { uid }, { status: 'PAYMENT_SUCCEEDED' });
    await app.db.update(users).set({ userType: 'DELETED' }).where(eq(users.uid, uid));
    await app.db.delete(outbox);
    await queue({ receipt: { orderId: order.orderId, language: 'pt' } });
    expect(await sendOutbox(app.deps)).toBe(1);
    expect(office.mails.at(-1)).not.toContain('application/pdf');
  });

  it('is aborted and tried again later where the mail server takes too long, however soon each of its replies comes', async () => {
    const mailer = smtpMailer(office.url, undefined, 300);
    await queue();
    const before = office.mails.length;
    office.delay(100);
    expect(await sendOutbox({ ...app.deps, mailer })).toBe(0);
    office.delay(0);
    expect(office.mails).toHaveLength(before);
    expect(await waiting()).toMatchObject([{ tries: 1, nextTryAt: app.clock.now + minute / 2 }]);
    app.clock.advance(minute);
    expect(await sendOutbox({ ...app.deps, mailer })).toBe(1);
  });

  it('needs the whole of a key, or none', () => {
    const settings = (env: object) => readSettings({ NODE_ENV: 'test', ...env });
    expect(() => settings({ MAIL_DKIM_DOMAIN: 'shop.example' })).toThrow(/MAIL_DKIM_DOMAIN: must be set together with/);
    expect(() => settings({ ...dkim, MAIL_DKIM_KEY: 'a key' })).toThrow(/MAIL_DKIM_KEY: must be a PEM key/);
  });
});

describe('an address that mail comes back from', () => {
  it('gets no more of it, but what is asked for now', async () => {
    expect(await tell({ events: [{ address: 'Ana@Example.com', type: 'permanent' }] })).toBe(204);
    await queue();
    await queue({ to: 'bob@example.com' });
    await queue({ asked: true, subject: 'A code' });
    const before = office.mails.length;
    expect(await sendOutbox(app.deps)).toBe(2);
    expect(await waiting()).toEqual([]);
    const sent = office.mails.slice(before).join('');
    expect(sent).toContain('A code');
    expect(sent.match(/^To: .*ana@example\.com/gm)).toHaveLength(1);
  });

  it('still gets the code that a customer asks for to come in', async () => {
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

  it('is noted when the mail server says that there is no such mailbox, and not for any other no', async () => {
    office.refuse('550 5.7.1 we do not like you');
    await queue();
    expect(await sendOutbox(app.deps)).toBe(0);
    expect(await app.db.select().from(mailBounces)).toEqual([]);
    expect(await waiting()).toHaveLength(1);
    office.refuse('550 5.1.1 no such user here');
    app.clock.advance(minute);
    expect(await sendOutbox(app.deps)).toBe(0);
    office.refuse(undefined);
    expect(await app.db.select({ kind: mailBounces.kind }).from(mailBounces)).toEqual([{ kind: 'permanent' }]);
    expect(await waiting()).toEqual([]);
  });

  it('gets no more offers where its reader called one spam, and all the rest', async () => {
    const { uid, account } = await app.customer({ account: 'dora@example.com' });
    await app.db.delete(outbox);
    expect(
      await tell({
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

  it('is told to its customer, until it is cleared', async () => {
    const eva = await app.customer({ account: 'eva@example.com' });
    const told = async () => (await app.request(endpoints.queryUrv, {}, eva)).data.mailBounces;
    expect(await told()).toBe(false);
    await recordBounce(app.deps, eva.account, 'permanent', app.clock.now);
    await recordBounce(app.deps, eva.account, 'complaint', app.clock.now);
    expect(await told()).toBe(true);
    expect(await clearBounce(app.deps, 'EVA@example.com')).toBe(true);
    expect(await told()).toBe(false);
    expect(await app.db.select().from(auditLog)).toEqual([]);
  });

  it('stands in the database as a hash', async () => {
    await recordBounce(app.deps, 'ana@example.com', 'permanent', app.clock.now);
    expect(JSON.stringify(await app.db.select().from(mailBounces))).not.toContain('ana');
  });
});

describe('a notice of mail that came back', () => {
  const events = { events: [{ address: 'ana@example.com', type: 'permanent' }] };

  it('is refused where it is not signed, too old, or not to be read', async () => {
    expect(await tell(events, { secret: 'another secret of thirty-two characters' })).toBe(401);
    expect(await tell(events, { at: app.clock.now - 6 * minute })).toBe(401);
    expect(await tell({ events: [{ address: 'ana@example.com', type: 'sold' }] })).toBe(400);
    const bare = await app.app.request('http://localhost/webhooks/mail', {
      method: 'POST',
      body: JSON.stringify(events),
    });
    expect(bare.status).toBe(401);
    expect(await app.db.select().from(mailBounces)).toEqual([]);
  });

  it('changes nothing when it comes twice', async () => {
    expect([await tell(events), await tell(events)]).toEqual([204, 204]);
    expect(await app.db.select().from(mailBounces)).toHaveLength(1);
  });
});

/** Header fields as they came, unfolded lines kept together, and the body. */
function partsOf(mail: string): { fields: { name: string; line: string }[]; body: string } {
  const at = mail.indexOf('\r\n\r\n');
  const lines = mail.slice(0, at).split(/\r\n(?![ \t])/);
  return {
    fields: lines.map((line) => ({ name: line.slice(0, line.indexOf(':')).toLowerCase(), line })),
    body: mail.slice(at + 4),
  };
}

function tagsOf(mail: string): Record<string, string | undefined> {
  const line = partsOf(mail).fields.find(({ name }) => name === 'dkim-signature')?.line ?? '';
  const tags = line.slice(line.indexOf(':') + 1).split(';');
  return Object.fromEntries(
    tags.map((tag) => [tag.slice(0, tag.indexOf('=')).trim(), tag.slice(tag.indexOf('=') + 1).replace(/\s/g, '')]),
  );
}

/** RFC 6376, 3.4.2 and 3.4.4: relaxed headers, relaxed body. */
const relaxedField = (line: string) => {
  const at = line.indexOf(':');
  return `${line.slice(0, at).trim().toLowerCase()}:${line
    .slice(at + 1)
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ')
    .trim()}`;
};
const relaxedBody = (body: string) =>
  `${body
    .replace(/[ \t]+/g, ' ')
    .replace(/ (?=\r\n)/g, '')
    .replace(/(\r\n)*$/, '')}\r\n`;

/** Whether the signature is the key's and covers what the mail says. */
function isSigned(mail: string): boolean {
  const { fields, body } = partsOf(mail);
  const { b = '', bh, h = '' } = tagsOf(mail);
  const own = fields.find(({ name }) => name === 'dkim-signature')?.line ?? '';
  const signed = h
    .toLowerCase()
    .split(':')
    .map((name) => fields.find((field) => field.name === name)?.line)
    .filter((line) => line !== undefined);
  const text = [...signed.map(relaxedField), relaxedField(own).replace(/(;\s*b=).*$/, '$1')].join('\r\n');
  const isBody = createHash('sha256').update(relaxedBody(body)).digest('base64') === bh;
  return isBody && createVerify('RSA-SHA256').update(text).verify(publicKey, b, 'base64');
}
