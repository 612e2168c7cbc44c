import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { reconcile, defaultReconcileAfterMs } from '#server/jobs/reconcile.ts';
import { renewDue } from '#server/jobs/renew-due.ts';
import { aCard, aShop, type Shop } from '#tests/builders/a-shop.ts';
import {
  aDeclinedRenewal,
  day,
  clearRenewals,
  advanceDays,
  renewalAttempts,
  withRenewal,
} from '#tests/builders/a-renewal.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterEach(() => clearRenewals(shop));
afterAll(() => shop.close());

describe('a renewal whose bank requires authentication', () => {
  it.each(['4000000000004012', '4000000000003220'])(
    'asks the customer to pay with card %s by a link in an email',
    async (number) => {
      const ana = await shop.buyer().then(async (buyer) => {
        const paid = await buyer.pay({ card: aCard(number), renew: true });
        if (paid.data.next.type === 'redirect') await shop.press(new URL(paid.data.next.url).pathname, 'approve');
        await shop.deliver(1000);
        return buyer;
      });

      const eva = await withRenewal(shop, ana);
      const { paid: ends } = await eva.access();
      await advanceDays(shop, 29);
      const [order] = await eva.charges();
      expect(order).toMatchObject({ status: 'PAYMENT_PENDING', expiresAt: ends + 7 * day, underReview: false });
      expect(await eva.told()).toEqual(['notice', 'confirm']);
      expect(await eva.mail('confirm')).toContain(`http://localhost:3000/payment?orderId=${order?.orderId}`);
      expect(await eva.info()).toMatchObject({ status: 'pastDue', graceUntil: ends + 7 * day });
      const [card] = (await shop.request(endpoints.listCard, { body: {} }, eva)).data;
      await eva.repay(order?.orderId ?? '', { card: undefined, cardId: card?.cardId, cardCode: '123' });
      const { next } = (await shop.request(endpoints.paymentInfo, { body: { orderId: order?.orderId ?? '' } }, eva))
        .data;
      if (next.type === 'redirect') await shop.press(new URL(next.url).pathname, 'approve');
      await shop.deliver(1000);
      expect(await eva.info()).toMatchObject({ status: 'on', endsAt: ends + 30 * day, graceUntil: null });
    },
  );
});

describe('a renewal whose bank', () => {
  it('loses the answer is queried, and has charged once', async () => {
    const { ana, ends } = await aDeclinedRenewal(shop, aCard('4000000000005043'));
    expect(await ana.info()).toMatchObject({ status: 'renewing', history: [{ status: 'SUBMITTED' }] });
    const off = await shop.request(endpoints.updateRenewStatus, { body: { status: 'off' } }, ana);
    expect(off.errCode).toBe(6207);
    expect((await shop.request(endpoints.queryCart, { body: {} }, ana)).data.items).toEqual([]);
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    expect(await ana.info()).toMatchObject({ status: 'on', endsAt: ends + 30 * day });
    expect(await renewalAttempts(shop, ana)).toHaveLength(1);
  });

  it('does not answer for a day counts as declined', async () => {
    const { ana } = await aDeclinedRenewal(shop, aCard('4000000000005035'));
    for (const hours of [1, 6, 12]) {
      shop.clock.advance(hours * 3_600_000);
      await reconcile(shop.deps);
      await renewDue(shop.deps);
      expect(await ana.info()).toMatchObject({ status: 'renewing' });
    }
    shop.clock.advance(day);
    await reconcile(shop.deps);
    expect(await ana.info()).toMatchObject({ status: 'pastDue', history: [{ status: 'PAYMENT_FAILED' }] });
    expect(await renewalAttempts(shop, ana)).toHaveLength(1);
  });

  it('answers later is paid then', async () => {
    const { ana, ends } = await aDeclinedRenewal(shop, aCard('4000000000002024'));
    expect(await ana.info()).toMatchObject({ status: 'renewing', history: [{ status: 'PAYMENT_PENDING' }] });
    expect((await shop.request(endpoints.queryCart, { body: {} }, ana)).data.items).toEqual([]);
    await shop.deliver(3 * 60_000);
    await shop.deliver(1000);
    expect(await ana.info()).toMatchObject({ status: 'on', endsAt: ends + 30 * day });
  });

  it('reports another card uses it from then on', async () => {
    const { ana, ends } = await aDeclinedRenewal(shop, aCard('4000000000002057'));
    expect(await ana.info()).toMatchObject({
      status: 'on',
      card: { last4: '2058', expiryYear: 2033 },
      endsAt: ends + 30 * day,
    });
    const cards = await shop.db.select().from(savedCards).where(eq(savedCards.uid, ana.uid));
    expect(cards).toHaveLength(1);
    await advanceDays(shop, 30);
    expect(await ana.charges()).toMatchObject([{ status: 'PAYMENT_SUCCEEDED' }, { status: 'PAYMENT_SUCCEEDED' }]);
  });
});
