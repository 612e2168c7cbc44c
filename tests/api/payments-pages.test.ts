import { describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { cancelUnpaidOrder } from '#server/billing/cancel-unpaid-order.ts';
import { findPurchase } from '#server/db/purchase-rows.ts';
import { readSettings } from '#server/env.ts';
import { hostedPage } from '#tests/builders/page-provider-shop.ts';

const host = 'mego.localhost';

const minute = 60_000;

describe.each(['useepay', 'payssion'] as const)('the hosted payment page of %s', (name) => {
  const page = hostedPage(name);
  const { anOrder, booked, endPayment, gateway, paid, post, price, tries, wish } = page;

  it('opens without any card field in the storefront, and the notice pays the order', async () => {
    const { ana, orderId, status, next, statusOf } = await anOrder();
    expect(status).toBe('PAYMENT_PENDING');
    expect(next).toMatchObject({ type: 'redirect', finish: name });
    expect(next.type === 'redirect' && next.url.startsWith(page.page)).toBe(true);
    const body = { planId: '201', currency: wish.currency };
    const methods = await page.shop.request(endpoints.paymentMethods, { body }, ana);
    const shown = methods.data.find(({ code }) => code === wish.methodCode);
    expect(shown?.fields).not.toContain('card');
    expect(shown).toMatchObject({ savesCard: false, renews: false, flow: 'redirect' });
    const payment = page.provider.payments.at(-1) ?? expect.fail();
    expect(payment.returnUrl).toContain(`/finish/${name}`);
    expect(payment.notifyUrl).toMatch(new RegExp(`/webhooks/${name}$`));
    expect(await endPayment('paid')).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_SUCCEEDED');
    expect(await booked(orderId)).toEqual(paid);
    expect(await tries(orderId)).toMatchObject([{ state: 'SUCCEEDED', providerRef: payment.reference }]);
  });

  it('is confirmed on return in any browser without a notice, and is reopened until then', async () => {
    const { ana, orderId, next, resultToken } = await anOrder();
    const back = () => page.shop.request(page.confirm, { body: { token: resultToken } }, { host });
    expect((await back()).data).toMatchObject({ status: 'PAYMENT_PENDING', next });
    const again = await page.shop.request(page.create, { body: { orderId } }, ana);
    expect(again.data).toMatchObject({ status: 'PAYMENT_PENDING', next });
    const notice = page.provider.end('paid');
    expect((await back()).data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await post(notice)).toBe(200);
    expect(await booked(orderId)).toEqual(paid);
  });

  it.each([
    ['a no of the bank', 'refused', 'PAYMENT_FAILED', page.refused],
    ['a no of the payer', 'cancelled', 'PAYMENT_FAILED', 2007],
    ['a page whose time has passed', 'expired', 'PAYMENT_PENDING', null],
  ] as const)('reports %s, and the order can be paid again', async (_what, outcome, status, failureCode) => {
    const { ana, orderId, statusOf } = await anOrder();
    expect(await endPayment(outcome)).toBe(200);
    expect(await statusOf()).toBe(status);
    expect((await tries(orderId))[0]).toMatchObject({ failureCode });
    page.shop.clock.advance(1000);
    const again = await ana.repay(orderId, wish);
    expect(again.data).toMatchObject({ orderId, status: 'PAYMENT_PENDING', next: { type: 'redirect' } });
    expect(await endPayment('paid')).toBe(200);
    expect(await booked(orderId)).toEqual(paid);
  });

  it('keeps a payment pending while it is being processed', async () => {
    const { orderId, statusOf } = await anOrder();
    expect(await endPayment('underway')).toBe(200);
    await page.reconcile(30 * minute);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    page.provider.end('paid');
    await page.reconcile(30 * minute);
    expect(await booked(orderId)).toEqual(paid);
  });

  it('sends notices that count once in any order', async () => {
    const { orderId, statusOf } = await anOrder();
    const waits = page.provider.end('underway');
    const yes = page.provider.end('paid');
    for (const one of [yes, waits, yes, waits]) expect(await post(one)).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_SUCCEEDED');
    expect(await booked(orderId)).toEqual(paid);
  });

  it('sends notices with a valid signature; all others are refused and change nothing', async () => {
    const { statusOf } = await anOrder();
    const { url, body } = page.provider.end('paid');
    const forged = [
      body.replace(/(sign|notify_sig)=[^&]{4}/, '$1=AAAA'),
      body.replace(/(^|&)(sign|notify_sig)=[^&]*/, ''),
      body.replace(/amount=\d/, 'amount=8'),
      '',
      '{',
    ];
    for (const one of forged) expect([401, one]).toEqual([await post({ url, body: one }), one]);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    const foreign = {
      ...(page.provider.payments.at(-1) ?? expect.fail()),
      id: crypto.randomUUID().replaceAll('-', ''),
    };
    page.provider.payments.push(foreign);
    expect(await post(page.provider.tell(foreign))).toBe(200);
    page.provider.payments.pop();
    expect(await post({ url, body })).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_SUCCEEDED');
  });

  it('is queried after a lost notice', async () => {
    const { orderId, statusOf } = await anOrder();
    await page.reconcile();
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    page.provider.end('paid');
    await page.reconcile();
    expect(await booked(orderId)).toEqual(paid);
  });

  it.each(['before', 'inside', 'after'] as const)(
    'whose address was lost %s the answer is not paid at, and the order gets another page',
    async (fault) => {
      page.provider.failNext(page.open, fault);
      const { ana, orderId, status, statusOf } = await anOrder();
      expect(status).toBe('SUBMITTED');
      await page.reconcile();
      expect(await statusOf()).toBe('PAYMENT_FAILED');
      page.shop.clock.advance(1000);
      expect((await ana.repay(orderId, wish)).data).toMatchObject({ next: { type: 'redirect' } });
      expect(await endPayment('paid')).toBe(200);
      expect(await booked(orderId)).toEqual(paid);
    },
  );

  it.each([
    ['too many requests', { status: 429, body: { result_code: 501 } }],
    ['an error of theirs', { status: 500, body: {} }],
    ['a page of a proxy', { status: 502, body: '<html>' }],
    ['an answer that nobody signed, or without a meaning', { status: 200, body: { resultCode: 'succeed' } }],
  ])('after %s, nothing is concluded', async (_what, reply) => {
    page.provider.failNext(page.open, reply);
    const { orderId, status } = await anOrder();
    expect(status).toBe('SUBMITTED');
    const [attempt] = await tries(orderId);
    page.provider.failNext(page.ask, reply);
    expect(await gateway().inquire(attempt?.id ?? '')).toEqual({ state: 'unknown' });
    page.provider.failNext(page.ask, 'before');
    expect(await gateway().cancel(attempt?.id ?? '')).toEqual({ state: 'unknown' });
  });

  it('is opened once per idempotency key', async () => {
    const { orderId, next } = await anOrder();
    const [attempt] = await tries(orderId);
    const before = page.provider.payments.length;
    const request = {
      key: attempt?.id ?? '',
      brand: 'mego',
      merchantName: 'Mego',
      methodCode: wish.methodCode,
      amount: price,
      currency: wish.currency,
      installments: 1,
      payer: {},
      pmId: 'yamoney',
      returnUrl: `http://${host}/paymentResult`,
      orderLabel: orderId,
    };
    const answers = await Promise.all([1, 2].map(() => gateway().authorise(request)));
    expect(answers).toMatchObject([
      { state: 'pending', next },
      { state: 'pending', next },
    ]);
    expect(page.provider.payments.length).toBe(before);
  });

  it('credits a payment after the order was cancelled', async () => {
    const { orderId, statusOf } = await anOrder();
    const [attempt] = await tries(orderId);
    const purchase = (await findPurchase(page.shop.db, attempt?.id ?? '')) ?? expect.fail();
    expect(await cancelUnpaidOrder(page.shop.deps, purchase)).toBe('cancelled');
    expect(await statusOf()).toBe('PAYMENT_CANCELLED');
    expect(await endPayment('paid')).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_SUCCEEDED');
    expect(await booked(orderId)).toEqual(paid);
  });

  it('prevents the cancellation of an order that may be paid there', async () => {
    const { orderId, statusOf } = await anOrder();
    const [attempt] = await tries(orderId);
    page.provider.end('underway');
    const purchase = (await findPurchase(page.shop.db, attempt?.id ?? '')) ?? expect.fail();
    expect(await cancelUnpaidOrder(page.shop.deps, purchase)).toBe('uncertain');
    page.provider.end('paid');
    expect(await cancelUnpaidOrder(page.shop.deps, purchase)).toBe('paid');
    expect(await statusOf()).toBe('PAYMENT_SUCCEEDED');
  });

  it('is checked by querying a payment that does not exist', async () => {
    expect(await gateway().check?.()).toMatchObject({ isReachable: true });
    page.provider.failNext(page.ask, 'before');
    expect(await gateway().check?.()).toMatchObject({ isReachable: false });
    const [first = ''] = Object.keys(page.env);
    const { [first]: _, ...rest } = page.env as Readonly<Record<string, string>>;
    expect(() => readSettings({ NODE_ENV: 'test', ...rest })).toThrow(/must be set together with/);
  });
});
