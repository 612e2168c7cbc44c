import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { statementRows } from '#server/db/connect.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { queueMessageRequest } from '#server/messages/message-requests.ts';
import { smtpMailer } from '#server/messages/mailer.ts';
import { deleteExpiredRows } from '#server/jobs/delete-expired-rows.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { writeRequestedMessages } from '#server/jobs/write-requested-messages.ts';
import { aMember, mailboxOf } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { startMailServer, type MailServer } from '#tests/fixtures/mail-server.ts';

let mailServer: MailServer;
/** sends by SMTP */
let shop: TestApp;
/** the same installation with the sandbox mailbox */
let sandbox: TestApp;

beforeAll(async () => {
  mailServer = await startMailServer();
  const env = { SMTP_URL: mailServer.url, SANDBOX: 'true' };
  shop = await testApp({ env, deps: () => ({ mailer: smtpMailer(mailServer.url) }) });
  sandbox = await testApp({ db: shop.db });
});
beforeEach(async () => {
  mailServer.close(false);
  await shop.db.delete(outbox);
});
afterAll(async () => {
  await shop.close();
  await mailServer.stop();
});

const requestMessage = (kind: 'code' | 'reset', account: string, accountType: 'email' | 'phone' = 'email') => {
  const code = kind === 'code' ? ({ scene: 'login', code: '4071' } as const) : {};
  return queueMessageRequest(
    shop.db,
    { brandCode: 'lumen', kind, account, accountType, language: 'en', ...code },
    shop.deps,
  );
};
const rows = () => shop.db.select().from(outbox);
/** Every table as text, as in a leaked copy of the database. */
const wholeDatabase = async () => {
  const tables = await statementRows(shop.db, sql`select tablename from pg_tables where schemaname = 'public'`);
  const texts: string[] = [];
  for (const { tablename } of tables) {
    texts.push(JSON.stringify(await statementRows(shop.db, sql`select * from ${sql.identifier(String(tablename))}`)));
  }
  return texts.join('\n');
};
const secretOf = (mail = '') => /token=3?D?([\w-]{20,})/.exec(mail.replaceAll('=\r\n', ''))?.[1] ?? 'no secret';

describe('the secrets in emails and SMS', () => {
  it('a password link is deleted from the database once its email was sent', async () => {
    const ana = await aMember(shop);
    await requestMessage('reset', ana.account);
    await writeRequestedMessages(shop.deps);
    expect(await sendOutbox(shop.deps)).toBe(1);
    const secret = secretOf(mailServer.mails.at(-1));
    expect(secret).toMatch(/^[\w-]{43}$/);
    const after = await wholeDatabase();
    expect(after).not.toContain(secret);
    expect(after).not.toContain('/resetPassword');
    const reset = { token: secret, password: 'another-secret-9' };
    expect((await shop.request(endpoints.emailResetPassword, { body: reset })).code).toBe(0);
  });

  it('a code is deleted from the outbox and its request once its email or SMS was sent', async () => {
    const ana = await aMember(shop);
    const bia = await aMember(shop, { type: 'phone' });
    await requestMessage('code', ana.account);
    await requestMessage('code', bia.account, 'phone');
    await writeRequestedMessages(shop.deps);
    expect(await sendOutbox(shop.deps)).toBe(2);
    expect(mailServer.mails.at(-1)).toContain('4071');
    expect(shop.texted.at(-1)?.text).toContain('4071');
    // an id may contain these digits by chance
    expect(await wholeDatabase()).not.toMatch(/(?<![\w-])4071(?![\w-])/);
  });

  it('the masked recipient and the time remain for complaints', async () => {
    const ana = await aMember(shop);
    await requestMessage('reset', ana.account);
    await writeRequestedMessages(shop.deps);
    await sendOutbox(shop.deps);
    const [row] = await rows();
    expect(row).toMatchObject({ channel: 'mail', subject: '', text: '', html: '', sentAt: shop.clock.now });
    expect(row?.recipient).toBe(`${ana.account[0]}***@example.com`);
  });

  it('an unsent email is stored until the last attempt has failed', async () => {
    const ana = await aMember(shop);
    mailServer.close(true);
    await requestMessage('reset', ana.account);
    await writeRequestedMessages(shop.deps);
    expect(await sendOutbox(shop.deps)).toBe(0);
    expect((await rows())[0]?.text).toContain('/resetPassword');
    // five days
    for (let tries = 0; tries < 20; tries += 1) {
      shop.clock.advance(6 * 60 * 60_000);
      expect(await sendOutbox(shop.deps)).toBe(0);
    }
    const [row] = await rows();
    expect(row).toMatchObject({ tries: 12, sentAt: null, subject: '', text: '', html: '' });
    mailServer.close(false);
    shop.clock.advance(6 * 60 * 60_000);
    expect(await sendOutbox(shop.deps)).toBe(0);
  });

  it('an SMS that is too late for its code is deleted within a day', async () => {
    const bia = await aMember(shop, { type: 'phone' });
    await requestMessage('code', bia.account, 'phone');
    await writeRequestedMessages(shop.deps);
    shop.clock.advance(86_400_000);
    expect(await sendOutbox(shop.deps)).toBe(0);
    await deleteExpiredRows(shop.deps);
    expect(await rows()).toEqual([]);
  });

  it('the sandbox mailbox still shows its emails, which were never sent', async () => {
    const ana = await aMember(sandbox);
    await requestMessage('reset', ana.account);
    await writeRequestedMessages(sandbox.deps);
    expect(await sendOutbox(sandbox.deps)).toBe(1);
    const [mail] = await mailboxOf(sandbox, ana.account);
    expect(mail?.text).toContain('/resetPassword?token=');
    const [row] = await shop.db.select().from(outbox).where(eq(outbox.recipient, ana.account));
    expect(row?.sentAt).toBe(sandbox.clock.now);
  });
});
