import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendVerificationCode } from '#contract/index.ts';
import type { Database } from '#server/db/connect.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import type { Mail } from '#server/messages/mailer.ts';
import { aMember } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';

/** A message of the outbox; an offer is addressed to a customer who receives offers. */
function row(shop: TestApp, some: Partial<typeof outbox.$inferInsert>) {
  const at = shop.clock.now - 1000;
  const copy = { subject: 'usual', text: 'text', html: '<p>text</p>' };
  return {
    id: shop.deps.random.id(),
    brand: 'lumen',
    recipient: 'a@example.com',
    ...copy,
    createdAt: at,
    nextTryAt: at,
    ...some,
  };
}

async function queue(shop: TestApp, count: number, some: Partial<typeof outbox.$inferInsert>): Promise<void> {
  for (let done = 0; done < count; done += 500)
    await shop.db.insert(outbox).values(Array.from({ length: Math.min(500, count - done) }, () => row(shop, some)));
}

/** A mailer that records its emails; `next` resolves with the email to an address. */
function mailerOf(slowMs: number) {
  const given: Mail[] = [];
  const waiting = new Map<string, (mail: Mail) => void>();
  const send = async (mail: Mail) => {
    given.push(mail);
    waiting.get(mail.to)?.(mail);
    await during?.(mail);
    if (mail.subject === 'offer') await new Promise((resolve) => setTimeout(resolve, slowMs));
  };
  const next = (to: string) => new Promise<Mail>((resolve) => waiting.set(to, resolve));
  let during: ((mail: Mail) => Promise<void>) | undefined;
  const whileSending = (act: typeof during) => void (during = act);
  return { given, send, next, whileSending };
}

function testOutbox(open: () => Promise<{ db?: Database; close(): Promise<void> }>): void {
  let opened: Awaited<ReturnType<typeof open>>;
  let shop: TestApp;
  const mailer = mailerOf(100);
  let smsProvider = Promise.resolve();
  const texted: string[] = [];
  beforeAll(async () => {
    opened = await open();
    const sms = async ({ to }: { to: string }) => {
      await smsProvider;
      texted.push(to);
    };
    shop = await testApp({ ...(opened.db && { db: opened.db }), deps: () => ({ mailer, sms: { send: sms } }) });
  }, 120_000);
  afterAll(async () => {
    await shop.close();
    await opened.close();
  });

  it('a login code is sent before 3,000 offers that were queued earlier', async () => {
    const ana = await aMember(shop, { proven: true });
    await queue(shop, 3000, { subject: 'offer', offersTo: ana.uid });
    const stop = startJobs(shop.deps);
    try {
      const code = mailer.next(ana.account);
      const body = { account: ana.account, type: 'email', scene: 'login', language: 'en' } as const;
      expect((await shop.request(sendVerificationCode, { body })).code).toBe(0);
      expect((await code).subject).toMatch(/code/);
      expect(mailer.given.filter(({ subject }) => subject === 'offer').length).toBeLessThan(3000);
    } finally {
      await stop();
    }
  });

  it('messages are sent by kind, and the brands of one kind take turns', async () => {
    await shop.db.delete(outbox);
    mailer.given.length = 0;
    await queue(shop, 60, { subject: 'usual' });
    await queue(shop, 1, { subject: 'of another brand', brand: 'mego', nextTryAt: shop.clock.now });
    await queue(shop, 1, { subject: 'code', asked: true, nextTryAt: shop.clock.now });
    expect(await sendOutbox(shop.deps)).toBe(62);
    const order = mailer.given.map(({ subject }) => subject);
    expect(order.indexOf('of another brand')).toBeLessThan(25);
    expect(order.indexOf('code')).toBeLessThan(25);
    expect(new Set(mailer.given).size).toBe(62);
  });

  it('an email that waits behind slow ones is sent once, even if another process sends at the same time', async () => {
    const recipients = Array.from({ length: 20 }, (_, index) => `slow${index}@example.com`);
    for (const recipient of recipients) await queue(shop, 1, { recipient });
    let isOther = false;
    mailer.whileSending(async () => {
      if (isOther) return;
      // five at a time, so each round takes 40 seconds
      shop.clock.advance(8000);
      isOther = true;
      await sendOutbox(shop.deps);
      isOther = false;
    });
    await sendOutbox(shop.deps);
    mailer.whileSending(undefined);
    const sent = mailer.given.map(({ to }) => to).filter((to) => to.startsWith('slow'));
    expect(sent.toSorted()).toEqual(recipients.toSorted());
  });

  it('an email that takes a minute after waiting for half a minute is sent once despite another process', async () => {
    await shop.db.delete(outbox);
    mailer.given.length = 0;
    for (let n = 0; n < 6; n += 1) await queue(shop, 1, { recipient: `minute${n}@example.com` });
    const { promise: fiveAreSent, resolve: endFive } = Promise.withResolvers<void>();
    let last = '';
    mailer.whileSending(async ({ to }) => {
      // five at a time, in any order
      if (mailer.given.length < 5) return fiveAreSent;
      if (mailer.given.length === 5) {
        shop.clock.advance(29_900);
        return endFive();
      }
      if (last !== '') return;
      last = to;
      // the time limit of one email, and the database writes before and after it
      shop.clock.advance(60_200);
      await sendOutbox(shop.deps);
    });
    await sendOutbox(shop.deps);
    mailer.whileSending(undefined);
    expect(mailer.given.filter(({ to }) => to === last)).toHaveLength(1);
  });

  it('a slow SMS provider delays no email, and a code by SMS does not wait for notices', async () => {
    await shop.db.delete(outbox);
    mailer.given.length = 0;
    const { promise, resolve: letSmsProviderAnswer } = Promise.withResolvers<void>();
    smsProvider = promise;
    await queue(shop, 4, { channel: 'sms', recipient: '5511987650001' });
    await queue(shop, 1, { channel: 'sms', recipient: '5511987650002', asked: true });
    await queue(shop, 1, { subject: 'usual', recipient: 'bia@example.com' });
    const mail = mailer.next('bia@example.com');
    const sent = sendOutbox(shop.deps);
    await mail;
    expect(texted).toEqual([]);
    letSmsProviderAnswer();
    expect(await sent).toBe(6);
    expect(texted.indexOf('5511987650002')).toBeLessThan(3);
  });
}

describe('the outbox on the embedded database', { timeout: 60_000 }, () => {
  testOutbox(async () => ({ close: async () => {} }));
});
describe('the outbox on PostgreSQL', { timeout: 60_000 }, () => {
  testOutbox(openOnPostgres);
});
