import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import type { Brand } from '#server/brand/catalog.ts';
import { openSms } from '#server/runtime/wiring/open-deps.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { readSettings } from '#server/env.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { queueSms } from '#server/messages/sms-budget.ts';
import type { Sms } from '#server/messages/sms.ts';
import { signNotice } from '#server/payments/notice-signature.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { standIn, type StandIn } from '#tests/fixtures/stand-in.ts';
import { twilioAccess, twilioServer, type TwilioServer } from '#tests/fixtures/twilio/server.ts';

const minute = 60_000;
const secret = 'a secret that the shop and its SMS webhook share';
let app: TestApp;
let lumen: Brand;
let sms: Sms | null = null;
let twilio: TwilioServer;
let webhook: StandIn;

beforeAll(async () => {
  twilio = await twilioServer();
  webhook = await standIn(({ path }) => ({ status: path === '/gone' ? 410 : 204 }));
  const demo = await testApp();
  lumen = demo.deps.catalog.byCode('lumen') ?? expect.fail();
  await demo.close();
  app = await testApp({
    env: { SANDBOX: 'false' },
    deps: () => ({ sms: { send: (...args) => sms?.send(...args) ?? Promise.reject(new Error('none')) } }),
  });
  twilio.now = () => app.clock.now;
});
beforeEach(async () => {
  await app.db.delete(outbox);
  twilio.messages.splice(0);
  webhook.asked.splice(0);
});
afterAll(async () => {
  expect([...twilio.wrong, ...webhook.wrong]).toEqual([]);
  await app.close();
  await Promise.all([twilio.close(), webhook.close()]);
});

const open = (env: Record<string, string>) => {
  const { SIGNING_SECRET } = app.deps.env;
  const settings = readSettings({ NODE_ENV: 'test', SANDBOX: 'false', ...env });
  return openSms({ ...app.deps, env: { ...settings, SIGNING_SECRET } });
};
const byTwilio = (env: Record<string, string> = {}) => open({ ...twilioAccess, TWILIO_URL: twilio.origin, ...env });
const byWebhook = (path = '/sms') => open({ SMS_WEBHOOK_URL: webhook.origin + path, SMS_WEBHOOK_SECRET: secret });

const queue = (to = '15551234567', text = '4711 is your code') =>
  queueSms(app.db, { brand: lumen, to, text, isProved: true, asked: true }, app.deps);
const waiting = async () =>
  (await app.db.select().from(outbox)).filter(({ sentAt, tries }) => sentAt === null && tries < 12);
async function later(): Promise<number> {
  app.clock.advance(minute);
  return sendOutbox(app.deps);
}

describe('an SMS by Twilio', () => {
  it('is sent once, with the ten minutes of a code as its validity', async () => {
    sms = byTwilio();
    await queue();
    expect(await sendOutbox(app.deps)).toBe(1);
    expect(twilio.messages).toMatchObject([{ to: '+15551234567', body: '4711 is your code', from: '+15005550006' }]);
    expect(new URLSearchParams(twilio.asked.at(-1)?.body).get('ValidityPeriod')).toBe('600');
    expect(await later()).toBe(0);
  });

  it('is sent from a messaging service if one is configured', async () => {
    const service = `MG${'b1'.repeat(16)}`;
    sms = byTwilio({ TWILIO_FROM: service });
    await queue();
    await sendOutbox(app.deps);
    expect(twilio.messages).toMatchObject([{ from: service }]);
  });

  it.each(['inside', 'after'] as const)(
    'is not sent again when the connection was cut %s the answer',
    async (fault) => {
      sms = byTwilio();
      await queue();
      twilio.failNext(/POST/, fault);
      expect(await sendOutbox(app.deps)).toBe(0);
      expect(await later()).toBe(1);
      expect(twilio.messages).toHaveLength(1);
    },
  );

  it('is sent again when Twilio did not receive it or could not deliver it', async () => {
    sms = byTwilio();
    await queue();
    twilio.failNext(/POST/, 'before');
    await sendOutbox(app.deps);
    expect(await later()).toBe(1);
    await queue('15557654321', '4712 is your code');
    twilio.failNext(/POST/, 'after');
    await sendOutbox(app.deps);
    for (const message of twilio.messages) message.status = 'failed';
    expect(await later()).toBe(1);
    expect(twilio.messages).toHaveLength(3);
  });

  it('is not sent again while Twilio does not report whether it received it', async () => {
    sms = byTwilio();
    await queue();
    twilio.failNext(/POST/, 'after');
    await sendOutbox(app.deps);
    twilio.failNext(/GET/, { status: 500 });
    expect(await later()).toBe(0);
    expect(await later()).toBe(1);
    expect(twilio.messages).toHaveLength(1);
  });

  it.each([429, 500, 401])('is retried after status %s', async (status) => {
    sms = byTwilio();
    await queue();
    twilio.failNext(/POST/, { status, body: { code: 20429, status } });
    expect(await sendOutbox(app.deps)).toBe(0);
    expect(await later()).toBe(1);
  });

  it.each([
    ['is invalid', '15005550001'],
    ['receives no SMS', '15005550009'],
    ['has opted out', '15005550004'],
  ])('is not retried for a number that %s, and its text is deleted', async (_what, number) => {
    sms = byTwilio();
    await queue(number);
    expect(await sendOutbox(app.deps)).toBe(0);
    expect(await waiting()).toEqual([]);
    expect((await app.db.select().from(outbox))[0]).toMatchObject({ sentAt: null, text: '' });
  });

  it('is not sent when its code has expired', async () => {
    sms = byTwilio();
    await queue();
    twilio.failNext(/POST/, { status: 500 });
    await sendOutbox(app.deps);
    app.clock.advance(15 * minute);
    expect(await sendOutbox(app.deps)).toBe(0);
    expect(twilio.messages).toEqual([]);
  });
});

describe('an SMS by the webhook of the operator', () => {
  it('is signed, and has the same id when it is sent again', async () => {
    sms = byWebhook();
    await queue();
    webhook.failNext(/sms/, 'after');
    expect(await sendOutbox(app.deps)).toBe(0);
    expect(await later()).toBe(1);
    const [first, again] = webhook.asked;
    const [row] = await app.db.select({ id: outbox.id }).from(outbox);
    expect(JSON.parse(again?.body ?? '')).toEqual({ id: row?.id, to: '+15551234567', text: '4711 is your code' });
    expect(again?.body).toBe(first?.body);
    const timestamp = again?.headers.get('x-marquee-timestamp') ?? '';
    expect(Number(timestamp)).toBe(app.clock.now);
    expect(again?.headers.get('x-marquee-signature')).toBe(signNotice(secret, Number(timestamp), again?.body ?? ''));
  });

  it('is not retried after 410, and is retried after any other error', async () => {
    sms = byWebhook('/gone');
    await queue();
    await sendOutbox(app.deps);
    expect(await waiting()).toEqual([]);
    sms = byWebhook();
    await queue();
    for (const status of [302, 404, 429, 503]) {
      webhook.failNext(/sms/, { status });
      expect(await later()).toBe(0);
      await app.db
        .update(outbox)
        .set({ nextTryAt: 0 })
        .where(eq(outbox.tries, (await waiting())[0]?.tries ?? 0));
    }
    expect(await later()).toBe(1);
  });
});

describe('the settings of SMS', () => {
  it('must be complete; without them SMS is off', () => {
    expect(open({})).toBeNull();
    const { TWILIO_FROM: _, ...rest } = twilioAccess;
    expect(() => open(rest)).toThrow(/TWILIO_ACCOUNT_SID: must be set together with/);
    expect(() => open({ SMS_WEBHOOK_URL: 'https://sms.example' })).toThrow(
      /SMS_WEBHOOK_URL: must be set together with/,
    );
  });

  it('are checked without sending a message', async () => {
    expect(await byTwilio()?.check?.()).toMatchObject({ isReachable: true });
    const wrong = await byTwilio({ TWILIO_AUTH_TOKEN: 'a-token-that-is-not-it' })?.check?.();
    expect(wrong?.says).toContain('TWILIO_AUTH_TOKEN');
    expect(twilio.messages).toEqual([]);
  });
});
