import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changePassword, login, sendVerificationCode } from '#contract/index.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { messageRequests, throttles } from '#server/db/schema/sign-in.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { alertOperator } from '#server/messages/operator-alerts.ts';
import { queueSms } from '#server/messages/sms-budget.ts';
import { destinationOf } from '#server/runtime/phone-number.ts';
import { writeRequestedMessages } from '#server/jobs/write-requested-messages.ts';
import { aMember } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp({ env: { TRUST_PROXY: '127.0.0.1', SMS_PER_DAY: '800' } });
});
afterAll(() => shop.close());
beforeEach(async () => {
  await shop.db.delete(throttles);
  await shop.db.delete(outbox);
  await shop.db.delete(messageRequests);
});

let last = 11_987_000_000;
/** An unused phone number of São Paulo. */
const anyNumber = () => ({ account: String((last += 1)), areaCode: '55' });
/** A phone number of Chile, a foreign country for the brand. */
const chilean = () => ({ account: `9${String((last += 1)).slice(-8)}`, areaCode: '56' });

function request(
  ip: string,
  to: { account: string; areaCode: string } = anyNumber(),
  scene: 'signup' | 'login' = 'signup',
) {
  const body = { ...to, type: 'phone', scene, language: 'en' } as const;
  return shop.request(sendVerificationCode, { body }, { headers: { 'x-forwarded-for': ip } });
}

/** Requests from a different network each, unless one is given. */
async function requestMany(count: number, to = anyNumber, ip?: string) {
  const codes: number[] = [];
  for (let n = 0; n < count; n += 1)
    codes.push((await request(ip ?? `198.18.${n >> 8}.${n & 255}`, to())).errCode ?? 0);
  await writeAll();
  return codes;
}

async function writeAll(): Promise<void> {
  while ((await writeRequestedMessages(shop.deps)) > 0);
}

const sent = () => shop.db.$count(outbox, eq(outbox.channel, 'sms'));
const allowed = (codes: readonly number[]) => codes.filter((code) => code === 0).length;
const refused = { status: 422, errCode: 4598, params: { field: 'phone' } };

describe('codes by SMS to unknown numbers', () => {
  it('are limited to sixty per network and hour', async () => {
    expect(allowed(await requestMany(80, anyNumber, '203.0.113.7'))).toBe(60);
    expect(await sent()).toBe(60);
    expect(await request('203.0.113.7')).toMatchObject(refused);
    // other networks are not affected, and the limit resets after an hour
    expect((await request('203.0.113.8')).code).toBe(0);
    shop.clock.advance(3_600_000);
    expect((await request('203.0.113.7')).code).toBe(0);
  });

  it('are counted per IPv6 network, for all its addresses', async () => {
    const codes: number[] = [];
    for (let n = 0; n < 70; n += 1) codes.push((await request(`2001:db8:1:1::${n.toString(16)}`)).errCode ?? 0);
    expect(allowed(codes)).toBe(60);
  });

  it('are limited per foreign country to its share of the budget, across networks', async () => {
    // half of 80 a day and of 20 an hour
    await requestMany(30, chilean);
    expect(await sent()).toBe(10);
    expect(await request('192.0.2.1', chilean())).toMatchObject(refused);
    expect((await request('192.0.2.1')).code).toBe(0);
    for (let hour = 0; hour < 5; hour += 1) {
      shop.clock.advance(3_600_000);
      await requestMany(12, chilean);
    }
    expect(await sent()).toBe(40);
  });

  it('are limited by the budget of the brand, and the operator is alerted', async () => {
    await requestMany(130);
    expect(await sent()).toBe(100);
    expect(await request('192.0.2.2')).toMatchObject(refused);
    const metrics = await shop.deps.metrics.registry.metrics();
    for (const limit of ['sms_brand', 'sms_country', 'sms_network'])
      expect(metrics).toMatch(new RegExp(`limit_refusals_total\\{limit="${limit}",brand="lumen"\\} [1-9]`));
    expect(metrics).toMatch(/operator_alerts_total\{kind="sms_pumping",brand="lumen"\} [1-9]/);
    expect(await shop.db.$count(outbox, eq(outbox.recipient, 'operations@lumen.example'))).toBe(1);
  });
});

it('messages to Caribbean countries are counted separately from the United States despite the shared +1', () => {
  const destinations = [
    '12125550123',
    '14165550123',
    '18765550123',
    '18095550123',
    '18295550123',
    '5511987654321',
    '12',
  ];
  expect(destinations.map(destinationOf)).toEqual(['1', '1', 'JM', 'DO', 'DO', '55', 'unknown']);
});

describe('a brand', () => {
  const brandOf = (areaCode: string): Brand => {
    const lumen = shop.deps.catalog.byCode('lumen') ?? expect.fail();
    return { ...lumen, config: { ...lumen.config, login: { ...lumen.config.login, areaCode } } };
  };
  /** Sends 25 codes to an area and counts the sent ones: all in the home country, 20 abroad. */
  async function sentTo(area: string, brand: Brand): Promise<number> {
    const before = await sent();
    for (let n = 0; n < 25; n += 1) {
      const to = `${area}55501${String(n).padStart(2, '0')}`;
      await queueSms(shop.db, { brand, to, text: '1234', isProved: true, asked: true }, shop.deps);
    }
    return (await sent()) - before;
  }

  it.each([
    ['1809', ['1809', '1829'], ['1876', '1212']],
    ['1939', ['1787'], ['1809', '1212']],
    ['1', ['1212', '1416'], ['1809', '1787']],
    ['1416', ['1212'], ['1876']],
  ])('of +%s has its full budget for every area code of its country', async (areaCode, own, foreign) => {
    const brand = brandOf(areaCode);
    for (const area of own) expect(await sentTo(area, brand)).toBe(25);
    for (const area of foreign) expect(await sentTo(area, brand)).toBe(20);
  });
});

describe('a customer', () => {
  it('receives a login code although sign-ups have used up their half of the budget', { tags: 'slow' }, async () => {
    const ana = await aMember(shop, { type: 'phone', proven: true });
    await requestMany(130);
    expect(await request('192.0.2.4')).toMatchObject(refused);
    const before = await sent();
    await request('192.0.2.5', { account: ana.account.slice(2), areaCode: '55' }, 'login');
    await writeAll();
    expect(await sent()).toBe(before + 1);
  });

  it('receives at most ten messages a day by logging in and changing the password', { tags: 'slow' }, async () => {
    const account = String((last += 1));
    await aMember(shop, { account: `55${account}`, type: 'phone', proven: true });
    const answers: number[] = [];
    for (let n = 0; n < 14; n += 1) {
      const from = { headers: { 'x-forwarded-for': `198.18.2.${n}` } };
      const password = n === 0 ? 'secret-123' : `secret-123-${Math.min(n, 10)}`;
      const body = { account, areaCode: '55', type: 'phone', password } as const;
      const { token } = (await shop.request(login, { body }, from)).data;
      const change = { currentPassword: password, newPassword: `secret-123-${n + 1}` };
      answers.push((await shop.request(changePassword, { body: change }, { ...from, token })).code);
      shop.clock.advance(60_000);
    }
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 0), 17, 17, 17, 17]);
    expect(await sent()).toBe(10);
  });

  it('causes no alert by receiving ten notices a day', async () => {
    const brand = shop.deps.catalog.byCode('lumen') ?? expect.fail();
    for (let n = 0; n < 12; n += 1)
      await queueSms(shop.db, { brand, to: '5511987654321', text: 'a notice', isProved: true }, shop.deps);
    expect(await sent()).toBe(10);
    expect(await shop.db.$count(outbox, eq(outbox.channel, 'mail'))).toBe(0);
  });

  it('without an account consumes no budget, and gets the same response', async () => {
    const ana = await aMember(shop, { type: 'phone' });
    const answers: number[] = [];
    for (let n = 0; n < 110; n += 1) answers.push((await request(`198.18.1.${n}`, anyNumber(), 'login')).status);
    await writeAll();
    expect(await sent()).toBe(0);
    const known = await request('192.0.2.3', { account: ana.account.slice(2), areaCode: '55' }, 'login');
    expect(new Set(answers)).toEqual(new Set([known.status]));
    await writeAll();
    expect(await sent()).toBe(1);
  });
});

it('an alert that cannot be stored does not break its transaction', async () => {
  const lumen = shop.deps.catalog.byCode('lumen') ?? expect.fail();
  // PostgreSQL refuses NUL in texts
  const brand: Brand = { ...lumen, alerts: { email: 'operations\0@lumen.example' } };
  const count = shop.db.transaction(async (tx) => {
    await alertOperator({ ...shop.deps, db: tx }, brand, { kind: 'sms_pumping' });
    return tx.$count(outbox);
  });
  expect(await count).toBe(0);
  // the daily alert was not used up either
  await alertOperator(shop.deps, lumen, { kind: 'sms_pumping' });
  expect(await shop.db.$count(outbox, eq(outbox.recipient, 'operations@lumen.example'))).toBe(1);
});
