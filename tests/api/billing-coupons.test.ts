import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { cancelAbandonedOrders, repayGraceMs } from '#server/jobs/start-jobs.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { aCoupon, usesOf } from '#tests/builders/a-coupon.ts';
import { aCard, aShop, byPix, type Shop } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

describe('a coupon', () => {
  it('is used by the order it was entered for', async () => {
    const [ana, discountCode] = [await shop.buyer(), await aCoupon(shop.db)];
    expect((await ana.pay({ discountCode })).data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await usesOf(shop.db, discountCode)).toBe(1);
    const late = await shop.request(
      endpoints.goodsValuation,
      { body: { planId: '101', methodCode: 'card', currency: 'BRL', discountCode } },
      await shop.buyer(),
    );
    expect(late.errCode).toBe(9003);
  });

  it('is released when the card is declined, and used again by the second attempt', async () => {
    const [ana, discountCode] = [await shop.buyer(), await aCoupon(shop.db)];
    const declined = await ana.pay({ discountCode, card: aCard('4000000000000002') });
    expect(await usesOf(shop.db, discountCode)).toBe(0);
    const again = await ana.repay(declined.params.orderId ?? '', { discountCode });
    expect(again.data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await usesOf(shop.db, discountCode)).toBe(1);
  });

  it('that another customer has used meanwhile is refused on the second attempt without a charge', async () => {
    const [ana, bia, discountCode] = [await shop.buyer(), await shop.buyer(), await aCoupon(shop.db)];
    const declined = await ana.pay({ discountCode, card: aCard('4000000000000002') });
    const orderId = declined.params.orderId ?? '';
    const body = { ...(await ana.body({ discountCode })), orderId };
    await bia.pay({ discountCode });
    const answer = await shop.request(endpoints.repay, { body }, { ...ana, idempotencyKey: crypto.randomUUID() });
    expect(answer.errCode).toBe(9003);
    const order = await shop.request(endpoints.order, { params: { id: orderId } }, ana);
    expect(order.data.status).toBe('PAYMENT_FAILED');
    expect((await ana.repay(orderId)).data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await usesOf(shop.db, discountCode)).toBe(1);
  });

  it('stays reserved for an open payment, and is released when the order is abandoned', async () => {
    const [ana, discountCode] = [await shop.buyer(), await aCoupon(shop.db)];
    const { data } = await ana.pay({ ...byPix, discountCode });
    expect(await usesOf(shop.db, discountCode)).toBe(1);
    shop.clock.advance(30 * 60_000);
    await reconcile(shop.deps);
    expect((await ana.repay(data.orderId, { ...byPix, discountCode })).data.next.type).toBe('qr');
    expect(await usesOf(shop.db, discountCode)).toBe(1);
    shop.clock.advance(30 * 60_000);
    await reconcile(shop.deps);
    shop.clock.advance(repayGraceMs + 1);
    expect(await cancelAbandonedOrders(shop.deps)).toBe(1);
    expect(await usesOf(shop.db, discountCode)).toBe(0);
  });

  it('of an abandoned order is used after all when its payment arrives late', async () => {
    const [ana, discountCode] = [await shop.buyer(), await aCoupon(shop.db)];
    const { data } = await ana.pay({ ...byPix, discountCode });
    const page = data.next.type === 'qr' ? (data.next.bankUrl ?? '') : '';
    shop.clock.advance(31 * 60_000);
    await reconcile(shop.deps);
    shop.clock.advance(repayGraceMs);
    await cancelAbandonedOrders(shop.deps);
    await shop.press(page, 'pay-late');
    await shop.deliver(300);
    expect(await usesOf(shop.db, discountCode)).toBe(1);
  });

  it('that covers the whole price sends no charge to the bank', async () => {
    const [ana, discountCode] = [await shop.buyer(), await aCoupon(shop.db, { value: 100 })];
    const { data } = await ana.pay({ discountCode });
    expect(data.status).toBe('PAYMENT_SUCCEEDED');
    const { charges, attempts } = await shop.books();
    const keys = attempts.filter((attempt) => attempt.orderId === data.orderId).map((attempt) => attempt.id);
    expect(charges.filter((charge) => keys.includes(charge.key))).toEqual([]);
  });

  it.each([
    ['before it begins', { startsAt: 8e12 }, 9000, { from: 8e12 }],
    ['after it has ended', { endsAt: 1 }, 9000, { before: 1 }],
    ['in another currency', { kind: 'amount' as const, currency: 'USD' }, 9002, { currency: 'USD' }],
    ['for another plan', { planIds: ['102', '103', '999'] }, 9002, { plans: ['Half-year', 'Yearly'] }],
    ['for a plan that is not sold', { planIds: ['999'] }, 9002, undefined],
  ])('is refused %s, with what it is valid for', async (_when, given, code, onlyFor) => {
    const [ana, discountCode] = [await shop.buyer(), await aCoupon(shop.db, given)];
    const body = { planId: '101', methodCode: 'card', currency: 'BRL', discountCode };
    const { errCode, params } = await shop.request(endpoints.goodsValuation, { body }, ana);
    expect([errCode, params.onlyFor]).toEqual([code, onlyFor]);
  });
});
