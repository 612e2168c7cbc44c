import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { plans } from '#server/db/schema/brands.ts';
import { customerCoupons } from '#server/db/schema/orders.ts';
import { aCoupon } from '#tests/builders/a-coupon.ts';
import { aShop, byPix, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { and, eq } from 'drizzle-orm';

let shop: Shop;
let buyers: Buyer[];
beforeAll(async () => {
  shop = await aShop();
  buyers = await shop.buyers(20);
});
afterAll(() => shop.close());

const aBuyer = () => buyers.pop() ?? expect.fail('too few buyers');
const add = (ana: Buyer, code: string) => shop.request(endpoints.addCoupon, { body: { code } }, ana);
const mine = async (ana: Buyer, language = 'en') =>
  (await shop.request(endpoints.listCoupons, { body: {} }, { ...ana, headers: { Language: language } })).data.items;
const states = async (ana: Buyer) => (await mine(ana)).map(({ code, state, orderId }) => [code, state, orderId]);

describe('a coupon that a customer adds', () => {
  it('is listed once in the account, with its plans and validity', async () => {
    const ana = aBuyer();
    const code = await aCoupon(shop.db, { planIds: ['103', '303'], kind: 'amount', value: 1500, currency: 'BRL' });
    const added = await add(ana, ` ${code.toLowerCase()} `);
    expect(added.data).toMatchObject({
      code,
      state: 'usable',
      percent: null,
      amount: { amount: 1500, currency: 'BRL' },
    });
    expect((await add(ana, code)).code).toBe(0);
    expect(await mine(ana)).toEqual([added.data]);
    expect((await mine(ana, 'es'))[0]?.plans[0]).toEqual({ planId: '103', planName: 'Anual' });
    expect(await mine(aBuyer())).toEqual([]);
  });

  it('is refused by the rules of the checkout, each with its own error code', async () => {
    const ana = aBuyer();
    const now = shop.clock.now;
    const refusals: [number, string][] = [
      [9001, 'NOSUCH'],
      [9000, await aCoupon(shop.db, { endsAt: now })],
      [9000, await aCoupon(shop.db, { startsAt: now + 1 })],
      [9003, await aCoupon(shop.db, { maxUses: 1, used: 1 })],
      [9002, await aCoupon(shop.db, { planIds: ['999'] })],
      [9002, await aCoupon(shop.db, { kind: 'amount', currency: 'RUB' })],
    ];
    for (const [errCode, code] of refusals) expect((await add(ana, code)).errCode, code).toBe(errCode);
    const early = await add(ana, await aCoupon(shop.db, { startsAt: now + 1 }));
    expect(early.params).toEqual({ onlyFor: { from: now + 1 } });
    await ana.pay();
    const first = await add(ana, await aCoupon(shop.db, { firstPurchaseOnly: true }));
    expect(first).toMatchObject({ errCode: 9991, params: { onlyFor: 'firstPurchase' } });
    expect(await mine(ana)).toEqual([]);
  });

  it('of another brand does not exist here', async () => {
    expect((await add(aBuyer(), await aCoupon(shop.db, { brand: 'mego' }))).errCode).toBe(9001);
  });

  it('cannot be guessed: ten unknown codes, at the checkout or here, are followed by a wait', async () => {
    const ana = aBuyer();
    const price = { planId: '101', methodCode: 'pix', currency: 'BRL', discountCode: 'GUESS' };
    await shop.request(endpoints.goodsValuation, { body: price }, ana);
    for (let guess = 1; guess < 10; guess += 1) expect((await add(ana, `GUESS${guess}`)).errCode).toBe(9001);
    const refused = await add(ana, await aCoupon(shop.db));
    expect(refused.errCode).toBe(-3031);
    expect(refused.params.waitSeconds).toBeGreaterThan(0);
  });

  it('does not count as a guess if it exists, however often it is added', async () => {
    const [ana, code] = [aBuyer(), await aCoupon(shop.db)];
    for (let time = 0; time < 12; time += 1) expect((await add(ana, code)).code).toBe(0);
  });
});

describe('the coupons of a customer', () => {
  it('show which order reserves or has used one, and are usable again when it is released', async () => {
    const [ana, code] = [aBuyer(), await aCoupon(shop.db)];
    await add(ana, code);
    const { data } = await ana.pay({ ...byPix, discountCode: code });
    expect(await states(ana)).toEqual([[code, 'held', data.orderId]]);
    await shop.request(endpoints.unbindDiscountCode, { query: { orderId: data.orderId, discountCode: code } }, ana);
    expect(await states(ana)).toEqual([[code, 'usable', null]]);
    const paid = await ana.pay({ discountCode: code });
    expect(await states(ana)).toEqual([[code, 'used', paid.data.orderId]]);
  });

  it('include the coupon of an open order that was not added to the account', async () => {
    const [ana, code] = [aBuyer(), await aCoupon(shop.db, { maxUses: 5 })];
    const { data } = await ana.pay({ ...byPix, discountCode: code });
    expect(await states(ana)).toEqual([[code, 'held', data.orderId]]);
    expect((await add(ana, code)).data).toMatchObject({ state: 'held' });
    expect(await states(ana)).toEqual([[code, 'held', data.orderId]]);
  });

  it('show whether one begins later, has expired, is used up or is for a first purchase only', async () => {
    const ana = aBuyer();
    const now = shop.clock.now;
    const codes = [
      await aCoupon(shop.db, { startsAt: now + 1 }),
      await aCoupon(shop.db, { endsAt: now }),
      await aCoupon(shop.db, { used: 1 }),
      await aCoupon(shop.db, { firstPurchaseOnly: true }),
    ];
    for (const [index, code] of codes.entries())
      await shop.db.insert(customerCoupons).values({ brand: 'lumen', uid: ana.uid, code, givenAt: now - index });
    await ana.pay();
    expect((await states(ana)).map(([, state]) => state)).toEqual(['later', 'expired', 'unavailable', 'unavailable']);
  });

  it('list no plan that is no longer sold', async () => {
    const [ana, code] = [aBuyer(), await aCoupon(shop.db, { planIds: ['101', '302'] })];
    await add(ana, code);
    const sells = (active: boolean) =>
      shop.db
        .update(plans)
        .set({ active })
        .where(and(eq(plans.brand, 'lumen'), eq(plans.id, '302')))
        .then(() => shop.deps.catalog.refresh());
    await sells(false);
    expect((await mine(ana))[0]?.plans.map(({ planId }) => planId)).toEqual(['101']);
    await sells(true);
  });
});
