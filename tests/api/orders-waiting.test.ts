import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { orderStatusSchema, type OrderStatus } from '#contract/order-status.ts';
import { recordFailure } from '#server/billing/record-outcome.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { aTransfer } from '#tests/builders/a-transfer.ts';
import { coinStories } from '#tests/builders/in-coins.ts';

const payer = { firstName: 'Ana', lastName: 'Lima', document: '52998224725', phone: '11987654321' };
let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const cartOf = async (who: Buyer) =>
  (await shop.request(endpoints.queryCart, { body: {} }, who)).data.items.map(({ orderId }) => orderId);
const tipFor = async (who: Buyer, planId: string) => {
  const { unfinished, confirming } = (await shop.request(endpoints.paymentTip, { query: { planId } }, who)).data;
  return { unfinished: unfinished?.orderId, confirming: confirming?.orderId };
};
const listed = async (who: Buyer) => (await shop.request(endpoints.orders, { body: { page: 1, size: 10 } }, who)).data;

describe('the orders of a status', () => {
  it('are those that are shown with it: a payment that was only submitted is a pending one', async () => {
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

  it('come in pages that count both', async () => {
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

describe('a payment whose payer has done their part', () => {
  it('by a transfer is unfinished until its proof is there, and then nowhere', async () => {
    const { buyer, orderId, ...owed } = await aTransfer(shop);
    expect(await tipFor(buyer, '201')).toEqual({ unfinished: orderId, confirming: undefined });
    expect(await cartOf(buyer)).toEqual([orderId]);
    await owed.prove();
    expect(await tipFor(buyer, '201')).toEqual({ unfinished: undefined, confirming: orderId });
    // another plan has nothing to do with it
    expect(await tipFor(buyer, '202')).toEqual({ unfinished: undefined, confirming: undefined });
    expect(await cartOf(buyer)).toEqual([]);
    await owed.reject();
    expect(await tipFor(buyer, '201')).toEqual({ unfinished: orderId, confirming: undefined });
  });

  it('in coins is unfinished until all of them are there, and then nowhere, also after its time', async () => {
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

  it('and which failed after all can be paid in another way, like any other', async () => {
    const ana = await shop.buyer();
    const { order, attempt } = await anOrder(shop.db, ana, {
      status: 'PAYMENT_PENDING',
      underReview: true,
      attempt: { state: 'PENDING' },
    });
    await recordFailure(shop.db, attempt.id, { failure: 'paymentFailed', now: shop.clock.now });
    // the provider's answer is lost, so nothing is known of this try but that it was made
    const repaid = await ana.repay(order.orderId, { payer: { ...payer, firstName: 'OUTAGE' } });
    expect(repaid.code).toBe(0);
    expect((await listed(ana)).items[0]).toMatchObject({ status: 'PAYMENT_PENDING', underReview: false });
    expect(await cartOf(ana), 'the bank may have taken the money').toEqual([]);
    expect(await tipFor(ana, order.planId)).toEqual({ unfinished: undefined, confirming: order.orderId });
  });

  it('and whose outcome nobody knows is offered nowhere, until the bank has said', async () => {
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
