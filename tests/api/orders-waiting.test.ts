import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { orderStatusSchema, type OrderStatus } from '#contract/order-status.ts';
import { recordFailure } from '#server/billing/record-outcome.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { aTransfer } from '#tests/builders/a-transfer.ts';
import { coinStories } from '#tests/builders/coin-shop.ts';

const payer = { firstName: 'Ana', lastName: 'Lima', document: '52998224725', phone: '11987654321' };
let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const cartOf = async (buyer: Buyer) =>
  (await shop.request(endpoints.queryCart, { body: {} }, buyer)).data.items.map(({ orderId }) => orderId);
const tipFor = async (buyer: Buyer, planId: string) => {
  const { unfinished, confirming } = (await shop.request(endpoints.paymentTip, { query: { planId } }, buyer)).data;
  return { unfinished: unfinished?.orderId, confirming: confirming?.orderId };
};
const listed = async (buyer: Buyer) =>
  (await shop.request(endpoints.orders, { body: { page: 1, size: 10 } }, buyer)).data;

describe('the orders of a status', () => {
  it('include submitted payments with pending ones, as they are shown', async () => {
    const ana = await shop.buyer();
    for (const status of orderStatusSchema.options) {
      await anOrder(shop.db, ana, { status, attempt: { state: 'FAILED' } });
    }
    const of = async (status: OrderStatus) => {
      const { items, total } = (await shop.request(endpoints.orders, { body: { page: 1, size: 10, status } }, ana))
        .data;
      expect(total).toBe(items.length);
      return items.map((item) => item.status).toSorted();
    };
    expect(await of('PAYMENT_PENDING')).toEqual(['PAYMENT_PENDING', 'SUBMITTED']);
    expect(await of('SUBMITTED')).toEqual(['PAYMENT_PENDING', 'SUBMITTED']);
    expect(await of('PAYMENT_FAILED')).toEqual(['PAYMENT_FAILED']);
    expect(await of('REFUND_SUCCEEDED')).toEqual(['REFUND_SUCCEEDED']);
  });

  it('are paged and counted across both', async () => {
    const ana = await shop.buyer();
    for (let index = 0; index < 6; index += 1) {
      await anOrder(shop.db, ana, {
        status: index % 2 ? 'SUBMITTED' : 'PAYMENT_PENDING',
        createdAt: shop.clock.now + index,
        attempt: { state: 'FAILED' },
      });
    }
    const body = { page: 2, size: 4, status: 'PAYMENT_PENDING' } as const;
    const { items, total } = (await shop.request(endpoints.orders, { body }, ana)).data;
    expect(items.map(({ date }) => date - shop.clock.now)).toEqual([1, 0]);
    expect(total).toBe(6);
  });
});

describe('a payment that waits for its confirmation', () => {
  it('by transfer is listed as unfinished until its proof is sent', async () => {
    const { buyer, orderId, ...owed } = await aTransfer(shop);
    expect(await tipFor(buyer, '201')).toEqual({ unfinished: orderId, confirming: undefined });
    expect(await cartOf(buyer)).toEqual([orderId]);
    await owed.prove();
    expect(await tipFor(buyer, '201')).toEqual({ unfinished: undefined, confirming: orderId });
    // It does not affect another plan.
    expect(await tipFor(buyer, '202')).toEqual({ unfinished: undefined, confirming: undefined });
    expect(await cartOf(buyer)).toEqual([]);
    await owed.reject();
    expect(await tipFor(buyer, '201')).toEqual({ unfinished: orderId, confirming: undefined });
  });

  it('in crypto is listed as unfinished until all coins have arrived, even after its expiry', async () => {
    const { anAddress, confirm, orderOf } = coinStories(shop);
    const { ana, orderId, page, expiresAt } = await anAddress();
    await shop.press(page, 'half');
    await shop.deliver(300);
    expect(await tipFor(ana, '101')).toEqual({ unfinished: orderId, confirming: undefined });
    expect((await orderOf(ana, orderId)).underReview).toBe(false);
    await shop.press(page, 'missing');
    await shop.deliver(300);
    expect((await orderOf(ana, orderId)).underReview).toBe(true);
    expect(await tipFor(ana, '101')).toEqual({ unfinished: undefined, confirming: orderId });
    expect(await cartOf(ana)).toEqual([]);
    expect((await shop.request(endpoints.orderRemind, { body: { orderId } }, ana)).errCode).toBe(4598);
    shop.clock.now = Math.max(shop.clock.now, expiresAt + 1);
    expect((await listed(ana)).items[0]).toMatchObject({ orderId, underReview: true });
    await confirm();
    expect((await listed(ana)).items[0]).toMatchObject({ status: 'PAYMENT_SUCCEEDED', underReview: false });
  });

  it('can be paid by another method after it has failed', async () => {
    const ana = await shop.buyer();
    const { order, attempt } = await anOrder(shop.db, ana, {
      status: 'PAYMENT_PENDING',
      underReview: true,
      attempt: { state: 'PENDING' },
    });
    await recordFailure(shop.db, attempt.id, { failure: 'paymentFailed', now: shop.clock.now });
    // The answer of the provider is lost, so the outcome of this attempt is unknown.
    const repaid = await ana.repay(order.orderId, { payer: { ...payer, firstName: 'OUTAGE' } });
    expect(repaid.code).toBe(0);
    expect((await listed(ana)).items[0]).toMatchObject({ status: 'PAYMENT_PENDING', underReview: false });
    expect(await cartOf(ana), 'the bank may have taken the money').toEqual([]);
    expect(await tipFor(ana, order.planId)).toEqual({ unfinished: undefined, confirming: order.orderId });
  });

  it('with an unknown outcome is not listed as unfinished until the bank reports it', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay({ payer: { ...payer, firstName: 'OUTAGE' } });
    expect(data.status).toBe('SUBMITTED');
    expect(await cartOf(ana)).toEqual([]);
    expect(await tipFor(ana, '101')).toEqual({ unfinished: undefined, confirming: data.orderId });
    expect(await tipFor(ana, '103')).toEqual({ unfinished: undefined, confirming: undefined });
    shop.clock.advance(60_000);
    await reconcile(shop.deps);
    expect((await listed(ana)).items[0]).toMatchObject({ status: 'PAYMENT_FAILED' });
    expect(await cartOf(ana)).toEqual([data.orderId]);
  });
});
