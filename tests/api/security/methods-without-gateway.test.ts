import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { signQuote } from '#server/billing/quote.ts';
import { aBrand } from '#tests/builders/a-brand.ts';
import { aCoupon } from '#tests/builders/a-coupon.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { aCard, aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';

const paypalApp = { PAYPAL_CLIENT_ID: 'a-client-of-paypal', PAYPAL_CLIENT_SECRET: 'a-secret-of-paypal' };
/** The transfers are the only methods of this brand without a provider. */
let simulated: Shop;
let real: Shop;
let withPaypal: Shop;
let ana: Buyer;
const host = 'acme.test';

beforeAll(async () => {
  simulated = await aShop();
  const { db } = simulated;
  await aBrand(db, { code: 'acme', host, like: 'mego' });
  await simulated.deps.catalog.refresh();
  real = await aShop(db, { env: { SANDBOX: 'false' } });
  withPaypal = await aShop(db, { env: { SANDBOX: 'false', ...paypalApp } });
  ana = await real.buyer({ host });
});
afterAll(() => simulated.close());

const methodsOf = async (shop: Shop, currency: string) => {
  const { data } = await shop.request(endpoints.paymentMethods, { body: { planId: '201', currency } }, ana);
  return data.map(({ code }) => code);
};
const currenciesOf = async (shop: Shop) =>
  (await shop.request(endpoints.currencyList, {}, { host })).data.map(({ code }) => code);
const countPurchases = async () => {
  const { orders, attempts } = await real.books();
  return orders.length + attempts.length;
};

describe('a payment method without a gateway', () => {
  it('is not offered, unlike one with a gateway for the currency', async () => {
    expect(await methodsOf(simulated, 'USD')).toEqual(['card', 'paypal', 'alipay', 'crypto']);
    expect(await methodsOf(real, 'USD')).toEqual([]);
    expect(await methodsOf(real, 'RUB')).toEqual([]);
    expect(await methodsOf(real, 'SGD')).toEqual(['paynow']);
    expect(await methodsOf(withPaypal, 'USD')).toEqual(['paypal']);
    expect(await methodsOf(withPaypal, 'SGD')).toEqual(['paypal', 'paynow']);
    expect(await methodsOf(withPaypal, 'RUB')).toEqual([]);
  });

  it('hides its currencies, and currencies without any method are not listed', async () => {
    expect(await currenciesOf(simulated)).toEqual(['USD', 'RUB', 'SGD', 'CNY']);
    expect(await currenciesOf(real)).toEqual(['SGD', 'CNY']);
    expect(await currenciesOf(withPaypal)).toEqual(['USD', 'SGD', 'CNY']);
  });

  it('shows no discount on the plan list, a plan, or the discount list', async () => {
    const discountedMethods = async (shop: Shop) => {
      const list = await shop.request(endpoints.listPlans, { query: { language: 'en' } }, { host });
      const params = { id: '201' };
      const detail = await shop.request(endpoints.planDetail, { params, query: { llanguage: 'en' } }, { host });
      const discounts = await shop.request(endpoints.planMethodDiscount, { query: { planId: '201' } }, { host });
      const all = [...list.data.plans.flatMap((plan) => plan.discounts), ...detail.data.discounts, ...discounts.data];
      return [...new Set(all.map(({ methodCode }) => methodCode))];
    };
    expect(await discountedMethods(simulated)).toEqual(['crypto']);
    expect(await discountedMethods(real)).toEqual([]);
    expect(await discountedMethods(withPaypal)).toEqual([]);
  });

  it.each(['card', 'yoomoney', 'alipay', 'crypto', 'paypal', 'constructor'])(
    'cannot be quoted or paid by a direct call, which creates no order: %s',
    async (methodCode) => {
      const before = await countPurchases();
      const wish = { planId: '201', methodCode, currency: methodCode === 'yoomoney' ? 'RUB' : 'USD' };
      expect((await real.request(endpoints.goodsValuation, { body: wish }, ana)).errCode).toBe(-2502);
      expect((await real.request(endpoints.installmentsPlan, { body: wish }, ana)).errCode).toBe(-2502);
      const answers = await Promise.all([payAnyway(wish), payAnyway(wish), payAnyway(wish)]);
      expect(answers.map(({ errCode }) => errCode)).toEqual([-2502, -2502, -2502]);
      expect(await countPurchases()).toBe(before);
    },
  );

  it('consumes no coupon', async () => {
    const discountCode = await aCoupon(real.db, { brand: 'acme' });
    const answer = await payAnyway({ planId: '201', methodCode: 'card', currency: 'USD', discountCode });
    expect(answer.errCode).toBe(-2502);
    const { data } = await ana.pay({ ...byPayNow, discountCode });
    expect(data.status).toBe('PAYMENT_PENDING');
  });

  it('cannot repay an existing order, which another method can', async () => {
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

/** A payment with a valid signed quote from the time when the method could still be charged. */
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
