import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { aCoupon, usesOf } from '#tests/builders/a-coupon.ts';
import { aCard, aShop, byPix, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { unbalanced } from '#tests/builders/unbalanced-orders.ts';

const minute = 60_000;
let shop: Shop;
let buyers: Buyer[];
beforeAll(async () => {
  shop = await aShop();
  buyers = await shop.buyers(20);
});
afterAll(() => shop.close());

const aBuyer = () => buyers.pop() ?? expect.fail('too few buyers');
const purchase = { planId: '101', methodCode: 'pix', currency: 'BRL' };
const quoteFor = (ana: Buyer, more: { discountCode: string; orderId?: string; planId?: string }) =>
  shop.request(endpoints.goodsValuation, { body: { ...purchase, ...more } }, ana);
const unbind = (ana: Buyer, orderId: string, discountCode: string) =>
  shop.request(endpoints.unbindDiscountCode, { query: { orderId, discountCode } }, ana);
const orderOf = async (ana: Buyer, id: string) => (await shop.request(endpoints.order, { params: { id } }, ana)).data;

/** An unpaid Pix order with a coupon. */
const aHolder = async (given: Parameters<typeof aCoupon>[1] = {}) => {
  const [ana, discountCode] = [aBuyer(), given.code ?? (await aCoupon(shop.db, given))];
  const { data } = await ana.pay({ ...byPix, discountCode });
  if (data.next.type !== 'qr') throw new Error('no code to scan');
  return { ana, discountCode, orderId: data.orderId, page: data.next.bankUrl ?? '' };
};

describe('a coupon that is reserved by an open order', () => {
  it.each([
    ['with one use', {}],
    ['with many uses', { maxUses: 1000 }],
    ['for a first purchase', { maxUses: 1000, firstPurchaseOnly: true }],
  ])('%s is refused for another order, with the order that reserves it', async (_, given) => {
    const { ana, discountCode, orderId } = await aHolder(given);
    const refused = { errCode: 9000, params: { orderId } };
    expect(await quoteFor(ana, { discountCode })).toMatchObject(refused);
    const plan = await shop.request(endpoints.installmentsPlan, { body: { ...purchase, discountCode } }, ana);
    expect(plan).toMatchObject(refused);
    const body = { ...(await ana.body()), discountCode };
    const paid = await shop.request(endpoints.pay, { body }, { ...ana, idempotencyKey: crypto.randomUUID() });
    expect(paid).toMatchObject(refused);
    expect(await usesOf(shop.db, discountCode)).toBe(1);
  });

  it('stays usable for its own order: quoted, in installments and repaid', async () => {
    const { ana, discountCode, orderId } = await aHolder();
    expect((await quoteFor(ana, { discountCode, orderId })).data).toMatchObject({
      discounts: [
        { kind: 'method', amount: { amount: 100 } },
        { kind: 'coupon', amount: { amount: 945 } },
      ],
      total: { amount: 945 },
    });
    const split = { ...purchase, methodCode: 'card', discountCode, orderId };
    expect((await shop.request(endpoints.installmentsPlan, { body: split }, ana)).data[0]?.total.amount).toBe(995);
    shop.clock.advance(31 * minute);
    await reconcile(shop.deps);
    expect((await ana.repay(orderId, { discountCode })).data).toMatchObject({ orderId, status: 'PAYMENT_SUCCEEDED' });
    expect(await usesOf(shop.db, discountCode)).toBe(1);
  });

  it('is not released for a customer who names an order of another', async () => {
    const { discountCode, orderId } = await aHolder();
    const bia = aBuyer();
    expect((await quoteFor(bia, { discountCode, orderId })).errCode).toBe(9003);
  });

  it('gets the same order for a repeated purchase', async () => {
    const [ana, discountCode, key] = [aBuyer(), await aCoupon(shop.db, { maxUses: 9 }), crypto.randomUUID()];
    const body = await ana.body({ ...byPix, discountCode });
    const send = () => shop.request(endpoints.pay, { body }, { ...ana, idempotencyKey: key });
    const [first, again] = await Promise.all([send(), send()]);
    expect(again.data.orderId).toBe(first.data.orderId);
    expect((await send()).data.next).toMatchObject({ type: 'qr' });
    expect(await usesOf(shop.db, discountCode)).toBe(1);
  });

  it('is refused first for reasons that releasing it would not change', async () => {
    const { ana, discountCode } = await aHolder({ planIds: ['101'] });
    expect(await quoteFor(ana, { discountCode, planId: '102' })).toMatchObject({
      errCode: 9002,
      params: { onlyFor: { plans: ['Monthly'] } },
    });
  });

  it('is released once the order has failed', async () => {
    const [ana, discountCode] = [aBuyer(), await aCoupon(shop.db)];
    await ana.pay({ discountCode, card: aCard('4000000000000002') });
    expect((await quoteFor(ana, { discountCode })).data.total.amount).toBe(945);
  });
});

describe('releasing a coupon', () => {
  it('cancels the order that reserved it, closes its code at the bank, and allows another use', async () => {
    const { ana, discountCode, orderId, page } = await aHolder();
    const freed = { orderId, status: 'PAYMENT_CANCELLED' };
    expect((await unbind(ana, orderId, discountCode)).data).toEqual(freed);
    expect((await unbind(ana, orderId, discountCode)).data).toEqual(freed);
    expect(await usesOf(shop.db, discountCode)).toBe(0);
    expect(await (await shop.app.request(page)).text()).toContain('closed');
    expect((await ana.pay({ discountCode })).data.status).toBe('PAYMENT_SUCCEEDED');
    expect((await unbind(ana, orderId, discountCode)).data).toEqual(freed);
    expect(await usesOf(shop.db, discountCode)).toBe(1);
  });

  it('of an order that has been paid meanwhile is refused and changes neither', async () => {
    const { ana, discountCode, orderId, page } = await aHolder();
    await shop.press(page, 'pay');
    expect((await unbind(ana, orderId, discountCode)).errCode).toBe(1003);
    expect((await orderOf(ana, orderId)).status).toBe('PAYMENT_SUCCEEDED');
    expect((await unbind(ana, orderId, discountCode)).errCode).toBe(1003);
    expect(await usesOf(shop.db, discountCode)).toBe(1);
  });

  it('of an order that is not the customer’s, or with another coupon, changes nothing', async () => {
    const { ana, discountCode, orderId } = await aHolder();
    expect((await unbind(aBuyer(), orderId, discountCode)).errCode).toBe(1001);
    expect((await unbind(ana, orderId, 'ANOTHER')).errCode).toBe(1003);
    expect((await orderOf(ana, orderId)).status).toBe('PAYMENT_PENDING');
  });

  it('of an order whose code has expired works, and a late payment still pays the order', async () => {
    const { ana, discountCode, orderId, page } = await aHolder();
    shop.clock.advance(31 * minute);
    await reconcile(shop.deps);
    expect((await unbind(ana, orderId, discountCode)).data.status).toBe('PAYMENT_CANCELLED');
    expect(await usesOf(shop.db, discountCode)).toBe(0);
    await shop.press(page, 'pay-late');
    await shop.deliver(300);
    expect((await orderOf(ana, orderId)).status).toBe('PAYMENT_SUCCEEDED');
    expect(await usesOf(shop.db, discountCode)).toBe(1);
  });

  it('of an order that failed meanwhile changes nothing', async () => {
    const [ana, discountCode] = [aBuyer(), await aCoupon(shop.db)];
    const declined = await ana.pay({ discountCode, card: aCard('4000000000000002') });
    const orderId = declined.params.orderId ?? '';
    expect((await unbind(ana, orderId, discountCode)).data).toEqual({ orderId, status: 'PAYMENT_FAILED' });
    expect(await usesOf(shop.db, discountCode)).toBe(0);
  });

  it('in many tabs at once releases one use', async () => {
    const discountCode = await aCoupon(shop.db, { maxUses: 5 });
    await aHolder({ code: discountCode });
    const { ana, orderId } = await aHolder({ code: discountCode });
    expect(await usesOf(shop.db, discountCode)).toBe(2);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => unbind(ana, orderId, discountCode)));
    expect(answers.map((answer) => answer.data.status)).toEqual(answers.map(() => 'PAYMENT_CANCELLED'));
    expect(await usesOf(shop.db, discountCode)).toBe(1);
    expect(unbalanced(await shop.books())).toEqual([]);
  });
});
