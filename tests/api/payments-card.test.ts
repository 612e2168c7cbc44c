import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { aCard, aShop, expiryOf, type Shop } from '#tests/builders/a-shop.ts';
import { testNow } from '#tests/builders/test-app.ts';

const day = 86_400_000;
let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const own = async (uid: string) => {
  const { orders, attempts, ledger } = await shop.books();
  const ownOrders = orders.filter((order) => order.uid === uid);
  const ids = new Set(ownOrders.map((order) => order.orderId));
  return {
    orders: ownOrders,
    attempts: attempts.filter((attempt) => ids.has(attempt.orderId)),
    ledger: ledger.filter((entry) => ids.has(entry.orderId)),
  };
};

describe('paying by card', () => {
  it('adds the days at once, books the money once and offers a receipt', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay();
    expect(data).toMatchObject({ status: 'PAYMENT_SUCCEEDED', next: { type: 'none' } });
    const books = await own(ana.uid);
    expect(books.ledger).toMatchObject([{ kind: 'capture', amount: 1990, currency: 'BRL' }]);
    expect(books.orders).toMatchObject([
      { status: 'PAYMENT_SUCCEEDED', serviceStart: testNow, serviceEnd: testNow + 30 * day },
    ]);
    expect(await expiryOf(shop.db, ana.uid)).toBe(testNow + 30 * day);
    const account = await shop.request(
      endpoints.queryInfo,
      { body: { uid: ana.uid, account: ana.account, type: 'email' } },
      ana,
    );
    expect(account.data).toMatchObject({ planId: '101', limitCount: 1 });
  });

  it('adds the days of a second plan to the remaining ones', async () => {
    const ana = await shop.buyer();
    await ana.pay({ planId: '101' });
    const second = await ana.pay({ planId: '102' });
    const info = await shop.request(endpoints.service, { params: { id: second.data.orderId } }, ana);
    expect(info.data).toMatchObject({ serviceStart: testNow + 30 * day, serviceEnd: testNow + 210 * day });
    expect(await expiryOf(shop.db, ana.uid)).toBe(testNow + 210 * day);
  });

  it('in installments with interest charges the total that was shown, and the order shows it', async () => {
    const ana = await shop.buyer();
    const wish = { planId: '103', methodCode: 'card', currency: 'BRL' };
    const options = await shop.request(endpoints.installmentsPlan, { body: wish }, ana);
    expect(options.data.map(({ count }) => count)).toEqual([1, 2, 3, 4, 5, 6]);
    const sixth = options.data[5];
    expect(sixth).toMatchObject({ count: 6, interestFree: false, rate: 0.0199 });
    const { data } = await ana.pay({ planId: '103', installments: 6 });
    const order = await shop.request(endpoints.order, { params: { id: data.orderId } }, ana);
    expect(order.data).toMatchObject({
      total: sixth?.total,
      installments: 6,
      paymentType: 'INSTALLMENTS',
      receipt: true,
    });
    expect((await own(ana.uid)).ledger).toMatchObject([{ amount: sixth?.total.amount }]);
  });

  it.each([
    ['4000000000000002', 301, undefined],
    ['4000000000009995', 302, undefined],
    ['4000000000000069', 309, 'cardExpiry'],
    ['4000000000000127', 315, 'cardCode'],
    ['4000000000000119', 2003, undefined],
    ['4000000000000341', 5015, undefined],
  ])('declined as %s reports %i, and the second attempt pays the same order', async (number, code, field) => {
    const ana = await shop.buyer();
    const declined = await ana.pay({ card: aCard(number) });
    expect(declined).toMatchObject({ errCode: code });
    expect(declined.params.field).toBe(field);
    const orderId = declined.params.orderId ?? 'none was told';
    const again = await ana.repay(orderId);
    expect(again.data).toMatchObject({ orderId, status: 'PAYMENT_SUCCEEDED' });
    const books = await own(ana.uid);
    expect(books.orders).toMatchObject([{ status: 'PAYMENT_SUCCEEDED', failureCode: null }]);
    expect(books.attempts.map((attempt) => attempt.state).toSorted()).toEqual(['FAILED', 'SUCCEEDED']);
    expect(books.ledger).toHaveLength(1);
  });

  it('with a mistyped number names the field and creates no order', async () => {
    const ana = await shop.buyer();
    const key = crypto.randomUUID();
    const typo = await ana.pay({ card: aCard('4111111111111112') }, key);
    expect(typo).toMatchObject({ errCode: 314, params: { field: 'cardNumber' } });
    expect((await own(ana.uid)).orders).toEqual([]);
    expect((await ana.pay({}, key)).data.status).toBe('PAYMENT_SUCCEEDED');
  });

  it('charges a paid order no second time', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay();
    const again = await ana.repay(data.orderId);
    expect(again.data).toMatchObject({ status: 'PAYMENT_SUCCEEDED', next: { type: 'none' } });
    expect((await own(ana.uid)).ledger).toHaveLength(1);
  });

  it('stores neither the number nor the security code of the card', async () => {
    const ana = await shop.buyer();
    await ana.pay({ card: aCard('5555555555554444', '987') });
    const written = JSON.stringify(await shop.books());
    expect(written).not.toContain('5555555555554444');
    expect(written).not.toContain('"987"');
  });
});

describe('a card that requires 3-D Secure', () => {
  const challenged = async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay({ card: aCard('4000002500003155'), returnUrl: '/paymentResult' });
    if (data.next.type !== 'redirect') throw new Error('no page of the bank');
    return { ana, data, page: data.next.url };
  };

  it('pays after the holder has approved, and the customer returns to the storefront', async () => {
    const { ana, data, page } = await challenged();
    expect(data.status).toBe('PAYMENT_PENDING');
    const html = await (await shop.app.request(page)).text();
    expect(html).toContain('Approve');
    expect(html).not.toContain('<script');
    const back = await shop.press(page, 'approve');
    const resultUrl = `http://localhost/paymentResult/orderId/${data.orderId}/token/${data.resultToken}?language=en`;
    expect([back.status, back.headers.get('location')]).toEqual([303, resultUrl]);
    await shop.deliver(300);
    const order = await shop.request(endpoints.order, { params: { id: data.orderId } }, ana);
    expect(order.data.status).toBe('PAYMENT_SUCCEEDED');
  });

  it('is declined after the holder has refused, and later clicks have no effect', async () => {
    const { ana, data, page } = await challenged();
    await shop.press(page, 'refuse');
    await shop.press(page, 'approve');
    await shop.deliver(300);
    const order = await shop.request(endpoints.order, { params: { id: data.orderId } }, ana);
    expect(order.data).toMatchObject({ status: 'PAYMENT_FAILED', failureCode: 5015 });
    expect((await own(ana.uid)).ledger).toEqual([]);
  });

  it('has a challenge page without scripts and external resources', async () => {
    const { page } = await challenged();
    const policy = (await shop.app.request(page)).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script-src');
    expect((await shop.app.request('/sandbox/bank/challenge/nobody-has-this-one')).status).toBe(404);
  });
});

describe('a charge that the holder disputes later', () => {
  it('is shown as a chargeback and is booked as one', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay({ card: aCard('4000000000000259') });
    expect(data.status).toBe('PAYMENT_SUCCEEDED');
    await shop.deliver(60_000);
    await shop.deliver(5_000);
    const order = await shop.request(endpoints.order, { params: { id: data.orderId } }, ana);
    expect(order.data.status).toBe('CHARGEBACK_PENDING');
    const booked = (await own(ana.uid)).ledger;
    expect(booked.map((entry) => entry.amount).toSorted((a, b) => a - b)).toEqual([-1990, 1990]);
    expect(booked.find(({ kind }) => kind === 'chargeback')?.respondBy).toBeGreaterThan(shop.clock.now);
  });

  it.each([
    ['4000000000000267', 'CHARGEBACK_SUCCEEDED'],
    ['4000000000000275', 'CHARGEBACK_REJECTED'],
  ])('is decided by the bank of %s: %s', async (number, status) => {
    const ana = await shop.buyer();
    const { data } = await ana.pay({ card: aCard(number) });
    const state = async () => (await shop.request(endpoints.order, { params: { id: data.orderId } }, ana)).data.status;
    await shop.deliver(60_000);
    await shop.deliver(5_000);
    expect(await state()).toBe('CHARGEBACK_PENDING');
    await shop.deliver(60_000);
    await shop.deliver(5_000);
    expect(await state()).toBe(status);
  });
});
