import { eq } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { webhookDeliveries, webhookEventTypes } from '#server/db/schema/webhooks.ts';
import { deleteAccounts } from '#server/jobs/delete-accounts.ts';
import { deleteExpiredRows } from '#server/jobs/delete-expired-rows.ts';
import { createWebhookJob } from '#server/jobs/send-webhooks.ts';
import { webhookSecret } from '#server/messages/webhooks/send-webhook.ts';
import { accountDeletion, weekMs } from '#tests/builders/a-deletion.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { aReceiver, listenTo, useWebhooks, type Receiver } from '#tests/builders/a-receiver.ts';
import { advanceDays, aRenewing, clearRenewals, day } from '#tests/builders/a-renewal.ts';
import { aCard, type Shop } from '#tests/builders/a-shop.ts';
import type { OperatorDemo } from '#tests/builders/an-operator-demo.ts';

let cli: OperatorDemo;
let shop: Shop;
let erp: Receiver;
let send: () => Promise<number>;
const demo = useWebhooks('lumen');
beforeEach(() => void ({ cli, shop, erp, send } = demo()));
afterEach(() => void vi.useRealTimers());

const attemptOf = async (orderId: string) => {
  const [attempt] = await shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));
  return attempt?.id ?? '';
};
const deliveries = () => shop.db.select().from(webhookDeliveries).orderBy(webhookDeliveries.createdAt);

describe('the webhooks of a brand', () => {
  it('tell once that an order is paid, signed so that a published library verifies them', async () => {
    const ana = await shop.buyer();
    const { orderId } = (await ana.pay()).data;
    expect(await send()).toBe(1);
    expect(await send()).toBe(0);
    const [told] = erp.received;
    expect(told?.data).toEqual({
      brand: 'lumen',
      orderId,
      uid: ana.uid,
      planId: '101',
      days: 30,
      methodCode: 'card',
      gateway: 'sandbox',
      amount: { amount: 1990, currency: 'BRL' },
      coupon: null,
      isRenewal: false,
      serviceStart: new Date(shop.clock.now).toISOString(),
      serviceEnd: new Date(shop.clock.now + 30 * day).toISOString(),
    });
    // the library compares with the current time
    vi.useFakeTimers({ toFake: ['Date'], now: shop.clock.now });
    const receiver = new Webhook(webhookSecret(shop.deps.env, 'lumen'));
    expect(receiver.verify(told?.body ?? '', told?.headers ?? {})).toMatchObject({
      type: 'order.paid',
      timestamp: new Date(shop.clock.now).toISOString(),
    });
    expect(() => receiver.verify(`${told?.body} `, told?.headers ?? {})).toThrow('No matching signature');
    const ofOther = new Webhook(webhookSecret(shop.deps.env, 'mego'));
    expect(() => ofOther.verify(told?.body ?? '', told?.headers ?? {})).toThrow('No matching signature');
  });

  it('are verified by the former secret, too, while it is configured', async () => {
    await (await shop.buyer()).pay();
    const env = { ...shop.deps.env, SIGNING_SECRET: 'another secret that is long enough', FORMER_SIGNING_SECRETS: [] };
    const rotated = { ...env, FORMER_SIGNING_SECRETS: [shop.deps.env.SIGNING_SECRET] };
    await createWebhookJob()({ ...shop.deps, env: rotated });
    const [told] = erp.received;
    vi.useFakeTimers({ toFake: ['Date'], now: shop.clock.now });
    for (const secret of [shop.deps.env, env])
      expect(new Webhook(webhookSecret(secret, 'lumen')).verify(told?.body ?? '', told?.headers ?? {})).toBeTruthy();
  });

  it('tell nothing of what did not happen, nor to another brand', async () => {
    await (await shop.buyer()).pay({ card: aCard('4000000000000002') });
    await (await shop.buyer()).pay({ methodCode: 'pix', card: undefined });
    await (await shop.buyer({ host: 'mego.localhost' })).pay({ planId: '201', currency: 'USD' });
    expect(await deliveries()).toEqual([]);
  });

  it('are sent to each address with the events that it wants', async () => {
    const crm = await aReceiver();
    await listenTo(shop, 'lumen', {
      webhooks: [{ url: erp.url, events: ['order.refunded'] }, { url: crm.url }],
    });
    const { orderId } = (await (await shop.buyer()).pay()).data;
    await sendNotice(shop, aNotice(await attemptOf(orderId), { event: 'refund', stage: 'succeeded' }));
    await send();
    expect(erp.types()).toEqual(['order.refunded']);
    expect(crm.types()).toEqual(['order.paid', 'order.refunded']);
    expect(erp.received[0]?.headers['webhook-id']).toBe(crm.received[1]?.headers['webhook-id']);
    await crm.close();
  });

  it('exist for every event that a brand can choose', async () => {
    const { leave } = accountDeletion(() => shop);
    const lost = (await (await shop.buyer()).pay()).data.orderId;
    for (const stage of ['opened', 'succeeded'])
      await sendNotice(shop, aNotice(await attemptOf(lost), { event: 'chargeback', stage }));
    const refunded = (await (await shop.buyer()).pay()).data.orderId;
    const refund = aNotice(await attemptOf(refunded), { event: 'refund', stage: 'succeeded' });
    for (let times = 0; times < 2; times += 1) expect(await sendNotice(shop, refund)).toBe(200);
    const ana = await aRenewing(shop);
    await advanceDays(shop, 30);
    const bob = await aRenewing(shop);
    await cli.run('renewals', 'stop', '--brand=lumen', `--account=${bob.account}`, '--why=ticket 7');
    const eve = await shop.customer();
    await leave(eve);
    shop.clock.advance(weekMs);
    await deleteAccounts(shop.deps);
    await advanceDays(shop, 31);
    await clearRenewals(shop);
    while ((await send()) > 0);
    const of = (uid: string) => erp.received.filter(({ data }) => data['uid'] === uid).map(({ type }) => type);
    expect([...new Set(erp.types())].sort()).toEqual([...webhookEventTypes].sort());
    expect(erp.received.find(({ type }) => type === 'order.refunded')?.data).toMatchObject({
      orderId: refunded,
      amount: { amount: 1990, currency: 'BRL' },
      isWhole: true,
      isDuplicate: false,
    });
    expect(erp.types().filter((type) => type === 'order.refunded')).toHaveLength(1);
    expect(erp.received.find(({ type }) => type === 'order.dispute_closed')?.data).toMatchObject({
      orderId: lost,
      outcome: 'lost',
    });
    expect(of(ana.uid)).toEqual(expect.arrayContaining(['order.paid', 'renewal.charged']));
    expect(of(bob.uid)).toEqual(['order.paid', 'renewal.turned_off', 'renewal.ended']);
    expect(of(eve.uid)).toEqual(['account.deleted']);
    // what no system of the operator needs is not sent
    for (const { body } of erp.received) expect(body).not.toMatch(/@|Ana|52998224725|4242/);
  });
});

describe('a webhook that is not accepted', () => {
  beforeEach(async () => {
    await (await shop.buyer()).pay();
  });

  const isDueAfter = async (ms: number) => {
    shop.clock.advance(ms - 1);
    await send();
    const before = erp.received.length;
    shop.clock.advance(1);
    await send();
    return erp.received.length - before;
  };

  it.each([404, 500, 302])('with status %i is tried again after growing pauses, with the same id', async (status) => {
    erp.answer = { status, headers: { location: 'http://127.0.0.1:1/elsewhere' } };
    await send();
    for (const ms of [5000, 300_000, 1_800_000]) expect(await isDueAfter(ms)).toBe(1);
    expect(new Set(erp.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const times = erp.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(new Set(times).size).toBe(4);
    erp.answer = { status: 200 };
    expect(await isDueAfter(7_200_000)).toBe(1);
    expect(await deliveries()).toMatchObject([{ tries: 5, sentAt: shop.clock.now, lastAnswer: 'HTTP 200' }]);
  });

  it('waits as long as the receiver asks for', async () => {
    erp.answer = { status: 503, headers: { 'retry-after': '900' } };
    await send();
    expect(await isDueAfter(900_000)).toBe(1);
  });

  it('is given up after three days and ten attempts, which the metrics count', async () => {
    erp.answer = { status: 500 };
    for (let hours = 0; hours < 80; hours += 1) {
      await send();
      shop.clock.advance(3_600_000);
    }
    expect(erp.received).toHaveLength(10);
    const metrics = await shop.deps.metrics.registry.metrics();
    expect(metrics).toMatch(/webhooks_sent_total\{brand="lumen",outcome="given_up"\} 1/);
    shop.clock.advance(30 * day);
    await deleteExpiredRows(shop.deps);
    expect(await deliveries()).toEqual([]);
  });

  it('is given up at once by an address that is gone', async () => {
    erp.answer = { status: 410 };
    await send();
    shop.clock.advance(day);
    await send();
    expect(erp.received).toHaveLength(1);
  });

  it('does not hold up other addresses, and the address rests until it may answer again', async () => {
    const crm = await aReceiver();
    erp.answer = 'never';
    await listenTo(shop, 'lumen', { webhooks: [{ url: erp.url }, { url: crm.url }] });
    for (const buyer of await shop.buyers(3)) await buyer.pay();
    await send();
    expect(crm.received).toHaveLength(3);
    expect(erp.received).toHaveLength(1);
    shop.clock.advance(20_000);
    await send();
    expect(erp.received).toHaveLength(1);
    erp.answer = { status: 200 };
    shop.clock.advance(10_000);
    await send();
    expect(new Set(erp.received.map(({ headers }) => headers['webhook-id'])).size).toBe(4);
    await crm.close();
  });

  it('is not lost by a process that stops while it sends', async () => {
    const stopping = AbortSignal.abort();
    expect(await createWebhookJob()(shop.deps, stopping)).toBe(0);
    expect(await send()).toBe(1);
  });
});
