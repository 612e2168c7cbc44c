import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { summarizeMoney, unpaid } from '#tests/builders/summarize-money.ts';

const host = 'baobab.localhost';
const minute = 60_000;
/** the price of one month at Baobab in francs, which have no minor unit */
const price = 2100;
let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const by = (phone: string) => ({
  planId: '501',
  methodCode: 'orange',
  currency: 'XOF',
  card: undefined,
  payer: { phone },
});
let phoneCount = 0;
const startPayment = async () => {
  phoneCount += 1;
  const phone = `77000${String(phoneCount).padStart(4, '0')}`;
  const ana = await shop.buyer({ host });
  const { data } = await ana.pay(by(phone));
  if (data.next.type !== 'otp') throw new Error('no code is asked for');
  return { ana, phone, orderId: data.orderId, next: data.next };
};
const confirm = (who: Buyer, orderId: string, otp: string) =>
  shop.request(endpoints.liQuiDoConfirm, { body: { orderId, otp } }, who);
const paidOnce = { status: 'PAYMENT_SUCCEEDED', captures: 1, held: price, taken: price };

describe('a payment code of Orange', () => {
  it('is requested by dialling, entered in the storefront, and pays once', async () => {
    const { ana, phone, orderId, next } = await startPayment();
    expect(next).toEqual({
      type: 'otp',
      digits: 6,
      sentTo: null,
      dial: '#144*391#',
      triesLeft: 3,
      amount: { amount: price, currency: 'XOF' },
      expiresAt: shop.clock.now + 10 * minute,
    });
    const page = await (await shop.app.request(`/sandbox/bank/mobile/221${phone}`)).text();
    expect(page).toContain('123456');
    expect((await confirm(ana, orderId, '123456')).data).toMatchObject({
      orderId,
      status: 'PAYMENT_SUCCEEDED',
      next: { type: 'none' },
    });
    expect((await confirm(ana, orderId, '123456')).data.status).toBe('PAYMENT_SUCCEEDED');
    await shop.deliver(300);
    await shop.deliver(5000);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paidOnce, tries: ['SUCCEEDED'] });
  });

  it('shows the remaining tries after a wrong entry, also after a reload, and can still pay', async () => {
    const { ana, orderId } = await startPayment();
    const wrong = await confirm(ana, orderId, '000000');
    expect(wrong).toMatchObject({ errCode: -3032, params: { field: 'code', triesLeft: 2, orderId } });
    const info = await shop.request(endpoints.paymentInfo, { body: { orderId } }, ana);
    expect(info.data.next).toMatchObject({ type: 'otp', triesLeft: 2 });
    expect(await summarizeMoney(shop, orderId)).toEqual({ status: 'PAYMENT_PENDING', tries: ['PENDING'], ...unpaid });
    expect((await confirm(ana, orderId, '123456')).data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await summarizeMoney(shop, orderId)).toMatchObject(paidOnce);
  });

  it('ends the attempt after three wrong entries; the same order can be paid a minute later', async () => {
    const { ana, phone, orderId } = await startPayment();
    const codes = [];
    for (const otp of ['111111', '222222', '333333', '123456']) codes.push((await confirm(ana, orderId, otp)).errCode);
    expect(codes).toEqual([-3032, -3032, 2003, 2003]);
    expect(await summarizeMoney(shop, orderId)).toEqual({ status: 'PAYMENT_FAILED', tries: ['FAILED'], ...unpaid });
    expect(await ana.repay(orderId, by(phone))).toMatchObject({ errCode: -3031, params: { orderId } });
    shop.clock.advance(minute);
    expect((await ana.repay(orderId, by(phone))).data).toMatchObject({ orderId, next: { type: 'otp', triesLeft: 3 } });
    await confirm(ana, orderId, '123456');
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paidOnce, tries: ['FAILED', 'FAILED', 'SUCCEEDED'] });
  });

  it('counts three simultaneous guesses as three', async () => {
    const { ana, orderId } = await startPayment();
    await Promise.all(['111111', '222222', '333333'].map((otp) => confirm(ana, orderId, otp)));
    expect(await confirm(ana, orderId, '123456')).toMatchObject({ errCode: 2003 });
    expect(await summarizeMoney(shop, orderId)).toMatchObject({ status: 'PAYMENT_FAILED', ...unpaid });
  });

  it('is refused as expired before and after the job has expired the attempt', async () => {
    const { ana, orderId } = await startPayment();
    shop.clock.advance(10 * minute);
    expect(await confirm(ana, orderId, '123456')).toMatchObject({ errCode: -3034, params: { orderId } });
    await reconcile(shop.deps);
    expect(await confirm(ana, orderId, '123456')).toMatchObject({ errCode: -3034, params: { orderId } });
    expect(await summarizeMoney(shop, orderId)).toEqual({ status: 'PAYMENT_PENDING', tries: ['EXPIRED'], ...unpaid });
  });

  it('is refused for a payment that does not wait for a code', async () => {
    const ana = await shop.buyer({ host });
    const wish = { planId: '501', methodCode: 'free', currency: 'XOF', card: undefined };
    const { data } = await ana.pay({ ...wish, payer: { phone: '760001037' } });
    expect(await confirm(ana, data.orderId, '123456')).toMatchObject({ errCode: 4598 });
    expect((await summarizeMoney(shop, data.orderId)).tries).toEqual(['PENDING']);
  });

  it('of another customer or brand finds no order', async () => {
    const { ana, orderId } = await startPayment();
    for (const other of [await shop.buyer({ host }), await shop.buyer()]) {
      expect(await confirm(other, orderId, '123456')).toMatchObject({ errCode: 1001 });
    }
    expect((await summarizeMoney(shop, orderId)).status).toBe('PAYMENT_PENDING');
    expect((await confirm(ana, orderId, '123456')).data.status).toBe('PAYMENT_SUCCEEDED');
  });

  it('has four to eight digits', async () => {
    const { ana, orderId } = await startPayment();
    for (const otp of ['', '12', 'abcdef', '123456789']) {
      expect(await confirm(ana, orderId, otp)).toMatchObject({ errCode: 5000, params: { field: 'otp' } });
    }
    expect((await confirm(ana, orderId, '123456')).data.status).toBe('PAYMENT_SUCCEEDED');
  });
});

describe('repeated payment requests to Orange', () => {
  it('for the same number and amount are refused for a minute', async () => {
    const { ana, phone, orderId } = await startPayment();
    await confirm(ana, orderId, '123456');
    const again = await ana.pay(by(phone));
    expect(again).toMatchObject({ errCode: -3031 });
    const second = again.params.orderId ?? '';
    expect(await summarizeMoney(shop, second)).toEqual({ status: 'PAYMENT_FAILED', tries: ['FAILED'], ...unpaid });
    expect((await ana.repay(second, by('770009999'))).data.next.type).toBe('otp');
    shop.clock.advance(minute);
    expect((await ana.pay(by(phone))).data.next.type).toBe('otp');
  });
});
