import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { pushMessages } from '#server/db/schema/push.ts';
import { sendExpiryReminders } from '#server/jobs/send-expiry-reminders.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';
import { aRenewing, day, advanceDays } from '#tests/builders/a-renewal.ts';
import { aBrowserOf, subscribeToPush } from '#tests/builders/push-customers.ts';
import { testNow } from '#tests/builders/test-app.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

describe('a plan that renews', () => {
  it('is announced a week before, charged a day before it ends, and continues without a gap', async () => {
    const ana = await aRenewing(shop);
    const ends = testNow + 30 * day;
    expect(await ana.info()).toMatchObject({
      status: 'on',
      terms: { planId: '101', price: { amount: 1990, currency: 'BRL' }, days: 30, nextChargeAt: ends - day },
      card: { last4: '4242' },
      endsAt: ends,
      graceUntil: null,
      offered: true,
      history: [],
    });
    await advanceDays(shop, 21);
    expect(await ana.told()).toEqual([]);
    await advanceDays(shop, 2);
    expect(await ana.told()).toEqual(['notice']);
    expect(await ana.mail('notice')).toContain('December 20, 2026');
    await advanceDays(shop, 7);
    expect(await ana.charges()).toMatchObject([{ status: 'PAYMENT_SUCCEEDED', total: 1990, period: 1 }]);
    expect(await ana.access()).toEqual({ paid: ends + 30 * day, grace: null });
    expect(await ana.info()).toMatchObject({
      status: 'on',
      terms: { nextChargeAt: ends + 29 * day },
      history: [{ amount: { amount: 1990, currency: 'BRL' }, status: 'PAYMENT_SUCCEEDED', last4: '4242' }],
    });
    await advanceDays(shop, 60);
    expect(await ana.charges()).toHaveLength(3);
    expect(await ana.told()).toHaveLength(3);
  });

  it('has no push about its end until the renewal is turned off', async () => {
    const ana = await aRenewing(shop);
    await subscribeToPush(shop, ana, await aBrowserOf(shop, ana), { type: 'expiry' });
    const reminders = async () => {
      await sendExpiryReminders(shop.deps);
      return (await shop.db.select().from(pushMessages).where(eq(pushMessages.uid, ana.uid))).length;
    };
    await advanceDays(shop, 27.5);
    expect(await reminders()).toBe(0);
    await shop.request(endpoints.updateRenewStatus, { body: { status: 'off' } }, ana);
    shop.clock.advance(1.75 * day);
    expect(await reminders()).toBe(1);
  });
});
