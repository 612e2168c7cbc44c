import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';

const day = 86_400_000;
let shop: Shop;
let freshBuyers: Buyer[];
beforeAll(async () => {
  shop = await aShop();
  freshBuyers = await shop.buyers(12);
  // the test advances the clock by years
  await shop.db.update(sessions).set({ expiresAt: shop.clock.now + 9000 * day });
});
afterAll(() => shop.close());

/** A customer, with these columns changed before any purchase. */
const aBuyer = async (given: Partial<typeof users.$inferInsert> = {}) => {
  const ana = freshBuyers.pop() ?? expect.fail('too few buyers');
  if (Object.keys(given).length > 0) await shop.db.update(users).set(given).where(eq(users.uid, ana.uid));
  return ana;
};
const accountOf = async (ana: Buyer) =>
  (await shop.request(endpoints.queryInfo, { body: { uid: ana.uid, account: ana.account, type: 'email' } }, ana)).data;
const serviceOf = async (ana: Buyer, id: string) =>
  (await shop.request(endpoints.service, { params: { id } }, ana)).data;
const quoteFor = async (ana: Buyer, planId: string) =>
  (await shop.request(endpoints.goodsValuation, { body: { planId, methodCode: 'card', currency: 'BRL' } }, ana)).data;
const buy = async (ana: Buyer, planId: string) => (await ana.pay({ planId })).data.orderId;
/** Reports a refund or a lost dispute of an order. */
const reportReversal = async (orderId: string, event: 'refund' | 'chargeback' = 'refund') => {
  const { id = '', amount } = (await shop.books()).attempts.find((attempt) => attempt.orderId === orderId) ?? {};
  await sendNotice(shop, aNotice(id, { event, stage: 'succeeded', amount }));
};

describe('paid days', () => {
  it('keep their devices and plan, whatever is bought afterwards', async () => {
    const start = shop.clock.now;
    const ana = await aBuyer();
    const year = await buy(ana, '103');
    const family = await buy(ana, '301');
    const info = await accountOf(ana);
    expect(info).toMatchObject({ planId: '103', planName: 'Yearly', limitCount: 1, bizRemainingDays: 395 });
    expect(info.expiredTime).toBe(start + 395 * day);
    expect(info.periods).toMatchObject([
      { kind: 'paid', orderId: year, planId: '103', devices: 1, from: start, until: start + 365 * day },
      { kind: 'paid', orderId: family, planId: '301', devices: 3, from: start + 365 * day, until: start + 395 * day },
    ]);
    shop.clock.advance(365 * day);
    expect(await accountOf(ana)).toMatchObject({ planId: '301', limitCount: 3, bizRemainingDays: 30 });
    shop.clock.advance(31 * day);
    expect(await accountOf(ana)).toMatchObject({ planId: '301', limitCount: 3, payStatus: 'EXPIRED', periods: [] });
  });

  it('after a trial leave the trial its devices, and the trial is shown without a plan', async () => {
    const ends = shop.clock.now + 5 * day;
    const ana = await aBuyer({ limitCount: 3, expiredTime: ends });
    await buy(ana, '101');
    const info = await accountOf(ana);
    expect(info).toMatchObject({
      planId: null,
      planName: null,
      limitCount: 3,
      payStatus: 'PAID',
      bizRemainingDays: 30,
    });
    expect(info.periods).toMatchObject([
      { kind: 'given', orderId: null, planId: null, devices: 3, from: null, until: ends },
      { kind: 'paid', planId: '101', devices: 1, from: ends },
    ]);
  });

  it('after a plan of a previous system leave that plan unchanged', async () => {
    const ends = shop.clock.now + 10 * day;
    const ana = await aBuyer({ planId: '301', limitCount: 3, expiredTime: ends });
    await buy(ana, '302');
    expect((await accountOf(ana)).periods).toMatchObject([
      { kind: 'given', planId: '301', planName: 'Monthly Family', devices: 3, until: ends },
      { kind: 'paid', planId: '302', from: ends },
    ]);
  });

  it('are shown before the payment, with their first day and the current period', async () => {
    const ana = await aBuyer();
    expect(await quoteFor(ana, '103')).toMatchObject({ startsAt: shop.clock.now, periods: [] });
    const year = await buy(ana, '103');
    const ends = shop.clock.now + 365 * day;
    const quote = await quoteFor(ana, '301');
    expect(quote).toMatchObject({ startsAt: ends, expiryAfter: ends + 30 * day });
    expect(quote.periods).toMatchObject([{ orderId: year, planName: 'Yearly', devices: 1, until: ends }]);
    const available = await shop.request(endpoints.checkPlanAvailable, { body: { planId: '301' } }, ana);
    expect(available.data).toMatchObject({ startsAt: ends, expiryAfter: ends + 30 * day });
  });

  it('of several devices delay a plan for one device until they end', async () => {
    const start = shop.clock.now;
    const ana = await aBuyer();
    await buy(ana, '101');
    await buy(ana, '301');
    const ask = () => shop.request(endpoints.checkPlanAvailable, { body: { planId: '101' } }, ana);
    expect(await ask()).toMatchObject({ errCode: 6000, params: { availableFrom: start + 60 * day } });
    shop.clock.advance(60 * day);
    expect((await ask()).code).toBe(0);
  });
});

describe('the validity of an order', () => {
  it('shows the periods before it until it begins', async () => {
    const start = shop.clock.now;
    const ana = await aBuyer();
    const month = await buy(ana, '101');
    const family = await buy(ana, '301');
    expect(await serviceOf(ana, month)).toMatchObject({ days: 30, devices: 1, before: [], changes: [] });
    const waiting = await serviceOf(ana, family);
    expect(waiting).toMatchObject({ serviceStart: start + 30 * day, devices: 3, changes: [] });
    expect(waiting.before).toMatchObject([{ orderId: month, planName: 'Monthly', until: start + 30 * day }]);
  });

  it('shows what a refund in the middle changed in it and in the orders after it', async () => {
    const start = shop.clock.now;
    const ana = await aBuyer();
    const month = await buy(ana, '101');
    const half = await buy(ana, '102');
    const family = await buy(ana, '301');
    shop.clock.advance(10 * day);
    await reportReversal(half);
    const because = { because: 'refund', orderId: half, ms: 180 * day, at: shop.clock.now };
    expect(await serviceOf(ana, half)).toMatchObject({
      serviceStart: start + 30 * day,
      serviceEnd: start + 30 * day,
      changes: [{ kind: 'shortened', ...because }],
    });
    const moved = await serviceOf(ana, family);
    expect(moved).toMatchObject({
      serviceStart: start + 30 * day,
      serviceEnd: start + 60 * day,
      changes: [{ kind: 'moved', ...because }],
    });
    expect(await serviceOf(ana, month)).toMatchObject({ serviceEnd: start + 30 * day, changes: [] });
    await reportReversal(month, 'chargeback');
    expect(await accountOf(ana)).toMatchObject({ planId: '301', limitCount: 3, bizRemainingDays: 30 });
    expect((await serviceOf(ana, family)).changes).toMatchObject([{ because: 'refund' }, { because: 'chargeback' }]);
    await reportReversal(family);
    expect(await accountOf(ana)).toMatchObject({ planId: null, periods: [], payStatus: 'EXPIRED' });
  });
});
