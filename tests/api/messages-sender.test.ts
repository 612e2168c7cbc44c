import { generateKeyPairSync } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { brands } from '#server/db/schema/brands.ts';
import { isWaitingMessage, maxMailTries, outbox } from '#server/db/schema/outbox.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { openMailer } from '#server/runtime/wiring/open-deps.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { isSigned } from '#tests/fixtures/dkim.ts';
import { readMail, startMailServer, type MailServer } from '#tests/fixtures/mail-server.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });

let app: TestApp;
let mailServer: MailServer;
beforeAll(async () => {
  mailServer = await startMailServer();
  const dkim = { MAIL_DKIM_DOMAIN: 'shop.example', MAIL_DKIM_SELECTOR: 'm1', MAIL_DKIM_KEY: pem };
  const env = { SANDBOX: 'true', SMTP_URL: mailServer.url, MAIL_FROM: 'no-reply@shop.example', ...dkim };
  app = await testApp({ env, deps: (base) => ({ mailer: openMailer(base.env) }) });
});
afterAll(async () => {
  await app.close();
  await mailServer.stop();
});

/** A mail of the brand as the mail server receives it, with the sender of its brand.yaml. */
async function mailFrom(sender: string | null): Promise<string> {
  await app.db.update(brands).set({ mailFrom: sender }).where(eq(brands.code, 'lumen'));
  await app.deps.catalog.refresh();
  await app.db.delete(outbox);
  const mail = { to: 'ana@example.com', subject: 'A receipt', text: 'Thank you.', html: '<p>Thank you.</p>' };
  await queueMail(app.db, { brand: { code: 'lumen' }, ...mail }, app.deps);
  expect(await sendOutbox(app.deps)).toBe(1);
  return mailServer.mails.at(-1) ?? '';
}

it('the mail of a brand comes from its own address, and no signature names the domain of another one', async () => {
  const usual = await mailFrom(null);
  expect(usual).toMatch(/^From: Lumen <no-reply@shop.example>\r?$/m);
  expect(isSigned(usual, publicKey)).toBe(true);
  const below = await mailFrom('hello@lumen.shop.example');
  expect(below).toMatch(/^From: Lumen <hello@lumen.shop.example>\r?$/m);
  expect(isSigned(below, publicKey)).toBe(true);
  for (const other of ['hello@lumen.example', 'hello@othershop.example']) {
    const mail = await mailFrom(other);
    expect(mail).toContain(`From: Lumen <${other}>`);
    expect(mail).not.toMatch(/^DKIM-Signature:/im);
    expect(mail).not.toMatch(/[@=]shop\.example/);
  }
});

it('an email waits for a mail server that is away over a weekend, and is sent within an hour after it', async () => {
  await app.db.delete(outbox);
  const code = { to: 'ana@example.com', subject: '1234', text: '1234', html: '1234', asked: true };
  const mail = { to: 'eva@example.com', subject: 'A receipt', text: 'Thank you.', html: '<p>Thank you.</p>' };
  await queueMail(app.db, { brand: { code: 'lumen' }, ...code, lifetimeMs: 600_000 }, app.deps);
  await queueMail(app.db, { brand: { code: 'lumen' }, ...mail }, app.deps);
  const before = mailServer.mails.length;
  mailServer.leave(true);
  const minutes = async (count: number) => {
    for (let minute = 0; minute < count; minute += 1) {
      app.clock.advance(60_000);
      await sendOutbox(app.deps);
    }
  };
  const waiting = () => app.db.select().from(outbox).where(isWaitingMessage(outbox));
  await minutes(30);
  expect(await waiting()).toMatchObject([{ subject: 'A receipt' }]);
  for (let hour = 0; hour < 60; hour += 1) await minutes(1).then(() => app.clock.advance(59 * 60_000));
  const [left] = await waiting();
  expect([left?.tries, left?.lastAnswer]).toEqual([0, expect.stringContaining('127.0.0.1')]);
  mailServer.leave(false);
  await minutes(61);
  const since = mailServer.mails.slice(before);
  expect(since.map((one) => readMail(one).to)).toEqual(['eva@example.com']);
});

it('an email is given up when the mail server was away for more than five days', async () => {
  await app.db.delete(outbox);
  const mail = { to: 'eva@example.com', subject: 'A receipt', text: 'Thank you.', html: '<p>Thank you.</p>' };
  await queueMail(app.db, { brand: { code: 'lumen' }, ...mail }, app.deps);
  mailServer.leave(true);
  for (let hour = 0; hour < 122; hour += 1) {
    app.clock.advance(3_600_000);
    await sendOutbox(app.deps);
  }
  const [row] = await app.db.select().from(outbox);
  mailServer.leave(false);
  expect(row?.tries).toBe(maxMailTries);
});
