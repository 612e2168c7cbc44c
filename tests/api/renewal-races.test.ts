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
/** The ids of the attempts, oldest first: of the renewal, or of manual purchases. */
async function keysOf({ uid }: Renewing, by: 'renewal' | 'hand'): Promise<string[]> {
  const tries = await shop.db
    .select({ id: attempts.id, key: attempts.idempotencyKey })
    .from(attempts)
    .innerJoin(orders, eq(orders.orderId, attempts.orderId))
    .where(eq(attempts.uid, uid))
    // two attempts of one millisecond have consecutive periods
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

const leaveShop = (uid: string) =>
  shop.db.transaction(async (tx) => {
    const brand = shop.deps.catalog.byCode('lumen');
    if (!brand) throw new Error('no brand');
    return scheduleDeletion(tx, brand, { brand: 'lumen', uid }, { ...shop.deps, db: tx });
  });

describe('the price of a renewal', () => {
  it('is not higher than in its notice, even if a sale ended since', async () => {
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

describe('a clock that is set back', () => {
  it('between a charge and its decline does not prevent the message to the customer', async () => {
    const ana = await aRenewing(shop, { card: aCard('4000000000002024') });
    await advanceDays(shop, 29);
    const key = (await keysOf(ana, 'renewal')).at(-1) ?? '';
    shop.clock.now -= 30 * hour;
    await sendNotice(shop, aNotice(key, { status: 'declined', declineCode: 301 }));
    expect((await ana.row()).status).toBe('pastDue');
    expect(await ana.told()).toEqual(['notice', 'refused']);
  });

  it('between two attempts does not end the second one because of the first', async () => {
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

describe('after an outage of the server', () => {
  it('for weeks, a renewal is announced again, a day before its charge', async () => {
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

describe('days that a renewal does not know of', () => {
  it('are used before the next charge', async () => {
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

  it('that are refunded while a card is declined shorten the grace period', async () => {
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

describe('days that are refunded during a charge', () => {
  it('are not counted if the charge is declined', async () => {
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

describe('an order that changes during an attempt', () => {
  it('is waited for, and no second order is created', async () => {
    const ana = await aRenewing(shop, { card: aCard('4000000000004012') });
    await advanceDays(shop, 29);
    expect(await ana.told()).toEqual(['notice', 'confirm']);
    // a manual attempt that fails while the job inserts its own attempt
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

describe('an account with a scheduled deletion', () => {
  it('does not start a renewal by a payment that arrives later', async () => {
    const ana = await shop.buyer();
    const payer = { firstName: 'LOSTANSWER', lastName: 'Lima', document: '52998224725', phone: '11987654321' };
    const payment = await ana.pay({ renew: true, payer });
    expect(payment.data.status).toBe('SUBMITTED');
    await leaveShop(ana.uid);
    shop.clock.advance(60_000);
    await reconcile(shop.deps);
    const [user] = await shop.db.select().from(users).where(eq(users.uid, ana.uid));
    expect(user?.expiredTime).toBe(shop.clock.now + 30 * day);
    expect(await shop.db.select().from(subscriptions).where(eq(subscriptions.uid, ana.uid))).toEqual([]);
  });

  it('is not charged, even if a renewal is on', async () => {
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

  it('does not save a replacement card of its network', async () => {
    const ana = await aRenewing(shop);
    const card = { token: 'new-one', brand: 'visa', last4: '2058', expiryMonth: 12, expiryYear: 2033, codeDigits: 3 };
    const charged = { brand: 'lumen', uid: ana.uid, gateway: 'sandbox', methodCode: 'card', cardId: 'gone' };
    expect(await replaceCard(shop.deps, charged, card)).toBeNull();
    const cards = await shop.db.select().from(cardsToForget).where(eq(cardsToForget.token, 'new-one'));
    expect(cards).toMatchObject([{ gateway: 'sandbox' }]);
  });
});
