import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { cancelAbandonedOrders, repayGraceMs } from '#server/jobs/start-jobs.ts';
import { reconcile, defaultReconcileAfterMs } from '#server/jobs/reconcile.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { summarizeMoney, paidOnce, advanceAndDeliver, unpaid } from '#tests/builders/summarize-money.ts';

const host = 'baobab.localhost';
const second = 1000;
const minute = 60 * second;
/** the price of one month at Baobab in minor units of the shilling */
const price = 45_000;
let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const by = (phone: string, methodCode = 'mpesa', currency = 'KES') => ({
  planId: '501',
  methodCode,
  currency,
  card: undefined,
  payer: { phone },
});
let phoneCount = 0;
/** a unique number that ends in these digits */
const endingIn = (last: string) => `7${String((phoneCount += 1)).padStart(4, '0')}${last}`;

const startPayment = async (last: string) => {
  const phone = endingIn(last);
  const ana = await shop.buyer({ host });
  const { data } = await ana.pay(by(phone));
  if (data.next.type !== 'push') throw new Error('no question on a phone');
  return { ana, phone, orderId: data.orderId, status: data.status, next: data.next };
};
const orderOf = async (ana: Buyer, orderId: string) =>
  (await shop.request(endpoints.order, { params: { id: orderId } }, ana)).data;
const advance = (afterMs: number) => advanceAndDeliver(shop, afterMs);
const paid = paidOnce(price);

describe('a prompt on the phone of the payer', () => {
  it('shows which phone and until when, and succeeds once it is confirmed', async () => {
    const { ana, orderId, status, next } = await startPayment('5678');
    expect(status).toBe('PAYMENT_PENDING');
    const shown = { phone: '+254 •••••••78', amount: { amount: price, currency: 'KES' } };
    expect(next).toEqual({ type: 'push', ...shown, expiresAt: shop.clock.now + 2 * minute });
    await advance(2 * second);
    expect(await summarizeMoney(shop, orderId)).toMatchObject({ status: 'PAYMENT_PENDING', ...unpaid });
    await advance(second);
    expect(await orderOf(ana, orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', expiresAt: null, receipt: true });
    await advance(5 * second);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paid, tries: ['SUCCEEDED'] });
  });

  it.each([
    ['mpesa', 'KES', '+254'],
    ['free', 'XOF', '+221'],
    ['mtn', 'UGX', '+256'],
    ['mtn', 'ZMW', '+260'],
    ['airtel', 'MWK', '+265'],
    ['zamtel', 'ZMW', '+260'],
    ['tnm', 'MWK', '+265'],
  ])('by %s in %s is sent to a number of %s, and succeeds', async (method, currency, code) => {
    const ana = await shop.buyer({ host });
    const { data } = await ana.pay(by(endingIn('4444'), method, currency));
    expect(data.next).toMatchObject({ type: 'push', phone: `${code} •••••••44` });
    await advance(3 * second);
    expect(await summarizeMoney(shop, data.orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', captures: 1 });
  });

  it('is shown again after a reload, and a second click sends no second prompt', async () => {
    const { ana, phone, orderId, next } = await startPayment('1037');
    const info = await shop.request(endpoints.paymentInfo, { body: { orderId } }, ana);
    expect(info.data).toMatchObject({ order: { orderId }, next });
    expect((await ana.repay(orderId, by(phone))).data).toMatchObject({ orderId, next });
    expect((await summarizeMoney(shop, orderId)).tries).toEqual(['PENDING']);
  });

  it.each(['0712345678', '254712345678', '+254 712 345 678'])('accepts the number %s', async (phone) => {
    const ana = await shop.buyer({ host });
    const { data } = await ana.pay(by(phone));
    expect(data.next).toMatchObject({ type: 'push', phone: '+254 •••••••78' });
    expect((await shop.app.request('/sandbox/bank/mobile/254712345678')).status).toBe(200);
  });

  it.each(['', '12345', '07 12', '1234567890123456'])('is not sent to %j, and no order is created', async (phone) => {
    const ana = await shop.buyer({ host });
    const refused = await ana.pay(by(phone));
    expect(refused).toMatchObject({ errCode: 5000, params: { field: 'payer.phone' } });
    expect((await shop.books()).orders.filter((order) => order.uid === ana.uid)).toEqual([]);
  });
});

describe('a payment that the phone declines', () => {
  it.each([
    ['0001', 302],
    ['1032', 2007],
  ])('ending in %s fails with %i, and another number pays the same order', async (last, code) => {
    const { ana, orderId } = await startPayment(last);
    await advance(2 * second);
    expect(await orderOf(ana, orderId)).toMatchObject({ status: 'PAYMENT_FAILED', failureCode: code });
    expect(await summarizeMoney(shop, orderId)).toMatchObject(unpaid);
    expect((await ana.repay(orderId, by(endingIn('4444')))).data).toMatchObject({ orderId, next: { type: 'push' } });
    await advance(3 * second);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paid, tries: ['FAILED', 'SUCCEEDED'] });
  });

  it('because it is busy is reported at once, with the order to pay later', async () => {
    const ana = await shop.buyer({ host });
    const busy = await ana.pay(by(endingIn('1001')));
    expect(busy).toMatchObject({ errCode: -3031 });
    const orderId = busy.params.orderId ?? '';
    expect(await summarizeMoney(shop, orderId)).toEqual({ status: 'PAYMENT_FAILED', tries: ['FAILED'], ...unpaid });
    expect((await ana.repay(orderId, by(endingIn('4444')))).data.status).toBe('PAYMENT_PENDING');
  });
});

describe('a phone that does not respond', () => {
  it('keeps the payment pending until the prompt expires, and then a new prompt can be sent', async () => {
    const { ana, phone, orderId } = await startPayment('1037');
    await advance(minute);
    await reconcile(shop.deps);
    expect((await summarizeMoney(shop, orderId)).tries).toEqual(['PENDING']);
    await advance(minute);
    expect((await summarizeMoney(shop, orderId)).tries).toEqual(['PENDING']);
    await reconcile(shop.deps);
    expect(await summarizeMoney(shop, orderId)).toEqual({ status: 'PAYMENT_PENDING', tries: ['EXPIRED'], ...unpaid });
    expect((await ana.repay(orderId, by(phone))).data).toMatchObject({ orderId, next: { type: 'push' } });
    expect((await summarizeMoney(shop, orderId)).tries).toEqual(['EXPIRED', 'PENDING']);
  });

  it('expires the payment when the network sends a notice', async () => {
    const { orderId } = await startPayment('1019');
    await advance(2 * minute - second);
    expect((await summarizeMoney(shop, orderId)).tries).toEqual(['PENDING']);
    await advance(second);
    expect(await summarizeMoney(shop, orderId)).toEqual({ status: 'PAYMENT_PENDING', tries: ['EXPIRED'], ...unpaid });
  });

  it('and pays after the expiry gets the days', async () => {
    const { ana, orderId } = await startPayment('2037');
    await advance(2 * minute);
    await reconcile(shop.deps);
    expect((await summarizeMoney(shop, orderId)).tries).toEqual(['EXPIRED']);
    await advance(minute);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paid, tries: ['SUCCEEDED'] });
    expect((await orderOf(ana, orderId)).serviceEnd).toBeGreaterThan(shop.clock.now);
  });

  it('and pays after another number has paid is refunded', async () => {
    const { ana, orderId } = await startPayment('2037');
    shop.clock.advance(2 * minute);
    await ana.repay(orderId, by(endingIn('4444')));
    await advance(3 * second);
    expect(await summarizeMoney(shop, orderId)).toMatchObject({ ...paid, tries: ['EXPIRED', 'SUCCEEDED'] });
    await advance(minute);
    expect(await summarizeMoney(shop, orderId)).toMatchObject({ captures: 2, held: 2 * price, taken: 2 * price });
    expect(await refundDuplicates(shop.deps)).toBe(1);
    expect(await summarizeMoney(shop, orderId)).toMatchObject({ ...paid, captures: 2 });
  });

  it('and pays after the order was cancelled gets the days from then on', async () => {
    const { ana, orderId } = await startPayment('2037');
    shop.clock.advance(2 * minute);
    await reconcile(shop.deps);
    shop.clock.advance(repayGraceMs + 1);
    await cancelAbandonedOrders(shop.deps);
    expect(await summarizeMoney(shop, orderId)).toMatchObject({ status: 'PAYMENT_CANCELLED', ...unpaid });
    await advance(0);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paid, tries: ['SUCCEEDED'] });
    expect((await orderOf(ana, orderId)).serviceStart).toBe(shop.clock.now);
  });
});

describe('a payment with a late notice', () => {
  it('succeeds with the notice', async () => {
    const { orderId } = await startPayment('3000');
    await advance(3 * second);
    expect(await summarizeMoney(shop, orderId)).toMatchObject({ status: 'PAYMENT_PENDING', captures: 0, taken: price });
    await shop.deliver(20 * second);
    expect((await summarizeMoney(shop, orderId)).status).toBe('PAYMENT_PENDING');
    await shop.deliver(10 * second);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paid, tries: ['SUCCEEDED'] });
  });

  it('is found by a request, and the later notice changes nothing', async () => {
    const { orderId } = await startPayment('3000');
    await shop.deliver(3 * second);
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paid, tries: ['SUCCEEDED'] });
    await advance(minute);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paid, tries: ['SUCCEEDED'] });
  });
});

describe('a lost answer to the prompt request', () => {
  it('leaves the payment submitted, and the prompt is then found on the phone', async () => {
    const ana = await shop.buyer({ host });
    const phone = endingIn('1037');
    const lost = await ana.pay({ ...by(phone), payer: { phone, firstName: 'LOSTANSWER' } });
    const { orderId } = lost.data;
    expect(lost.data).toMatchObject({ status: 'SUBMITTED', next: { type: 'none' } });
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    const info = await shop.request(endpoints.paymentInfo, { body: { orderId } }, ana);
    expect(info.data).toMatchObject({ order: { status: 'PAYMENT_PENDING' }, next: { type: 'push' } });
    await shop.press(`/sandbox/bank/mobile/254${phone}`, 'pay');
    await advance(0);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paid, tries: ['SUCCEEDED'] });
  });
});

describe('the sandbox page of the phone', () => {
  const pressOnPhone = async (action: string, last = '1037') => {
    const phone = await startPayment(last);
    const page = `/sandbox/bank/mobile/254${phone.phone}`;
    expect(await (await shop.app.request(page)).text()).toContain('Your phone asks: pay?');
    expect((await shop.press(page, action)).headers.get('location')).toBe(page);
    return { ...phone, page };
  };

  it('pays and shows the payment', async () => {
    const { orderId, page } = await pressOnPhone('pay');
    expect(await (await shop.app.request(page)).text()).toContain('Paid');
    await shop.press(page, 'cancel');
    await advance(0);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paid, tries: ['SUCCEEDED'] });
  });

  it('cancels without charging anything', async () => {
    const { ana, orderId } = await pressOnPhone('cancel');
    await advance(0);
    expect(await orderOf(ana, orderId)).toMatchObject({ status: 'PAYMENT_FAILED', failureCode: 2007 });
  });

  it('ignores a payment that would otherwise succeed by itself', async () => {
    const { orderId, page } = await pressOnPhone('ignore', '5678');
    await advance(minute);
    expect((await summarizeMoney(shop, orderId)).tries).toEqual(['PENDING']);
    await advance(minute);
    expect(await (await shop.app.request(page)).text()).toContain('Too late');
    await shop.press(page, 'pay');
    await advance(minute);
    expect(await summarizeMoney(shop, orderId)).toMatchObject(unpaid);
  });
});
