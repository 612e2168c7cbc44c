import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { repayGraceMs, cancelAbandonedOrders } from '#server/jobs/start-jobs.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import type { OpenedDatabase } from '#server/db/connect.ts';
import { openPostgres } from '#server/db/open-database.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { createLog } from '#server/runtime/log.ts';
import { aCoupon, usesOf } from '#tests/builders/a-coupon.ts';
import { aCard, aShop, byPix, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { playRound, rounds } from '#tests/builders/first-purchase-rounds.ts';
import { startPostgres, type RunningPostgres } from '#tests/fixtures/postgres.ts';

const first = { firstPurchaseOnly: true, maxUses: 1000 };

describe('a coupon for the first purchase', () => {
  let shop: Shop;
  let waiting: Buyer[];
  beforeAll(async () => {
    shop = await aShop();
    waiting = await shop.buyers(20);
  });
  afterAll(() => shop.close());
  const aBuyer = () => waiting.pop() ?? expect.fail('too few buyers');
  const unbind = (ana: Buyer, orderId: string, discountCode: string) =>
    shop.request(endpoints.unbindDiscountCode, { query: { orderId, discountCode } }, ana);

  it('is refused while an open order reserves another one, and that order can be cancelled', async () => {
    const [ana, one, other] = [aBuyer(), await aCoupon(shop.db, first), await aCoupon(shop.db, first)];
    const { data } = await ana.pay({ ...byPix, discountCode: one });
    const wish = { planId: '101', methodCode: 'card', currency: 'BRL', discountCode: other };
    const refused = await shop.request(endpoints.goodsValuation, { body: wish }, ana);
    expect(refused).toMatchObject({ errCode: 9000, params: { orderId: data.orderId } });
    const freed = await unbind(ana, data.orderId, other);
    expect(freed.data).toEqual({ orderId: data.orderId, status: 'PAYMENT_CANCELLED' });
    expect(await usesOf(shop.db, one)).toBe(0);
    expect((await ana.pay({ discountCode: other })).data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await usesOf(shop.db, other)).toBe(1);
  });

  it('does not prevent the use of an ordinary coupon, which cannot release it', async () => {
    const [ana, one, any] = [aBuyer(), await aCoupon(shop.db, first), await aCoupon(shop.db)];
    const { data } = await ana.pay({ ...byPix, discountCode: one });
    expect((await unbind(ana, data.orderId, any)).errCode).toBe(1003);
    expect((await ana.pay({ discountCode: any })).data.status).toBe('PAYMENT_SUCCEEDED');
  });

  it('is refused for an order that is repaid after another purchase', async () => {
    const [ana, discountCode] = [aBuyer(), await aCoupon(shop.db, first)];
    const declined = await ana.pay({ discountCode, card: aCard('4000000000000002') });
    const body = { ...(await ana.body({ discountCode })), orderId: declined.params.orderId ?? '' };
    await ana.pay();
    const again = await shop.request(endpoints.repay, { body }, { ...ana, idempotencyKey: crypto.randomUUID() });
    expect(again.errCode).toBe(9991);
    expect(await usesOf(shop.db, discountCode)).toBe(0);
  });

  it('applies to a late payment of its order, and its use is counted', async () => {
    const [ana, discountCode] = [aBuyer(), await aCoupon(shop.db, first)];
    const { data } = await ana.pay({ ...byPix, discountCode });
    shop.clock.advance(31 * 60_000);
    await reconcile(shop.deps);
    shop.clock.advance(repayGraceMs);
    await cancelAbandonedOrders(shop.deps);
    expect((await ana.pay({ discountCode })).data.status).toBe('PAYMENT_SUCCEEDED');
    await shop.press(data.next.type === 'qr' ? (data.next.bankUrl ?? '') : '', 'pay-late');
    await shop.deliver(300);
    const late = await shop.request(endpoints.order, { params: { id: data.orderId } }, ana);
    expect(late.data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await usesOf(shop.db, discountCode)).toBe(2);
  });
});

/** 200 rounds run with `npm run verify:attack -- --only=first-purchase-coupon`. */
describe('concurrent requests on PostgreSQL, over two processes', { timeout: 120_000 }, () => {
  let postgres: RunningPostgres;
  const opened: OpenedDatabase[] = [];
  let shops: Shop[];
  beforeAll(async () => {
    postgres = await startPostgres({ filled: true });
    for (const _ of [1, 2])
      opened.push(await openPostgres(postgres.url, createLog('silent'), { contents: demoContents }));
    shops = await Promise.all(opened.map(({ db }) => aShop(db)));
  }, 120_000);
  afterAll(async () => {
    await Promise.all(opened.map(({ close }) => close()));
    await postgres?.stop();
  });

  it.each(rounds.map((round) => [round.says, round] as const))(
    'with %s get at most one discount for the first purchase',
    async (_, round) => {
      for (let time = 0; time < 2; time += 1) {
        const { answers, wrong } = await playRound(shops, round);
        expect(wrong).toEqual([]);
        expect(answers.filter(({ code }) => code === 0).length).toBeGreaterThan(0);
      }
    },
  );
});
