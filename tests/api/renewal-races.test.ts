import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { replaceCard } from '#server/billing/cards/save-card.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { orders } from '#server/db/schema/orders.ts';
import { plans } from '#server/db/schema/brands.ts';
import { cardsToForget } from '#server/db/schema/cards.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { users } from '#server/db/schema/users.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { renewDue } from '#server/jobs/renew-due.ts';
import { scheduleDeletion } from '#server/account/my-data/deletion.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { aRenewing, day, clearRenewals, advanceDays, type Renewing } from '#tests/builders/a-renewal.ts';
import { aCard, aShop, type Shop } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterEach(() => clearRenewals(shop));
afterAll(() => shop.close());

const hour = 3_600_000;
/** Names of the tries to pay, oldest first: of the renewal, or of what the customer bought by hand. */
async function keysOf({ uid }: Renewing, by: 'renewal' | 'hand'): Promise<string[]> {
  const tries = await shop.db
    .select({ id: attempts.id, key: attempts.idempotencyKey })
    .from(attempts)
    .innerJoin(orders, eq(orders.orderId, attempts.orderId))
    .where(eq(attempts.uid, uid))
    // two of one millisecond run one after the other
    .orderBy(attempts.createdAt, orders.serviceStart);
  return tries.filter(({ key }) => key.startsWith('renewal ') === (by === 'renewal')).map(({ id }) => id);
}

async function setPrice(amount: number): Promise<void> {
  await shop.db
    .update(plans)
    .set({ prices: { BRL: amount } })
    .where(eq(plans.id, '101'));
  await shop.deps.catalog.refresh();
}

const leave = (uid: string) =>
  shop.db.transaction(async (tx) => {
    const brand = shop.deps.catalog.byCode('lumen');
    if (!brand) throw new Error('no brand');
    return scheduleDeletion(tx, brand, { brand: 'lumen', uid }, { ...shop.deps, db: tx });
  });

describe('the price of a renewal', () => {
  it('is no higher than its notice has said, when the plan was on sale on that day only', async () => {
    const ana = await aRenewing(shop);
    await advanceDays(shop, 21);
    await setPrice(1490);
    await advanceDays(shop, 2);
    expect(await ana.mail('notice')).toContain('R$14.90');
    await setPrice(1990);
    expect((await ana.info()).terms.price.amount).toBe(1490);
    await advanceDays(shop, 7);
    expect(await ana.charges()).toMatchObject([{ total: 1490 }]);
    await advanceDays(shop, 30);
    expect(await ana.mail('notice')).toContain('R$19.90');
    expect(await ana.charges()).toMatchObject([{ total: 1490 }, { total: 1990 }]);
  });
});

describe('a clock that is put back', () => {
  it('between a charge and its refusal does not keep the customer from hearing of it', async () => {
    const ana = await aRenewing(shop, { card: aCard('4000000000002024') });
    await advanceDays(shop, 29);
    const key = (await keysOf(ana, 'renewal')).at(-1) ?? '';
    shop.clock.now -= 30 * hour;
    await sendNotice(shop, aNotice(key, { status: 'declined', declineCode: 301 }));
    expect((await ana.row()).status).toBe('pastDue');
    expect(await ana.told()).toEqual(['notice', 'refused']);
  });

  it('between two tries does not end the second one by the first', async () => {
    const ana = await aRenewing(shop, { card: aCard('4000000000003014') });
    await advanceDays(shop, 29);
    expect((await ana.row()).status).toBe('pastDue');
    shop.clock.now -= 5 * hour;
    const body = { methodCode: 'card', card: aCard('4000000000002024'), payer: {} };
    const key = { ...ana, idempotencyKey: crypto.randomUUID() };
    expect((await shop.request(endpoints.changeCard, { body }, key)).data.status).toBe('renewing');
    shop.clock.advance(61 * 60_000);
    await renewDue(shop.deps);
    expect((await ana.row()).status).toBe('renewing');
    expect(await ana.told()).toEqual(['notice', 'refused']);
  });
});

describe('a shop that was away', () => {
  it('for weeks tells of a charge anew, and a day before', async () => {
    const ana = await aRenewing(shop);
    await advanceDays(shop, 23);
    shop.clock.advance(30 * day);
    await renewDue(shop.deps);
    expect(await ana.told()).toEqual(['notice', 'notice']);
    expect(await ana.charges()).toEqual([]);
    await advanceDays(shop, 1.25);
    expect(await ana.charges()).toHaveLength(1);
    expect(await ana.told()).toEqual(['notice', 'notice']);
  });
});

describe('days that a renewal has not heard of', () => {
  it('are lived before it charges', async () => {
    const ana = await aRenewing(shop);
    const { paid } = await ana.access();
    await shop.db
      .update(users)
      .set({ expiredTime: paid + 30 * day })
      .where(eq(users.uid, ana.uid));
    await advanceDays(shop, 40);
    expect(await ana.charges()).toEqual([]);
    expect(await ana.row()).toMatchObject({ paidUntil: paid + 30 * day, nextChargeAt: paid + 29 * day });
  });

  it('and are taken back while a card is refused shorten the access on credit', async () => {
    const ana = await aRenewing(shop, { card: aCard('4000000000003014') });
    await ana.pay();
    await advanceDays(shop, 59.25);
    expect((await ana.row()).status).toBe('pastDue');
    const [, byHand = ''] = await keysOf(ana, 'hand');
    await sendNotice(shop, aNotice(byHand, { event: 'refund', stage: 'succeeded' }));
    const { paid, grace } = await ana.access();
    expect(paid).toBe(shop.clock.now);
    expect(grace).toBe(paid + 7 * day);
    await advanceDays(shop, 8);
    expect((await ana.row()).status).toBe('ended');
  });
});

describe('days that are taken back while a charge is on its way', () => {
  it('are not counted when it is refused after all', async () => {
    const ana = await aRenewing(shop, { card: aCard('4000000000002024') });
    await advanceDays(shop, 29);
    const [charge = ''] = await keysOf(ana, 'renewal');
    await ana.pay();
    const byHand = (await keysOf(ana, 'hand')).at(-1) ?? '';
    await sendNotice(shop, aNotice(byHand, { event: 'refund', stage: 'succeeded' }));
    const { paid } = await ana.access();
    await sendNotice(shop, aNotice(charge, { status: 'declined', declineCode: 301 }));
    expect(await ana.row()).toMatchObject({ status: 'pastDue', paidUntil: paid });
    expect(await ana.access()).toEqual({ paid, grace: paid + 7 * day });
    expect(await ana.told()).toEqual(['notice', 'refused']);
  });
});

describe('an order that changes while it is tried again', () => {
  it('is waited for, and no second one is made beside it', async () => {
    const ana = await aRenewing(shop, { card: aCard('4000000000004012') });
    await advanceDays(shop, 29);
    expect(await ana.told()).toEqual(['notice', 'confirm']);
    // a try by hand comes and fails in the moment in which the job writes its own
    await shop.db.execute(sql`create function fail_order() returns trigger language plpgsql as $$
      begin update orders set status = 'PAYMENT_FAILED' where order_id = new.order_id; return null; end $$`);
    await shop.db.execute(
      sql`create trigger fail_order after insert on attempts for each row execute function fail_order()`,
    );
    await advanceDays(shop, 1);
    await shop.db.execute(sql`drop trigger fail_order on attempts`);
    expect(await ana.row()).toMatchObject({ period: 1, orderId: (await ana.charges())[0]?.orderId });
    await advanceDays(shop, 1);
    expect(await ana.charges()).toHaveLength(1);
    expect(await ana.told()).toEqual(['notice', 'confirm', 'confirm']);
  });
});

describe('whoever leaves', () => {
  it('lets nothing renew by money that comes after they have asked', async () => {
    const ana = await shop.buyer();
    const payer = { firstName: 'LOSTANSWER', lastName: 'Lima', document: '52998224725', phone: '11987654321' };
    const asked = await ana.pay({ renew: true, payer });
    expect(asked.data.status).toBe('SUBMITTED');
    await leave(ana.uid);
    shop.clock.advance(60_000);
    await reconcile(shop.deps);
    const [user] = await shop.db.select().from(users).where(eq(users.uid, ana.uid));
    expect(user?.expiredTime).toBe(shop.clock.now + 30 * day);
    expect(await shop.db.select().from(subscriptions).where(eq(subscriptions.uid, ana.uid))).toEqual([]);
  });

  it('is charged nothing, should a renewal be on all the same', async () => {
    const ana = await aRenewing(shop);
    await advanceDays(shop, 28);
    await shop.db
      .update(users)
      .set({ leavesAt: shop.clock.now + 7 * day })
      .where(eq(users.uid, ana.uid));
    await advanceDays(shop, 1.5);
    expect(await ana.charges()).toEqual([]);
    expect((await ana.row()).status).toBe('off');
  });

  it('leaves no card behind that its network exchanges in the last moment', async () => {
    const ana = await aRenewing(shop);
    const card = { token: 'new-one', brand: 'visa', last4: '2058', expiryMonth: 12, expiryYear: 2033, codeDigits: 3 };
    const charged = { brand: 'lumen', uid: ana.uid, gateway: 'sandbox', methodCode: 'card', cardId: 'gone' };
    expect(await replaceCard(shop.deps, charged, card)).toBeNull();
    const left = await shop.db.select().from(cardsToForget).where(eq(cardsToForget.token, 'new-one'));
    expect(left).toMatchObject([{ gateway: 'sandbox' }]);
  });
});
