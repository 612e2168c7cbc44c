import { generateKeyPairSync } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { brands } from '#server/db/schema/brands.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { openMailer } from '#server/runtime/wiring/open-deps.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { isSigned } from '#tests/fixtures/dkim.ts';
import { startMailServer, type MailServer } from '#tests/fixtures/mail-server.ts';

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
