import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { pushMessages, pushWatches } from '#server/db/schema/push.ts';
import { orders } from '#server/db/schema/orders.ts';
import { sendExpiryReminders } from '#server/jobs/send-expiry-reminders.ts';
import { sendPushes } from '#server/jobs/send-pushes.ts';
import { watchPayments } from '#server/jobs/watch-payments.ts';
import { aShop, byPix, type Shop } from '#tests/builders/a-shop.ts';
import {
  aBrowserOf,
  subscribeToPush,
  aWaitingBuyer,
  listedPush,
  onAnotherDevice,
  oneBuyer,
  settleAllCharges,
  setAccessEnd,
} from '#tests/builders/push-customers.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await aShop();
});
afterEach(() => shop.close());

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The date in the time zone of Lumen, São Paulo. */
const dayOf = (instant: number) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'America/Sao_Paulo' }).format(instant);

describe('a push about a payment', () => {
  it('is sent once in the language of the browser, without confidential data', async () => {
    const { ana, orderId } = await aWaitingBuyer(shop);
    const browser = await aBrowserOf(shop, ana);
    const body = {
      ...browser.subscription,
      key: (await listedPush(shop, ana)).key,
      about: { type: 'payment', orderId } as const,
    };
    const subscription = await shop.request(endpoints.subscribePush, { body }, { ...ana, headers: { Language: 'pt' } });
    expect(subscription.code).toBe(0);
    await sendPushes(shop.deps);
    expect(await browser.read()).toEqual([]);

    await settleAllCharges(shop);
    expect(await sendPushes(shop.deps)).toBe(1);
    expect(await browser.read()).toEqual([
      {
        title: 'Lumen',
        body: 'Seu pagamento chegou.',
        at: null,
        language: 'pt',
        icon: '/icons/lumen/icon-192.png',
        tag: `paid ${orderId}`,
        path: `/paymentResult?orderId=${orderId}`,
      },
    ]);
    expect(await browser.kept()).toMatchObject([{ ttl: 86_400, urgency: 'normal' }]);

    await shop.deliver(10 * minuteMs);
    await watchPayments(shop.deps);
    expect(await sendPushes(shop.deps)).toBe(0);
    expect((await listedPush(shop, ana)).subscriptions).toMatchObject([{ orders: [], here: true }]);
  });

  it('is sent to every subscribed browser, and only about the subscribed order', async () => {
    const { ana, orderId } = await aWaitingBuyer(shop);
    const other = await ana.pay(byPix);
    const [phone, laptop] = [await aBrowserOf(shop, ana), await aBrowserOf(shop, ana)];
    await subscribeToPush(shop, ana, phone, { type: 'payment', orderId });
    await subscribeToPush(shop, await onAnotherDevice(shop, ana), laptop, { type: 'payment', orderId });
    await settleAllCharges(shop);
    expect(await sendPushes(shop.deps)).toBe(2);
    expect(await phone.read()).toHaveLength(1);
    expect(await laptop.read()).toHaveLength(1);
    expect(other.data.orderId).not.toBe(orderId);
  });

  it('is sent if the payment succeeded while the subscription was being stored', async () => {
    const { ana, orderId } = await aWaitingBuyer(shop);
    const browser = await aBrowserOf(shop, ana);
    await subscribeToPush(shop, ana, browser, { type: 'payment', orderId });
    // the state of a payment whose statement had begun before the subscription existed
    await shop.db.update(orders).set({ status: 'PAYMENT_SUCCEEDED', paidAt: shop.clock.now });
    expect(await watchPayments(shop.deps)).toBe(0);
    shop.clock.advance(minuteMs);
    expect(await watchPayments(shop.deps)).toBe(1);
    expect(await sendPushes(shop.deps)).toBe(1);
    expect(await browser.read()).toHaveLength(1);
    expect(await shop.db.select().from(pushWatches)).toEqual([]);
  });

  it('is sent once the push service is available again, at most a day later', async () => {
    const { ana, orderId } = await aWaitingBuyer(shop);
    const browser = await aBrowserOf(shop, ana);
    await subscribeToPush(shop, ana, browser, { type: 'payment', orderId });
    await settleAllCharges(shop);
    const answers = (status: number, headers = {}) => ({
      ...shop.deps,
      push: async () => new Response(null, { status, headers }),
    });
    expect(await sendPushes({ ...shop.deps, push: () => Promise.reject(new Error('no network')) })).toBe(0);
    expect(await sendPushes(shop.deps)).toBe(0);
    shop.clock.advance(10_000);
    expect(await sendPushes(answers(429, { 'retry-after': '120' }))).toBe(0);
    shop.clock.advance(119_000);
    expect(await sendPushes(shop.deps)).toBe(0);
    shop.clock.advance(1000);
    expect(await sendPushes(answers(503))).toBe(0);
    shop.clock.advance(minuteMs);
    expect(await sendPushes(shop.deps)).toBe(1);
    expect(await browser.read()).toHaveLength(1);

    const again = await aWaitingBuyer(shop);
    await subscribeToPush(shop, again.ana, await aBrowserOf(shop, again.ana), {
      type: 'payment',
      orderId: again.orderId,
    });
    await settleAllCharges(shop);
    shop.clock.advance(dayMs);
    expect(await sendPushes(shop.deps)).toBe(0);
    expect(await shop.db.select().from(pushMessages)).toEqual([]);
  });

  it.each([404, 410])('and its subscription are deleted after status %i of the push service', async (status) => {
    const { ana, orderId } = await aWaitingBuyer(shop);
    await subscribeToPush(shop, ana, await aBrowserOf(shop, ana), { type: 'payment', orderId });
    await settleAllCharges(shop);
    await sendPushes({ ...shop.deps, push: async () => new Response(null, { status }) });
    expect((await listedPush(shop, ana)).subscriptions).toEqual([]);
    expect(await shop.db.select().from(pushMessages)).toEqual([]);
  });

  it('and its subscription are deleted after the browser unsubscribed at the sandbox service', async () => {
    const { ana, orderId } = await aWaitingBuyer(shop);
    const browser = await aBrowserOf(shop, ana);
    await subscribeToPush(shop, ana, browser, { type: 'payment', orderId });
    await browser.leave();
    await settleAllCharges(shop);
    expect(await sendPushes(shop.deps)).toBe(0);
    expect((await listedPush(shop, ana)).subscriptions).toEqual([]);
  });

  it('is refused for the order of another customer and for a paid order', async () => {
    const { orderId } = await aWaitingBuyer(shop);
    const otherCustomer = await oneBuyer(shop);
    const browser = await aBrowserOf(shop, otherCustomer);
    expect((await subscribeToPush(shop, otherCustomer, browser, { type: 'payment', orderId })).errCode).toBe(1001);
    const paid = await otherCustomer.pay();
    const about = { type: 'payment', orderId: paid.data.orderId } as const;
    expect((await subscribeToPush(shop, otherCustomer, browser, about)).errCode).toBe(4598);
    expect((await listedPush(shop, otherCustomer)).subscriptions).toEqual([]);
  });
});

describe('a push before the access expires', () => {
  it('is sent three days and one day before, once each, and opens the account', async () => {
    const ana = await oneBuyer(shop);
    const end = shop.clock.now + 7 * dayMs;
    await setAccessEnd(shop, ana, end);
    const browser = await aBrowserOf(shop, ana);
    await subscribeToPush(shop, ana, browser, { type: 'expiry' });
    const daysBefore: number[] = [];
    for (let hour = 0; hour < 8 * 24; hour += 1) {
      shop.clock.advance(dayMs / 24);
      await sendExpiryReminders(shop.deps);
      for (let sent = await sendPushes(shop.deps); sent > 0; sent -= 1) daysBefore.push((end - shop.clock.now) / dayMs);
    }
    expect(daysBefore).toEqual([3, 1]);
    const [message] = await browser.read();
    const body = `Your access ends on ${dayOf(end)}.`;
    expect(message).toMatchObject({ title: 'Lumen', body, path: '/account' });
    expect(await browser.kept()).toMatchObject([{ ttl: 86_400 }]);
  });

  it('is sent for the new date if the end date moves', async () => {
    const ana = await oneBuyer(shop);
    await setAccessEnd(shop, ana, shop.clock.now + 5 * dayMs);
    const browser = await aBrowserOf(shop, ana);
    await subscribeToPush(shop, ana, browser, { type: 'expiry' });
    const end = shop.clock.now + 35 * dayMs;
    await setAccessEnd(shop, ana, end);
    for (let day = 0; day < 31; day += 1) {
      shop.clock.advance(dayMs);
      await sendExpiryReminders(shop.deps);
      expect(await sendPushes(shop.deps)).toBe(0);
    }
    shop.clock.advance(dayMs);
    await sendExpiryReminders(shop.deps);
    expect(await sendPushes(shop.deps)).toBe(1);
    expect(await browser.read()).toMatchObject([{ body: `Your access ends on ${dayOf(end)}.` }]);
  });

  it('is not sent at once for a date that the page has just shown', async () => {
    const ana = await oneBuyer(shop);
    await setAccessEnd(shop, ana, shop.clock.now + 2 * dayMs);
    const browser = await aBrowserOf(shop, ana);
    await subscribeToPush(shop, ana, browser, { type: 'expiry' });
    shop.clock.advance(minuteMs);
    await sendExpiryReminders(shop.deps);
    expect(await sendPushes(shop.deps)).toBe(0);
    shop.clock.advance(dayMs);
    await sendExpiryReminders(shop.deps);
    expect(await sendPushes(shop.deps)).toBe(1);
  });
});
