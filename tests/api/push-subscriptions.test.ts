import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { maxPushSubscriptions } from '#contract/push.ts';
import { setUserType } from '#server/auth/users.ts';
import { orders } from '#server/db/schema/orders.ts';
import { pushSubscriptions } from '#server/db/schema/push.ts';
import { deleteExpiredRows } from '#server/jobs/delete-expired-rows.ts';
import { sendPushes } from '#server/jobs/send-pushes.ts';
import { watchPayments } from '#server/jobs/watch-payments.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';
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

describe('a push subscription', () => {
  async function aSubscription() {
    const { ana, orderId } = await aWaitingBuyer(shop);
    const browser = await aBrowserOf(shop, ana);
    expect((await subscribeToPush(shop, ana, browser, { type: 'payment', orderId })).code).toBe(0);
    return { ana, orderId, browser };
  }
  const storedSubscriptions = () => shop.db.select().from(pushSubscriptions);

  it('ends with its session: after logout, blocking and expiry', async () => {
    const first = await aSubscription();
    await shop.request(endpoints.loginOut, { body: { language: 'en', uid: first.ana.uid, account: '' } }, first.ana);
    expect(await storedSubscriptions()).toEqual([]);
    await settleAllCharges(shop);
    expect(await sendPushes(shop.deps)).toBe(0);

    const second = await aSubscription();
    await setUserType(shop.db, { brand: 'lumen', uid: second.ana.uid }, 'BLOCKED', shop.clock.now);
    expect(await storedSubscriptions()).toEqual([]);

    const third = await aSubscription();
    shop.clock.advance(101 * dayMs);
    await shop.db.update(orders).set({ paidAt: shop.clock.now }).where(eq(orders.orderId, third.orderId));
    await watchPayments(shop.deps);
    expect(await sendPushes(shop.deps)).toBe(0);
    expect(await third.browser.kept()).toEqual([]);
    await deleteExpiredRows(shop.deps);
    expect(await storedSubscriptions()).toEqual([]);
  });

  it('ends when the password changes', async () => {
    const ana = await shop.customer();
    await setAccessEnd(shop, ana, shop.clock.now + 9 * dayMs);
    await subscribeToPush(shop, ana, await aBrowserOf(shop, ana), { type: 'expiry' });
    expect(await storedSubscriptions()).toHaveLength(1);
    const body = { currentPassword: ana.password, newPassword: 'the password of the owner' };
    expect((await shop.request(endpoints.changePassword, { body }, { token: ana.token })).code).toBe(0);
    expect(await storedSubscriptions()).toEqual([]);
  });

  it('is listed for its device, and only its owner can end it', async () => {
    const { ana, orderId, browser } = await aSubscription();
    await subscribeToPush(shop, ana, browser, { type: 'expiry' });
    const [own, ...more] = (await listedPush(shop, ana)).subscriptions;
    expect(own).toMatchObject({ since: shop.clock.now, expiry: true, orders: [orderId], here: true });
    expect(more).toEqual([]);
    const otherCustomer = await oneBuyer(shop);
    expect((await listedPush(shop, otherCustomer)).subscriptions).toEqual([]);
    expect((await shop.request(endpoints.endPush, { body: { id: own?.id ?? '' } }, otherCustomer)).code).toBe(0);
    expect(await storedSubscriptions()).toHaveLength(1);
    expect((await shop.request(endpoints.endPush, { body: { id: own?.id ?? '' } }, ana)).code).toBe(0);
    expect(await storedSubscriptions()).toEqual([]);
  });

  it('belongs to the last customer who logged in on that browser', async () => {
    const { browser } = await aSubscription();
    const bea = await aWaitingBuyer(shop);
    const body = { ...browser.subscription, key: (await listedPush(shop, bea.ana)).key };
    const about = { type: 'payment', orderId: bea.orderId } as const;
    expect((await shop.request(endpoints.subscribePush, { body: { ...body, about } }, bea.ana)).code).toBe(0);
    await settleAllCharges(shop);
    await sendPushes(shop.deps);
    expect(await browser.read()).toMatchObject([{ tag: `paid ${bea.orderId}` }]);
    expect(await storedSubscriptions()).toMatchObject([{ uid: bea.ana.uid }]);
  });

  it('is replaced when the browser sends a new one, and keeps its topics', async () => {
    const { ana, browser } = await aSubscription();
    await setAccessEnd(shop, ana, shop.clock.now + 9 * dayMs);
    const next = await aBrowserOf(shop, ana);
    await subscribeToPush(shop, ana, next, { type: 'expiry' });
    expect((await listedPush(shop, ana)).subscriptions).toMatchObject([
      { expiry: true, orders: [expect.any(String)], here: true },
    ]);
    await settleAllCharges(shop);
    await sendPushes(shop.deps);
    expect([await browser.kept(), await next.kept()]).toMatchObject([[], [{}]]);
  });

  it('replaces the oldest one beyond the limit', async () => {
    const { ana, orderId } = await aWaitingBuyer(shop);
    for (let count = 0; count < maxPushSubscriptions + 2; count += 1) {
      shop.clock.advance(1);
      await subscribeToPush(shop, await onAnotherDevice(shop, ana), await aBrowserOf(shop, ana), {
        type: 'payment',
        orderId,
      });
    }
    const { subscriptions } = await listedPush(shop, ana);
    expect(subscriptions).toHaveLength(maxPushSubscriptions);
    expect(subscriptions.at(-1)?.since).toBe(shop.clock.now - maxPushSubscriptions + 1);
  });

  it('is renewed by its browser only with the secret of the old one', async () => {
    const { ana, orderId, browser } = await aSubscription();
    const next = await aBrowserOf(shop, ana);
    const { endpoint, keys } = browser.subscription;
    const renew = (auth: string) =>
      shop.request(endpoints.renewPush, { body: { old: { endpoint, auth }, ...next.subscription } });
    expect((await renew('A'.repeat(22))).code).toBe(0);
    expect(await storedSubscriptions()).toMatchObject([{ endpoint }]);
    expect((await renew(keys.auth)).code).toBe(0);
    await settleAllCharges(shop);
    await sendPushes(shop.deps);
    expect(await browser.kept()).toEqual([]);
    expect(await next.read()).toMatchObject([{ tag: `paid ${orderId}` }]);
  });

  it('with an outdated key of the server is deleted instead of used', async () => {
    await aSubscription();
    await settleAllCharges(shop);
    const env = { ...shop.deps.env, SIGNING_SECRET: 'another secret of the tests that is long enough' };
    expect(await sendPushes({ ...shop.deps, env })).toBe(0);
    expect(await storedSubscriptions()).toEqual([]);
  });
});
