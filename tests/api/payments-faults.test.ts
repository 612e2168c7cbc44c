import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { reconcile, defaultReconcileAfterMs } from '#server/jobs/reconcile.ts';
import { aCard, aShop, byPix, expiryOf, type Buyer, type Shop } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const named = (firstName: string) => ({
  payer: { firstName, lastName: 'Lima', document: '52998224725', phone: '11987654321' },
});
const statusOf = async (ana: Buyer, orderId: string) =>
  (await shop.request(endpoints.order, { params: { id: orderId } }, ana)).data.status;
const countsOf = async (ana: Buyer) => {
  const { orders, attempts, ledger, charges } = await shop.books();
  const own = new Set(orders.filter((order) => order.uid === ana.uid).map((order) => order.orderId));
  const keys = new Set(attempts.filter((attempt) => own.has(attempt.orderId)).map((attempt) => attempt.id));
  return {
    orders: own.size,
    attempts: keys.size,
    charges: charges.filter((charge) => keys.has(charge.key) && charge.status === 'paid').length,
    captures: ledger.filter((entry) => own.has(entry.orderId) && entry.kind === 'capture').length,
  };
};

describe('a lost answer of the provider', () => {
  it('leaves the payment submitted, which is then found paid once', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(named('LOSTANSWER'));
    expect(data).toMatchObject({ status: 'SUBMITTED', next: { type: 'none' } });
    expect((await ana.repay(data.orderId)).data.status).toBe('SUBMITTED');
    expect(await reconcile(shop.deps)).toBe(0);
    shop.clock.advance(defaultReconcileAfterMs);
    expect(await reconcile(shop.deps)).toBe(1);
    expect(await reconcile(shop.deps)).toBe(0);
    expect(await statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
    expect(await countsOf(ana)).toEqual({ orders: 1, attempts: 1, charges: 1, captures: 1 });
    expect(await expiryOf(shop.db, ana.uid)).toBeGreaterThan(shop.clock.now);
  });

  it('hides no Pix code that was created', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay({ ...byPix, ...named('LOSTANSWER') });
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    const info = await shop.request(endpoints.paymentInfo, { body: { orderId: data.orderId } }, ana);
    expect(info.data).toMatchObject({ order: { status: 'PAYMENT_PENDING' }, next: { type: 'qr' } });
  });
});

describe('an unreachable provider', () => {
  it('charges nothing, and the same order can be paid again', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(named('OUTAGE'));
    expect(data.status).toBe('SUBMITTED');
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    expect(await statusOf(ana, data.orderId)).toBe('PAYMENT_FAILED');
    expect(await countsOf(ana)).toEqual({ orders: 1, attempts: 1, charges: 0, captures: 0 });
    expect((await ana.repay(data.orderId)).data).toMatchObject({ orderId: data.orderId, status: 'PAYMENT_SUCCEEDED' });
    expect(await countsOf(ana)).toEqual({ orders: 1, attempts: 2, charges: 1, captures: 1 });
  });
});

describe('an idempotency key', () => {
  it('sent again at any time returns the same order and charges nothing', async () => {
    const ana = await shop.buyer();
    const key = crypto.randomUUID();
    const first = await ana.pay({}, key);
    shop.clock.advance(11 * 60_000);
    const body = await ana.body();
    const again = await shop.request(endpoints.pay, { body }, { ...ana, idempotencyKey: key });
    expect(again.data).toEqual(first.data);
    const stale = { ...body, quoteId: 'long-forgotten' };
    expect((await shop.request(endpoints.pay, { body: stale }, { ...ana, idempotencyKey: key })).data).toEqual(
      first.data,
    );
    expect(await countsOf(ana)).toEqual({ orders: 1, attempts: 1, charges: 1, captures: 1 });
  });

  it('of a declined payment returns the same decline and order', async () => {
    const ana = await shop.buyer();
    const key = crypto.randomUUID();
    const wish = { card: aCard('4000000000000127') };
    const first = await ana.pay(wish, key);
    const again = await ana.pay(wish, key);
    expect(again).toMatchObject({ errCode: 315, params: first.params });
    expect((await countsOf(ana)).attempts).toBe(1);
  });

  it.each([
    ['another plan', { planId: '102' }],
    ['another card', { card: aCard('5555555555554444') }],
    ['another number of installments', { installments: 2 }],
    ['another payer', named('Bia')],
  ])('is refused for %s', async (_what, changed) => {
    const ana = await shop.buyer();
    const key = crypto.randomUUID();
    await ana.pay({}, key);
    const other = await ana.pay(changed, key);
    expect(other).toMatchObject({ errCode: 5000, params: { field: 'Idempotency-Key' } });
    expect(await countsOf(ana)).toEqual({ orders: 1, attempts: 1, charges: 1, captures: 1 });
  });

  it('of one customer does not affect another customer', async () => {
    const [ana, bia] = [await shop.buyer(), await shop.buyer()];
    const key = crypto.randomUUID();
    const [first, second] = [await ana.pay({}, key), await bia.pay({}, key)];
    expect(second.data.orderId).not.toBe(first.data.orderId);
  });

  it('is required for every payment', async () => {
    const ana = await shop.buyer();
    const answer = await shop.request(endpoints.pay, { body: await ana.body() }, ana);
    expect(answer).toMatchObject({ errCode: 5000, params: { field: 'Idempotency-Key' } });
  });

  it('sent several times at once creates one order and one charge', async () => {
    const ana = await shop.buyer();
    const key = crypto.randomUUID();
    const body = await ana.body();
    const options = { ...ana, idempotencyKey: key };
    const answers = await Promise.all([1, 2, 3, 4].map(() => shop.request(endpoints.pay, { body }, options)));
    expect(new Set(answers.map((answer) => answer.data.orderId)).size).toBe(1);
    expect(await countsOf(ana)).toEqual({ orders: 1, attempts: 1, charges: 1, captures: 1 });
  });
});
