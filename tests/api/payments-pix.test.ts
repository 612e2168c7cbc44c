import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { cancelAbandonedOrders, repayGraceMs } from '#server/jobs/start-jobs.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { parseBrCode, parseTlv } from '#server/payments/br-code.ts';
import { aShop, byPix, type Buyer, type Shop } from '#tests/builders/a-shop.ts';

const minute = 60_000;
let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const aCode = async () => {
  const ana = await shop.buyer();
  const { data } = await ana.pay(byPix);
  if (data.next.type !== 'qr') throw new Error('no code to scan');
  return { ana, ...data, code: data.next, page: data.next.bankUrl ?? '' };
};
const orderOf = async (ana: Buyer, orderId: string) =>
  (await shop.request(endpoints.order, { params: { id: orderId } }, ana)).data;
const captures = async (orderId: string) =>
  (await shop.books()).ledger.filter((entry) => entry.orderId === orderId).map((entry) => entry.kind);

describe('paying by Pix', () => {
  it('shows a code that a bank can read, with the price after the discount of the method', async () => {
    const { orderId, code, status } = await aCode();
    expect(status).toBe('PAYMENT_PENDING');
    expect(code).toMatchObject({ amount: { amount: 1890, currency: 'BRL' }, expiresAt: shop.clock.now + 30 * minute });
    const fields = parseBrCode(code.payload);
    expect(fields?.get('54')).toBe('18.90');
    expect(fields?.get('59')).toBe('LUMEN');
    expect(parseTlv(fields?.get('62') ?? '')?.get('05')).toBe(orderId);
  });

  it('succeeds after the notice, and the result token shows it without a session', async () => {
    const { ana, orderId, page, resultToken } = await aCode();
    const html = await (await shop.app.request(page)).text();
    expect(html).toMatch(/R\$\s?18\.90/);
    expect((await shop.press(page, 'pay')).status).toBe(303);
    expect(await (await shop.app.request(page)).text()).toContain('Paid');
    expect((await orderOf(ana, orderId)).status).toBe('PAYMENT_PENDING');
    await shop.deliver(300);
    expect(await orderOf(ana, orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', expiresAt: null, receipt: true });
    const result = await shop.request(endpoints.queryToken, { body: { token: resultToken } });
    expect(result.data).toEqual({
      status: 'PAYMENT_SUCCEEDED',
      planName: 'Monthly',
      total: { amount: 1890, currency: 'BRL' },
      expiresAt: null,
      failureCode: null,
      flow: 'qr',
    });
  });

  it('is booked once if the notice is sent twice', async () => {
    while ((await shop.deliver(5000)) > 0);
    const { orderId, page } = await aCode();
    await shop.press(page, 'pay');
    await shop.press(page, 'pay');
    expect([await shop.deliver(300), await shop.deliver(5000), await shop.deliver(5000)]).toEqual([1, 1, 0]);
    expect(await captures(orderId)).toEqual(['capture']);
  });

  it('can be continued after a reload with the same code and order', async () => {
    const { ana, orderId, code } = await aCode();
    const info = await shop.request(endpoints.paymentInfo, { body: { orderId } }, ana);
    expect(info.data).toMatchObject({ order: { orderId }, next: code });
    const tip = await shop.request(endpoints.paymentTip, { query: { planId: '101' } }, ana);
    expect(tip.data).toMatchObject({ unfinished: { orderId }, justPaid: null });
  });

  it('returns the same code if it is requested again before the expiry', async () => {
    const { ana, orderId, code } = await aCode();
    expect((await ana.repay(orderId, byPix)).data).toMatchObject({ orderId, next: code });
    expect((await shop.books()).attempts.filter((attempt) => attempt.orderId === orderId)).toHaveLength(1);
  });
});

describe('an expired Pix code', () => {
  it('is not shown, and the same order gets a new one', async () => {
    const { ana, orderId, code } = await aCode();
    shop.clock.advance(30 * minute);
    const info = await shop.request(endpoints.paymentInfo, { body: { orderId } }, ana);
    expect(info.data.next).toEqual({ type: 'none' });
    const renewed = await ana.repay(orderId, byPix);
    expect(renewed.data).toMatchObject({ orderId, status: 'PAYMENT_PENDING', next: { type: 'qr' } });
    expect(renewed.data.next).not.toEqual(code);
  });

  it('that was paid in the last minute succeeds instead of being replaced', async () => {
    const { ana, orderId, page } = await aCode();
    await shop.press(page, 'pay');
    shop.clock.advance(31 * minute);
    expect((await ana.repay(orderId, byPix)).data).toMatchObject({
      status: 'PAYMENT_SUCCEEDED',
      next: { type: 'none' },
    });
    expect(await captures(orderId)).toEqual(['capture']);
  });

  it('cannot be paid by mistake, and is credited if paid late anyway', async () => {
    const { ana, orderId, page } = await aCode();
    shop.clock.advance(31 * minute);
    await reconcile(shop.deps);
    await shop.press(page, 'pay');
    await shop.deliver(300);
    expect((await orderOf(ana, orderId)).status).toBe('PAYMENT_PENDING');
    expect(await (await shop.app.request(page)).text()).toContain('Code expired');
    await shop.press(page, 'pay-late');
    await shop.deliver(300);
    expect((await orderOf(ana, orderId)).status).toBe('PAYMENT_SUCCEEDED');
  });

  it('leads to a cancelled order after a day, and a late payment still buys the days', async () => {
    const { ana, orderId, page } = await aCode();
    shop.clock.advance(31 * minute);
    await reconcile(shop.deps);
    expect(await cancelAbandonedOrders(shop.deps)).toBe(0);
    shop.clock.advance(repayGraceMs);
    expect(await cancelAbandonedOrders(shop.deps)).toBeGreaterThan(0);
    expect((await orderOf(ana, orderId)).status).toBe('PAYMENT_CANCELLED');
    expect((await ana.repay(orderId, byPix)).data).toMatchObject({
      status: 'PAYMENT_CANCELLED',
      next: { type: 'none' },
    });
    await shop.press(page, 'pay-late');
    await shop.deliver(300);
    expect(await orderOf(ana, orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', serviceStart: shop.clock.now });
  });

  it('is refunded if it is paid after a new one was paid', async () => {
    const { ana, orderId, page } = await aCode();
    shop.clock.advance(31 * minute);
    const renewed = await ana.repay(orderId);
    expect(renewed.data.status).toBe('PAYMENT_SUCCEEDED');
    await shop.press(page, 'pay-late');
    await shop.deliver(300);
    expect(await captures(orderId)).toEqual(['capture', 'capture']);
    expect(await refundDuplicates(shop.deps)).toBe(1);
    expect(await refundDuplicates(shop.deps)).toBe(0);
    const money = (await shop.books()).ledger.filter((entry) => entry.orderId === orderId);
    expect(money.map((entry) => entry.amount).toSorted((a, b) => a - b)).toEqual([-1890, 1890, 1990]);
    expect((await orderOf(ana, orderId)).serviceEnd).toBe(
      (await orderOf(ana, orderId)).serviceStart! + 30 * 86_400_000,
    );
  });
});
