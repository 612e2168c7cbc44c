import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { aCoupon } from '#tests/builders/a-coupon.ts';
import { aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await aShop(undefined, { env: { TRUST_PROXY: '127.0.0.1' } });
});
afterEach(() => shop.close());

const quarterMs = 15 * 60_000;
const value = (buyer: Buyer, discountCode: string, ip = '203.0.113.1') =>
  shop.request(
    endpoints.goodsValuation,
    { body: { planId: '101', methodCode: 'card', currency: 'BRL', discountCode } },
    { token: buyer.token, host: buyer.host, headers: { 'X-Forwarded-For': ip } },
  );
const guess = (buyer: Buyer, index: number, ip?: string) => value(buyer, `GUESS${index}`, ip);

async function guesses(buyer: Buyer, count: number, ip?: string): Promise<(number | undefined)[]> {
  const codes: (number | undefined)[] = [];
  for (let index = 0; index < count; index += 1) codes.push((await guess(buyer, index, ip)).errCode);
  return codes;
}

describe('guessing coupons', () => {
  it('ends after ten unknown codes, with the time to wait', async () => {
    const [ana, code] = [await shop.buyer(), await aCoupon(shop.db)];
    expect(new Set(await guesses(ana, 10))).toEqual(new Set([9001]));
    shop.clock.advance(60_000);
    const refused = await guess(ana, 11);
    expect(refused).toMatchObject({ status: 429, errCode: -3031, params: { waitSeconds: 840 } });
    // otherwise a right guess would reveal itself despite the limit
    expect((await value(ana, code)).errCode).toBe(-3031);
    shop.clock.advance(quarterMs);
    expect((await value(ana, code)).code).toBe(0);
  });

  it('is limited for concurrent requests: of fifty, ten are answered', async () => {
    const ana = await shop.buyer();
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => guess(ana, index)));
    expect(answers.filter(({ errCode }) => errCode === 9001)).toHaveLength(10);
  });

  it('is limited by the same count in pay and installments', async () => {
    const ana = await shop.buyer();
    const body = await ana.body();
    for (let index = 0; index < 5; index += 1) {
      const discountCode = `GUESS${index}`;
      const plan = { planId: '101', methodCode: 'card', currency: 'BRL', discountCode } as const;
      expect((await shop.request(endpoints.installmentsPlan, { body: plan }, ana)).errCode).toBe(9001);
      const options = { ...ana, idempotencyKey: crypto.randomUUID() };
      expect((await shop.request(endpoints.pay, { body: { ...body, discountCode } }, options)).errCode).toBe(9001);
    }
    expect((await guess(ana, 11)).errCode).toBe(-3031);
  });

  it('with many accounts of one network ends at a hundred, except for three per account', async () => {
    const buyers = await shop.buyers(12);
    const answers = await Promise.all(buyers.slice(0, 10).map((buyer) => guesses(buyer, 10)));
    expect(new Set(answers.flat())).toEqual(new Set([9001]));
    expect(await guesses(buyers[10] ?? never(), 5)).toEqual([9001, 9001, 9001, -3031, -3031]);
    expect(await guesses(buyers[11] ?? never(), 5, '203.0.113.2')).toEqual([9001, 9001, 9001, 9001, 9001]);
  });
});

describe('a customer', () => {
  it('can mistype a coupon and then enter the right one', async () => {
    const [ana, code] = [await shop.buyer(), await aCoupon(shop.db)];
    expect(await guesses(ana, 2)).toEqual([9001, 9001]);
    expect((await value(ana, code)).data.discount.amount).toBeGreaterThan(0);
  });

  it('can change the method repeatedly with a valid coupon', async () => {
    const [ana, code] = [await shop.buyer(), await aCoupon(shop.db)];
    for (let round = 0; round < 30; round += 1) expect((await value(ana, code)).code).toBe(0);
    expect((await ana.pay({ discountCode: code })).data.status).toBe('PAYMENT_SUCCEEDED');
  });

  it('can try an expired coupon without being counted as guessing', async () => {
    const [ana, ended, code] = [await shop.buyer(), await aCoupon(shop.db, { endsAt: 1 }), await aCoupon(shop.db)];
    for (let round = 0; round < 12; round += 1) expect((await value(ana, ended)).errCode).toBe(9000);
    expect((await value(ana, code)).code).toBe(0);
  });
});

function never(): never {
  throw new Error('too few customers');
}
