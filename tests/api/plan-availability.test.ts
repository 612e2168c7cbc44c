import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { payStatus } from '#server/auth/sign-in.ts';
import { plans } from '#server/db/schema/brands.ts';
import { users } from '#server/db/schema/users.ts';
import { aShop, expiryOf, type Buyer, type Shop } from '#tests/builders/a-shop.ts';

const day = 86_400_000;
let shop: Shop;
let freshBuyers: Buyer[];
beforeAll(async () => {
  shop = await aShop();
  freshBuyers = await shop.buyers(12);
});
afterAll(() => shop.close());

/** A customer, with these columns changed. */
const aBuyer = async (given: Partial<typeof users.$inferInsert> = {}) => {
  const ana = freshBuyers.pop() ?? expect.fail('too few buyers');
  if (Object.keys(given).length > 0) await shop.db.update(users).set(given).where(eq(users.uid, ana.uid));
  return ana;
};
const wish = { methodCode: 'card', currency: 'BRL' };
const quoteFor = async (ana: Buyer, planId: string) =>
  (await shop.request(endpoints.goodsValuation, { body: { ...wish, planId } }, ana)).data;
const available = (ana: Buyer, planId: string) => shop.request(endpoints.checkPlanAvailable, { body: { planId } }, ana);

it('the days of a plan are added to the trial, as shown in the price', async () => {
  const trialEnds = shop.clock.now + 5 * day;
  const ana = await aBuyer({ expiredTime: trialEnds });
  const promised = trialEnds + 30 * day;
  expect((await available(ana, '101')).data.expiryAfter).toBe(promised);
  expect((await quoteFor(ana, '101')).expiryAfter).toBe(promised);
  const { data } = await ana.pay();
  expect(await expiryOf(shop.db, ana.uid)).toBe(promised);
  const service = await shop.request(endpoints.service, { params: { id: data.orderId } }, ana);
  expect(service.data).toMatchObject({ serviceStart: trialEnds, serviceEnd: promised });
});

it('a trial of several devices does not prevent a plan for one device', async () => {
  const trialEnds = shop.clock.now + 5 * day;
  const ana = await aBuyer({ limitCount: 3, expiredTime: trialEnds });
  expect((await available(ana, '101')).code).toBe(0);
  expect((await ana.pay({ planId: '101' })).data.status).toBe('PAYMENT_SUCCEEDED');
  expect(await expiryOf(shop.db, ana.uid)).toBe(trialEnds + 30 * day);
});

it('a trial lasts until a plan is bought or its days have ended', () => {
  const now = shop.clock.now;
  expect(payStatus({ planId: null, expiredTime: null }, now)).toBe('FREE_TRIAL');
  expect(payStatus({ planId: null, expiredTime: now + 1 }, now)).toBe('FREE_TRIAL');
  expect(payStatus({ planId: null, expiredTime: now }, now)).toBe('EXPIRED');
  expect(payStatus({ planId: '101', expiredTime: now + 1 }, now)).toBe('PAID');
  expect(payStatus({ planId: '101', expiredTime: now }, now)).toBe('EXPIRED');
});

it('a plan for one device is refused until a plan for several devices has ended, with that date', async () => {
  const ana = await aBuyer();
  await ana.pay({ planId: '301' });
  const availableFrom = shop.clock.now + 30 * day;
  const refused = { errCode: 6000, params: { availableFrom } };
  expect(await available(ana, '101')).toMatchObject(refused);
  expect(await ana.pay({ planId: '101' })).toMatchObject(refused);
  expect((await available(ana, '302')).data.expiryAfter).toBe(availableFrom + 180 * day);
  await shop.db.update(users).set({ expiredTime: shop.clock.now }).where(eq(users.uid, ana.uid));
  expect((await available(ana, '101')).data.expiryAfter).toBe(shop.clock.now + 30 * day);
  expect((await ana.pay({ planId: '101' })).data.status).toBe('PAYMENT_SUCCEEDED');
});

it.each(['101', '303'])(
  'the end date shown for plan %s is the one after the payment, also with remaining days',
  async (planId) => {
    const ana = await aBuyer();
    for (const _ of ['first', 'second']) {
      const { expiryAfter } = await quoteFor(ana, planId);
      await ana.pay({ planId });
      expect(await expiryOf(shop.db, ana.uid)).toBe(expiryAfter);
    }
  },
);

it('a plan that is no longer sold cannot be paid', async () => {
  const ana = await aBuyer();
  const body = await ana.body({ planId: '103' });
  await shop.db.update(plans).set({ active: false }).where(eq(plans.id, '103'));
  await shop.deps.catalog.refresh();
  const paid = await shop.request(endpoints.pay, { body }, { ...ana, idempotencyKey: crypto.randomUUID() });
  expect(paid.errCode).toBe(2008);
  expect((await available(ana, '103')).errCode).toBe(2008);
  expect((await shop.books()).orders.filter((order) => order.uid === ana.uid)).toEqual([]);
});
