import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { messageRequests } from '#server/db/schema/sign-in.ts';
import { startBinding } from '#server/account/email/bind-email.ts';
import { queueMessageRequest } from '#server/messages/message-requests.ts';
import { deleteExpiredRows } from '#server/jobs/delete-expired-rows.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { writeRequestedMessages } from '#server/jobs/write-requested-messages.ts';
import { aMember, linkOf, mailboxOf } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';

const ten = Array.from({ length: 10 }, (_, index) => index);
let opened: Awaited<ReturnType<typeof openOnPostgres>>;
let shop: TestApp;

beforeAll(async () => {
  opened = await openOnPostgres();
  shop = await testApp({ db: opened.db });
}, 120_000);
afterAll(() => opened?.close());

const tokenTo = async (email: string) => linkOf((await mailboxOf(shop, email))[0] ?? { text: '' }).token;

describe('on a real PostgreSQL', { timeout: 60_000 }, () => {
  it('ten processes write and send each requested message once', async () => {
    const members = await Promise.all(ten.map(() => aMember(shop)));
    const request = { brandCode: 'lumen', kind: 'reset', accountType: 'email', language: 'en' } as const;
    for (const { account } of members) await queueMessageRequest(shop.db, { ...request, account }, shop.deps);
    const done = await Promise.all(ten.map(() => writeRequestedMessages(shop.deps)));
    expect(done.reduce((sum, count) => sum + count, 0)).toBe(10);
    expect(await shop.db.select().from(messageRequests)).toEqual([]);
    await Promise.all(ten.map(() => sendOutbox(shop.deps)));
    expect(shop.sent.map(({ to }) => to).sort()).toEqual(members.map(({ account }) => account).sort());
  });

  it('ten taps on one link set one password', async () => {
    const ana = await aMember(shop);
    await shop.request(endpoints.resetPasswordByEmail, { body: { email: ana.account, language: 'en' } });
    const token = await tokenTo(ana.account);
    const taps = ten.map((tap) =>
      shop.request(endpoints.emailResetPassword, { body: { token, password: `password-${tap}` } }),
    );
    const codes = (await Promise.all(taps)).map(({ code }) => code);
    expect(codes.filter((code) => code === 0)).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set([0, 10302]));
  });

  it('only one of two accounts can bind the same address', async () => {
    const brand = shop.deps.catalog.byCode('lumen');
    if (!brand) throw new Error('no such brand');
    const tokens: string[] = [];
    const number = { type: 'phone', proven: true } as const;
    for (const { uid } of [await aMember(shop, number), await aMember(shop, number)]) {
      const email = 'both@example.com';
      await opened.db.transaction((tx) => startBinding(tx, { brand, uid, email }, shop.deps));
      shop.clock.advance(1);
      tokens.push(await tokenTo(email));
    }
    const answers = await Promise.all(
      tokens.map((token) => shop.request(endpoints.bindEmailConfirmed, { body: { token } })),
    );
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([0, 10303]));
  });

  it('sent messages with their codes and links are deleted', async () => {
    const { account } = await aMember(shop);
    await shop.request(endpoints.resetPasswordByEmail, { body: { email: account, language: 'en' } });
    await writeRequestedMessages(shop.deps);
    await sendOutbox(shop.deps);
    const own = () => shop.db.select().from(outbox).where(eq(outbox.recipient, account));
    const dayMs = 86_400_000;
    const real = { ...shop.deps, env: { ...shop.deps.env, SMTP_URL: 'smtp://mail.example' } };
    shop.clock.advance(dayMs - 1);
    await deleteExpiredRows(real);
    expect(await own()).toMatchObject([{ sentAt: shop.clock.now - dayMs + 1 }]);
    shop.clock.advance(1);
    await deleteExpiredRows(shop.deps);
    expect(await own()).toHaveLength(1);
    await deleteExpiredRows(real);
    expect(await shop.db.select().from(outbox)).toEqual([]);
  });
});
