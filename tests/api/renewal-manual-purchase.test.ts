import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { sandboxCharges } from '#sandbox/schema.ts';
import { aRenewing, day, clearRenewals, advanceDays } from '#tests/builders/a-renewal.ts';
import { aCard, aShop, byPix, type Shop } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterEach(() => clearRenewals(shop));
afterAll(() => shop.close());

describe('a plan that is bought manually while another one renews', () => {
  it('is used first: the same plan renews afterwards, and a new notice is sent for that day', async () => {
    const ana = await aRenewing(shop);
    const { paid: ends } = await ana.access();
    await advanceDays(shop, 24);
    expect(await ana.told()).toEqual(['notice']);
    await ana.pay(byPix);
    const [charge] = (await shop.books()).charges.filter(({ status }) => status === 'waiting').toReversed();
    await shop.press(`/sandbox/bank/pix/${charge?.publicId}`, 'pay');
    await shop.deliver(1000);
    expect(await ana.info()).toMatchObject({
      status: 'on',
      terms: { planId: '101', nextChargeAt: ends + 29 * day },
      endsAt: ends + 30 * day,
    });
    await advanceDays(shop, 29);
    expect(await ana.charges()).toEqual([]);
    await advanceDays(shop, 7);
    expect(await ana.told()).toEqual(['notice', 'notice']);
    expect(await ana.charges()).toHaveLength(1);
  });

  it('keeps its devices until its last day, although the renewal was paid a day before', async () => {
    const ana = await aRenewing(shop);
    await ana.pay({ planId: '301' });
    const devices = async () => {
      const body = { uid: ana.uid, account: ana.account, type: 'email' as const };
      return (await shop.request(endpoints.queryInfo, { body }, ana)).data.limitCount;
    };
    await advanceDays(shop, 59.5);
    expect(await ana.charges()).toMatchObject([{ status: 'PAYMENT_SUCCEEDED', devices: 1 }]);
    expect(await devices()).toBe(3);
    await advanceDays(shop, 1);
    expect(await devices()).toBe(1);
  });

  it('replaces the renewal if it renews itself', async () => {
    const ana = await aRenewing(shop);
    const { paid: ends } = await ana.access();
    await ana.pay({ planId: '103', card: aCard('5555555555554444'), renew: true });
    expect(await ana.info()).toMatchObject({
      status: 'on',
      terms: { planId: '103', days: 365, nextChargeAt: ends + 364 * day },
      card: { last4: '4444' },
    });
    expect((await ana.row()).dueAt).toBe(ends + 334 * day);
  });

  it('does not affect a pending charge, and both count', async () => {
    const ana = await aRenewing(shop, { card: aCard('4000000000002024') });
    const { paid: ends } = await ana.access();
    await advanceDays(shop, 29);
    expect((await ana.info()).status).toBe('renewing');
    await ana.pay({ planId: '102', card: aCard() });
    expect((await ana.info()).status).toBe('renewing');
    await shop.deliver(3 * 60_000);
    await shop.deliver(1000);
    expect(await ana.info()).toMatchObject({ status: 'on', terms: { planId: '101' }, endsAt: ends + 210 * day });
    expect(await ana.row()).toMatchObject({ period: 2, orderId: null });
  });

  it('replaces a pending charge that is declined', async () => {
    const ana = await aRenewing(shop, { card: aCard('4000000000002024') });
    await advanceDays(shop, 29);
    await ana.pay({ planId: '102', card: aCard() });
    const [order] = await ana.charges();
    await shop.db
      .update(sandboxCharges)
      .set({ status: 'declined', declineCode: 302 })
      .where(eq(sandboxCharges.status, 'waiting'));

    shop.clock.advance(60_000);
    await reconcile(shop.deps);
    expect(await ana.info()).toMatchObject({ status: 'on', graceUntil: null });
    expect(await ana.told()).toEqual(['notice']);
    expect(await ana.row()).toMatchObject({ period: 2, orderId: null });
    expect(order?.period).toBe(1);
  });
});
