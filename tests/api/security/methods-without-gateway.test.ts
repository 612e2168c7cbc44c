import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { signQuote } from '#server/billing/quote.ts';
import { aBrand } from '#tests/builders/a-brand.ts';
import { aCoupon } from '#tests/builders/a-coupon.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { aCard, aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';

const paypalApp = { PAYPAL_CLIENT_ID: 'a-client-of-paypal', PAYPAL_CLIENT_SECRET: 'a-secret-of-paypal' };
/** Of the methods of this brand only the transfers need no provider. */
let pretended: Shop;
let real: Shop;
let withPaypal: Shop;
let ana: Buyer;
const host = 'acme.test';

beforeAll(async () => {
  pretended = await aShop();
  const { db } = pretended;
  await aBrand(db, { code: 'acme', host, like: 'mego' });
  await pretended.deps.catalog.refresh();
  real = await aShop(db, { env: { SANDBOX: 'false' } });
  withPaypal = await aShop(db, { env: { SANDBOX: 'false', ...paypalApp } });
  ana = await real.buyer({ host });
});
afterAll(() => pretended.close());

const methodsOf = async (shop: Shop, currency: string) => {
  const { data } = await shop.request(endpoints.paymentMethods, { body: { planId: '201', currency } }, ana);
  return data.map(({ code }) => code);
};
const currenciesOf = async (shop: Shop) =>
  (await shop.request(endpoints.currencyList, {}, { host })).data.map(({ code }) => code);
const made = async () => {
  const { orders, attempts } = await real.books();
  return orders.length + attempts.length;
};

describe('a method that nobody can charge', () => {
  it('is offered to nobody, and one that somebody can charge in this currency is', async () => {
    expect(await methodsOf(pretended, 'USD')).toEqual(['card', 'paypal', 'alipay', 'crypto']);
    expect(await methodsOf(real, 'USD')).toEqual([]);
    expect(await methodsOf(real, 'RUB')).toEqual([]);
    expect(await methodsOf(real, 'SGD')).toEqual(['paynow']);
    expect(await methodsOf(withPaypal, 'USD')).toEqual(['paypal']);
    expect(await methodsOf(withPaypal, 'SGD')).toEqual(['paypal', 'paynow']);
    expect(await methodsOf(withPaypal, 'RUB')).toEqual([]);
  });

  it('names no currency in which it cannot be charged, and the shop none in which nothing can be paid', async () => {
    expect(await currenciesOf(pretended)).toEqual(['USD', 'RUB', 'SGD', 'CNY']);
    expect(await currenciesOf(real)).toEqual(['SGD', 'CNY']);
    expect(await currenciesOf(withPaypal)).toEqual(['USD', 'SGD', 'CNY']);
  });

  it('promises no discount: not on the plans, not on one plan, not on the page of the plans', async () => {
    const saved = async (shop: Shop) => {
      const list = await shop.request(endpoints.listPlans, { query: { language: 'en' } }, { host });
      const params = { id: '201' };
      const detail = await shop.request(endpoints.planDetail, { params, query: { llanguage: 'en' } }, { host });
      const discounts = await shop.request(endpoints.planMethodDiscount, { query: { planId: '201' } }, { host });
      const all = [...list.data.plans.flatMap((plan) => plan.discounts), ...detail.data.discounts, ...discounts.data];
      return [...new Set(all.map(({ methodCode }) => methodCode))];
    };
    expect(await saved(pretended)).toEqual(['crypto']);
    expect(await saved(real)).toEqual([]);
    expect(await saved(withPaypal)).toEqual([]);
  });

  it.each(['card', 'yoomoney', 'alipay', 'crypto', 'paypal', 'constructor'])(
    'is not valued, not split and not paid for a direct call, and makes no order: %s',
    async (methodCode) => {
      const before = await made();
      const wish = { planId: '201', methodCode, currency: methodCode === 'yoomoney' ? 'RUB' : 'USD' };
      expect((await real.request(endpoints.goodsValuation, { body: wish }, ana)).errCode).toBe(-2502);
      expect((await real.request(endpoints.installmentsPlan, { body: wish }, ana)).errCode).toBe(-2502);
      const answers = await Promise.all([payAnyway(wish), payAnyway(wish), payAnyway(wish)]);
      expect(answers.map(({ errCode }) => errCode)).toEqual([-2502, -2502, -2502]);
      expect(await made()).toBe(before);
    },
  );

  it('spends no coupon', async () => {
    const discountCode = await aCoupon(real.db, { brand: 'acme' });
    const answer = await payAnyway({ planId: '201', methodCode: 'card', currency: 'USD', discountCode });
    expect(answer.errCode).toBe(-2502);
    const { data } = await ana.pay({ ...byPayNow, discountCode });
    expect(data.status).toBe('PAYMENT_PENDING');
  });

  it('does not repay an order of better days, and another one does', async () => {
    const { order } = await anOrder(
      real.db,
      { brand: 'acme', uid: ana.uid },
      { planId: '201', status: 'PAYMENT_FAILED', currency: 'USD', attempt: { gateway: 'useepay', state: 'FAILED' } },
    );
    const wish = { planId: '201', methodCode: 'card', currency: 'USD', card: aCard() };
    const { body } = quoted(wish);
    const answer = await real.request(
      endpoints.repay,
      { body: { ...body, orderId: order.orderId } },
      { ...ana, idempotencyKey: crypto.randomUUID() },
    );
    expect(answer.errCode).toBe(-2502);
    const { attempts } = await real.books();
    expect(attempts.filter(({ orderId }) => orderId === order.orderId)).toHaveLength(1);
    expect((await ana.repay(order.orderId, byPayNow)).data).toMatchObject({ status: 'PAYMENT_PENDING' });
  });
});

const byPayNow = { planId: '201', methodCode: 'paynow', currency: 'SGD', card: undefined };

type Wish = { planId: string; methodCode: string; currency: string; discountCode?: string };

/** A payment with a quote that is signed as the shop signs: it was valued while the method could still be charged. */
function quoted(wish: Wish & { card?: ReturnType<typeof aCard> }) {
  const { planId, methodCode, currency, discountCode } = wish;
  const facts = { brand: 'acme', uid: ana.uid, planId, methodCode, currency, discountCode, total: 499 };
  const quoteId = signQuote(real.deps.env.SIGNING_SECRET, facts, real.clock.now + 60_000);
  const payer = { firstName: 'Ana', lastName: 'Lima' };
  return { body: { installments: 1, payer, returnUrl: '/paymentResult', source: 'WEB' as const, quoteId, ...wish } };
}

function payAnyway(wish: Wish) {
  return real.request(endpoints.pay, quoted({ card: aCard(), ...wish }), {
    ...ana,
    idempotencyKey: crypto.randomUUID(),
  });
}
