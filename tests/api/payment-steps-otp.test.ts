import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { summarizeMoney, unpaid } from '#tests/builders/money-of.ts';

const host = 'baobab.localhost';
const minute = 60_000;
/** a month at Baobab in francs, which have no smaller unit */
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
let made = 0;
const asked = async () => {
  made += 1;
  const phone = `77000${String(made).padStart(4, '0')}`;
  const ana = await shop.buyer({ host });
  const { data } = await ana.pay(by(phone));
  if (data.next.type !== 'otp') throw new Error('no code is asked for');
  return { ana, phone, orderId: data.orderId, next: data.next };
};
const confirm = (who: Buyer, orderId: string, otp: string) =>
  shop.request(endpoints.liQuiDoConfirm, { body: { orderId, otp } }, who);
const paidOnce = { status: 'PAYMENT_SUCCEEDED', captures: 1, held: price, taken: price };

describe('the code of Orange', () => {
  it('is dialled for, typed in the shop, and pays at once and once', async () => {
    const { ana, phone, orderId, next } = await asked();
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

  it('typed wrong says how often it may be tried, also after a reload, and the right one still pays', async () => {
    const { ana, orderId } = await asked();
    const wrong = await confirm(ana, orderId, '000000');
    expect(wrong).toMatchObject({ errCode: -3032, params: { field: 'code', triesLeft: 2, orderId } });
    const info = await shop.request(endpoints.paymentInfo, { body: { orderId } }, ana);
    expect(info.data.next).toMatchObject({ type: 'otp', triesLeft: 2 });
    expect(await summarizeMoney(shop, orderId)).toEqual({ status: 'PAYMENT_PENDING', tries: ['PENDING'], ...unpaid });
    expect((await confirm(ana, orderId, '123456')).data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await summarizeMoney(shop, orderId)).toMatchObject(paidOnce);
  });

  it('typed wrong three times ends the try, and the same order is paid by a new one after a minute', async () => {
    const { ana, phone, orderId } = await asked();
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

  it('guessed three times at once is counted three times', async () => {
    const { ana, orderId } = await asked();
    await Promise.all(['111111', '222222', '333333'].map((otp) => confirm(ana, orderId, otp)));
    expect(await confirm(ana, orderId, '123456')).toMatchObject({ errCode: 2003 });
    expect(await summarizeMoney(shop, orderId)).toMatchObject({ status: 'PAYMENT_FAILED', ...unpaid });
  });

  it('typed too late is refused as too late, before a job has noticed it and after', async () => {
    const { ana, orderId } = await asked();
    shop.clock.advance(10 * minute);
    expect(await confirm(ana, orderId, '123456')).toMatchObject({ errCode: -3034, params: { orderId } });
    await reconcile(shop.deps);
    expect(await confirm(ana, orderId, '123456')).toMatchObject({ errCode: -3034, params: { orderId } });
    expect(await summarizeMoney(shop, orderId)).toEqual({ status: 'PAYMENT_PENDING', tries: ['EXPIRED'], ...unpaid });
  });

  it('is not asked for by a payment that waits for something else, or for nothing', async () => {
    const ana = await shop.buyer({ host });
    const wish = { planId: '501', methodCode: 'free', currency: 'XOF', card: undefined };
    const { data } = await ana.pay({ ...wish, payer: { phone: '760001037' } });
    expect(await confirm(ana, data.orderId, '123456')).toMatchObject({ errCode: 4598 });
    expect((await summarizeMoney(shop, data.orderId)).tries).toEqual(['PENDING']);
  });

  it('of another customer, here or at another brand, finds no order', async () => {
    const { ana, orderId } = await asked();
    for (const other of [await shop.buyer({ host }), await shop.buyer()]) {
      expect(await confirm(other, orderId, '123456')).toMatchObject({ errCode: 1001 });
    }
    expect((await summarizeMoney(shop, orderId)).status).toBe('PAYMENT_PENDING');
    expect((await confirm(ana, orderId, '123456')).data.status).toBe('PAYMENT_SUCCEEDED');
  });

  it('is for whoever can read: digits, four to eight of them', async () => {
    const { ana, orderId } = await asked();
    for (const otp of ['', '12', 'abcdef', '123456789']) {
      expect(await confirm(ana, orderId, otp)).toMatchObject({ errCode: 5000, params: { field: 'otp' } });
    }
    expect((await confirm(ana, orderId, '123456')).data.status).toBe('PAYMENT_SUCCEEDED');
  });
});

describe('asking Orange too often', () => {
  it('for the same number and amount is refused for a minute, and then goes on', async () => {
    const { ana, phone, orderId } = await asked();
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
