import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { plans } from '#server/db/schema/brands.ts';
import { users } from '#server/db/schema/users.ts';
import { aCard, aShop, byPix, type Shop } from '#tests/builders/a-shop.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { testNow } from '#tests/builders/test-app.ts';

const day = 86_400_000;
let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const purchase = { planId: '101', methodCode: 'card', currency: 'BRL' };

describe('the payment methods', () => {
  it('are those of the brand for the currency, named in the language of the customer', async () => {
    const ana = await shop.buyer();
    const methodsFor = (currency: string) =>
      shop.request(
        endpoints.paymentMethods,
        { body: { planId: '101', currency } },
        { ...ana, headers: { Language: 'pt' } },
      );
    expect((await methodsFor('BRL')).data.map((method) => method.name)).toEqual([
      'Cartão de crédito',
      'Pix',
      'Boleto bancário',
      'PayPal',
    ]);
    expect((await methodsFor('USD')).data.map((method) => method.code)).toEqual(['card', 'paypal', 'crypto']);
    expect((await methodsFor('BRL')).data[0]?.maxInstallments).toBe(1);
    expect((await methodsFor('RUB')).errCode).toBe(-2408);
  });

  it('are refused for a plan that the brand does not sell, and for a visitor', async () => {
    const ana = await shop.buyer();
    const body = { planId: '999', currency: 'BRL' };
    expect((await shop.request(endpoints.paymentMethods, { body }, ana)).errCode).toBe(6001);
    expect((await shop.request(endpoints.paymentMethods, { body })).errCode).toBe(21);
  });

  it('come with the currencies of the brand and their symbols', async () => {
    const { data } = await shop.request(endpoints.currencyList, {});
    expect(data).toEqual([
      { code: 'BRL', symbol: 'R$' },
      { code: 'USD', symbol: '$' },
    ]);
  });
});

describe('the price of a purchase', () => {
  it('shows its discounts, how long it is valid and when the service would end', async () => {
    const ana = await shop.buyer();
    const { data } = await shop.request(endpoints.goodsValuation, { body: { ...purchase, methodCode: 'pix' } }, ana);
    expect(data).toMatchObject({
      original: { amount: 1990, currency: 'BRL' },
      discount: { amount: 100 },
      discounts: [{ kind: 'method', amount: { amount: 100 } }],
      total: { amount: 1890 },
      validUntil: testNow + 10 * 60_000,
      expiryAfter: testNow + 30 * day,
    });
  });

  it.each([
    ['a method that does not take the currency', { methodCode: 'pix', currency: 'USD' }, -2502],
    ['an unknown method', { methodCode: 'barter' }, -2502],
    ['a currency that the brand does not take', { currency: 'RUB' }, -2408],
    ['an unknown plan', { planId: '999' }, 6001],
    ['an unknown coupon', { discountCode: 'NOTHING' }, 9001],
    ['a coupon for other plans', { discountCode: 'LUMEN15' }, 9002],
    ['a coupon that is used up', { discountCode: 'LASTCALL' }, 9003],
  ])('is refused for %s', async (_what, changed, code) => {
    const ana = await shop.buyer();
    const answer = await shop.request(endpoints.goodsValuation, { body: { ...purchase, ...changed } }, ana);
    expect(answer.errCode).toBe(code);
  });

  it('is lower with a coupon for a first purchase, once', async () => {
    const ana = await shop.buyer();
    const paid = await ana.pay({ discountCode: 'WELCOME10' });
    const order = await shop.request(endpoints.order, { params: { id: paid.data.orderId } }, ana);
    expect(order.data).toMatchObject({ total: { amount: 1791 }, discountCode: 'WELCOME10' });
    const again = await shop.request(
      endpoints.goodsValuation,
      { body: { ...purchase, discountCode: 'WELCOME10' } },
      ana,
    );
    expect(again).toMatchObject({ errCode: 9991, params: { onlyFor: 'firstPurchase' } });
  });

  it('that was shown is the one charged: a changed price must be confirmed first', async () => {
    const ana = await shop.buyer();
    const body = await ana.body({ planId: '301' });
    await shop.db
      .update(plans)
      .set({ prices: { BRL: 3990, USD: 699 } })
      .where(eq(plans.id, '301'));
    await shop.deps.catalog.refresh();
    const options = { ...ana, idempotencyKey: crypto.randomUUID() };
    const answer = await shop.request(endpoints.pay, { body }, options);
    expect(answer).toMatchObject({
      errCode: 1015,
      status: 409,
      params: { newTotal: { amount: 3990, currency: 'BRL' } },
    });
    expect((await shop.books()).orders.filter((order) => order.uid === ana.uid)).toEqual([]);
  });

  it('is valid for ten minutes, for one customer and for the quoted purchase', async () => {
    const [ana, bia] = [await shop.buyer(), await shop.buyer()];
    const body = await ana.body();
    const pay = (buyer: typeof ana, changed: object) =>
      shop.request(endpoints.pay, { body: { ...body, ...changed } }, { ...buyer, idempotencyKey: crypto.randomUUID() });
    expect((await pay(bia, {})).errCode).toBe(1015);
    expect((await pay(ana, { planId: '303' })).errCode).toBe(1015);
    expect((await pay(ana, { quoteId: body.quoteId.replace(/^\d+/, '1') })).errCode).toBe(1015);
    shop.clock.advance(10 * 60_000 + 1);
    expect((await pay(ana, {})).errCode).toBe(1015);
  });
});

describe('the details of the payer', () => {
  it.each([
    ['no card', { card: undefined }, 5000, 'card'],
    [
      'a tax id that does not add up',
      { payer: { firstName: 'A', lastName: 'B', phone: '11987654321', document: '52998224724' } },
      5000,
      'payer.document',
    ],
    ['no phone', { payer: { firstName: 'A', lastName: 'B', document: '52998224725' } }, 5000, 'payer.phone'],
    ['an expired card', { card: { ...aCard(), expiry: '01/20' } }, 309, 'cardExpiry'],
    ['more installments than the method has', { planId: '103', installments: 13 }, 5000, 'installments'],
    ['installments smaller than the brand takes', { installments: 2 }, 5000, 'installments'],
    ['an unknown saved card', { card: undefined, cardId: 'c1', cardCode: '123' }, -2511, undefined],
    ['a saved card without its code', { card: undefined, cardId: 'c1' }, 315, 'cardCode'],
  ])('are refused at their field: %s', async (_what, wish, code, field) => {
    const ana = await shop.buyer();
    const answer = await ana.pay(wish);
    expect([answer.errCode, answer.params.field]).toEqual([code, field]);
  });

  it('include neither card nor phone for Pix', async () => {
    const ana = await shop.buyer();
    const answer = await ana.pay({ ...byPix, payer: { firstName: 'A', lastName: 'B', document: '12ABC34501DE35' } });
    expect(answer.data.status).toBe('PAYMENT_PENDING');
  });
});

describe('a plan for one device', () => {
  it('cannot be bought while one for several runs, not even with a quote', async () => {
    const ana = await shop.buyer();
    const until = shop.clock.now + 5 * day;
    await shop.db.update(users).set({ planId: '301', limitCount: 3, expiredTime: until }).where(eq(users.uid, ana.uid));
    expect(await ana.pay()).toMatchObject({ errCode: 6000, params: { availableFrom: until } });
    expect((await ana.pay({ planId: '303' })).data.status).toBe('PAYMENT_SUCCEEDED');
  });
});

describe('orders', () => {
  it('come newest first, page by page, and by status', async () => {
    const ana = await shop.buyer();
    for (const age of [3, 1, 2]) {
      await anOrder(shop.db, ana, { createdAt: testNow - age * day, status: 'PAYMENT_CANCELLED' });
    }
    await anOrder(shop.db, ana, { createdAt: testNow - 4 * day, status: 'PAYMENT_SUCCEEDED' });
    const list = (body: object) => shop.request(endpoints.orders, { body: { page: 1, size: 2, ...body } }, ana);
    const ages = (items: { date: number }[]) => items.map((order) => (testNow - order.date) / day);
    const first = await list({});
    expect([ages(first.data.items), first.data.total]).toEqual([[1, 2], 4]);
    expect(ages((await list({ page: 2 })).data.items)).toEqual([3, 4]);
    expect((await list({ status: 'PAYMENT_SUCCEEDED' })).data).toMatchObject({ total: 1, items: [{ receipt: true }] });
  });

  it('of another customer do not exist for any call', async () => {
    const [ana, eve] = [await shop.buyer(), await shop.buyer()];
    const { order } = await anOrder(shop.db, ana, { status: 'PAYMENT_FAILED' });
    const { orderId } = order;
    const answers = [
      await shop.request(endpoints.order, { params: { id: orderId } }, eve),
      await shop.request(endpoints.service, { params: { id: orderId } }, eve),
      await shop.request(endpoints.paymentInfo, { body: { orderId } }, eve),
      await eve.repay(orderId),
    ];
    expect(answers.map((answer) => answer.errCode)).toEqual([1001, 1001, 1001, 1001]);
    expect((await shop.request(endpoints.orders, { body: { page: 1, size: 9 } }, eve)).data.total).toBe(0);
    const other = await shop.request(endpoints.order, { params: { id: orderId } }, { ...ana, host: 'mego.localhost' });
    expect(other.errCode).toBe(21);
  });

  it('do not show their outcome for an unknown token', async () => {
    const token = 'nobody-was-given-this-one';
    expect((await shop.request(endpoints.queryToken, { body: { token } })).errCode).toBe(1040);
  });

  it('just paid for the same plan are mentioned before paying again', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay();
    const tip = () => shop.request(endpoints.paymentTip, { query: { planId: '101' } }, ana);
    expect((await tip()).data).toMatchObject({ unfinished: null, justPaid: { orderId: data.orderId } });
    shop.clock.advance(11 * 60_000);
    const { periods, ...rest } = (await tip()).data;
    expect(rest).toEqual({ unfinished: null, confirming: null, justPaid: null, leavesAt: null });
    // as the price states them, so that the page does not move when that arrives
    const price = { planId: '101', methodCode: 'card', currency: 'BRL' };
    expect(periods).toMatchObject([{ orderId: data.orderId }]);
    expect(periods).toEqual((await shop.request(endpoints.goodsValuation, { body: price }, ana)).data.periods);
  });
});
