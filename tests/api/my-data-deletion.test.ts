import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { cardsToForget, savedCards } from '#server/db/schema/cards.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { deleteAccounts } from '#server/jobs/delete-accounts.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { ownerOf, personalTables } from '#server/account/my-data/personal-tables.ts';
import { aTvDevice } from '#tests/builders/a-tv-device.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { putPasskey } from '#tests/builders/a-passkey.ts';
import { aShop, byPix, type Shop } from '#tests/builders/a-shop.ts';
import { accountDeletion, weekMs } from '#tests/builders/a-deletion.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await aShop();
});
afterEach(() => shop.close());

const { leave, stateOf, infoOf, rowOf, logIn, subjects, pay, repay, pass, aRenewal, keyed } = accountDeletion(
  () => shop,
);

describe('requesting the deletion', () => {
  it('requires the password again, shows what is lost, and notifies the customer by email', async () => {
    const ana = await shop.customer();
    await pay(ana);
    expect(await stateOf(ana)).toMatchObject({ leavesAt: null, cards: 1, orders: 1, openOrders: 0, keptYears: 10 });
    const leavesAt = shop.clock.now + weekMs;
    expect((await leave(ana)).data).toEqual({ leavesAt });
    expect((await stateOf(ana)).leavesAt).toBe(leavesAt);
    expect(await subjects(ana.account)).toContain('Your Lumen account will be deleted on November 28, 2026');
    shop.clock.advance(1000);
    expect((await leave(ana)).data).toEqual({ leavesAt });
    const mails = await subjects(ana.account);
    expect(mails.filter((subject) => subject.includes('will be deleted'))).toHaveLength(1);
  });

  it('refuses a session without a confirmation, and the same confirmation twice', async () => {
    const { token, password } = await shop.customer();
    const requestWith = (confirmation: string) =>
      shop.request(endpoints.requestDeletion, { body: { confirmation } }, { token });
    expect((await requestWith('x'.repeat(60))).errCode).toBe(-3034);
    const body = { purpose: 'deletion', password } as const;
    const { confirmation } = (await shop.request(endpoints.confirmOwner, { body }, { token })).data;
    expect((await requestWith(confirmation)).code).toBe(0);
    expect((await requestWith(confirmation)).errCode).toBe(-3034);
  });

  it('leaves a week in which the customer can log in, watch and cancel it, but not buy', async () => {
    const ana = await shop.customer();
    const { orderId } = (await pay(ana, byPix)).data;
    expect(await infoOf(ana)).toMatchObject({ leavesAt: null });
    await leave(ana);
    // The home and account pages show the date and offer no plans.
    expect(await infoOf(ana)).toMatchObject({ leavesAt: shop.clock.now + weekMs });
    expect((await logIn(ana)).code).toBe(0);
    expect((await pay(ana)).errCode).toBe(4599);
    expect((await repay(ana, orderId)).errCode).toBe(4599);
    expect(await pass(weekMs - 1)).toBe(0);
    await shop.request(endpoints.keepAccount, { body: {} }, { token: ana.token });
    expect((await stateOf(ana)).leavesAt).toBeNull();
    expect(await pass()).toBe(0);
    expect((await rowOf(ana))?.account).toBe(ana.account);
    expect((await pay({ token: (await logIn(ana)).data.token })).code).toBe(0);
  });

  it('shows the date wherever plans are sold, and refuses a renewal and its card', async () => {
    const ana = await shop.customer();
    const { token } = ana;
    const shownDates = async () => ({
      tip: (await shop.request(endpoints.paymentTip, { query: { planId: '101' } }, { token })).data.leavesAt,
      plans: (await shop.request(endpoints.listPlans, { query: { language: 'en', mine: '1' } }, { token })).data
        .leavesAt,
    });
    expect(await shownDates()).toEqual({ tip: null, plans: null });
    await pay(ana);
    const { terms } = (await shop.request(endpoints.renewInfo, {}, { token })).data;
    await leave(ana);
    const leavesAt = shop.clock.now + weekMs;
    expect(await shownDates()).toEqual({ tip: leavesAt, plans: leavesAt });
    // The public list contains no data of an account.
    const all = await shop.request(endpoints.listPlans, { query: { language: 'en' } }, { token });
    expect(all.data).not.toHaveProperty('leavesAt');
    const [card] = (await shop.request(endpoints.listCard, { body: {} }, { token })).data;
    const { cardId = '' } = card ?? {};
    const on = { status: 'on', cardId, price: terms.price } as const;
    expect((await shop.request(endpoints.updateRenewStatus, { body: on }, { token })).errCode).toBe(4599);
    expect((await shop.request(endpoints.changeCard, { body: { cardId } }, keyed(ana))).errCode).toBe(4599);
    const page = { methodCode: 'card', currency: 'BRL', purpose: 'turnOn' } as const;
    expect((await shop.request(endpoints.openCardPage, { body: page }, keyed(ana))).errCode).toBe(4599);
    await shop.request(endpoints.keepAccount, { body: {} }, { token });
    expect((await shop.request(endpoints.updateRenewStatus, { body: on }, { token })).code).toBe(0);
  });

  it('ends the renewal at once', async () => {
    const ana = await shop.customer();
    await shop.db.insert(subscriptions).values(aRenewal(ana));
    expect((await stateOf(ana)).renews).toBe(true);
    await leave(ana);
    const [row] = await shop.db.select().from(subscriptions);
    expect(row).toMatchObject({ status: 'off', dueAt: null, nextChargeAt: null });
    expect((await stateOf(ana)).renews).toBe(false);
  });
});

describe('the deletion after a week', () => {
  it('removes all data of the customer, except tax records without a name', async () => {
    const ana = await shop.customer();
    await putPasskey(shop, ana);
    await pay(ana);
    await logIn({ ...ana, password: 'wrong-password' });
    const before = await rowOf(ana);
    if (!before) throw new Error('no customer');
    const owner = ownerOf(before);
    await leave(ana);
    expect(await pass()).toBeGreaterThan(0);
    for (const [name, { table, isOwnedBy, atEnd }] of Object.entries(personalTables)) {
      const remaining = await shop.db.select().from(table).where(isOwnedBy(owner));
      const goodbye = name === 'mailsThatWait' ? 1 : 0;
      if (atEnd === 'removed') expect({ name, remaining: remaining.length }).toEqual({ name, remaining: goodbye });
    }
    expect(await shop.db.select().from(orders).where(eq(orders.uid, ana.uid))).toHaveLength(1);
    expect(await shop.db.select().from(ledger)).toHaveLength(1);
    const after = await rowOf(ana);
    expect(after).toMatchObject({ userType: 'DELETED', email: null, passwordHash: null, nickname: '', planId: null });
    expect(JSON.stringify(after)).not.toContain(ana.account);
    expect(await subjects(ana.account)).toEqual(['Your Lumen account has been deleted']);
  });

  it('ends all sessions, set-top boxes and logins, and frees the name for a new account', async () => {
    const ana = await shop.customer();
    const { deviceCode, userCode } = await aTvDevice(shop).codes();
    await shop.request(endpoints.deviceConfirm, { body: { userCode, approve: true } }, { token: ana.token });
    await leave(ana);
    await pass();
    expect((await shop.request(endpoints.queryUrv, {}, { token: ana.token })).errCode).toBe(21);
    expect((await aTvDevice(shop).poll(deviceCode)).body['access_token']).toBeUndefined();
    expect((await logIn(ana)).errCode).toBe(3001);
    const again = await shop.customer({ account: ana.account });
    expect(again.uid).not.toBe(ana.uid);
    expect((await stateOf(again)).orders).toBe(0);
  });

  it('deletes saved cards at their gateway, and retries until it is done', async () => {
    const ana = await shop.customer();
    await pay(ana);
    await leave(ana);
    const { sandbox } = shop.deps.gateways;
    if (!sandbox) throw new Error('no gateway');
    const removed: string[] = [];
    const removeStoredCard = async (token: string) => {
      removed.push(token);
      return removed.length > 1 && (await sandbox.removeStoredCard?.(token)) === true;
    };
    const deps = { ...shop.deps, gateways: { ...shop.deps.gateways, sandbox: { ...sandbox, removeStoredCard } } };
    shop.clock.advance(weekMs);
    await deleteAccounts(deps);
    expect(await shop.db.select().from(savedCards)).toEqual([]);
    expect(await shop.db.select().from(cardsToForget)).toHaveLength(1);
    expect((await rowOf(ana))?.userType).toBe('DELETED');
    await deleteAccounts(deps);
    expect(removed).toHaveLength(1);
    shop.clock.advance(10 * 60_000);
    await deleteAccounts(deps);
    expect(removed).toHaveLength(2);
    expect(await shop.db.select().from(cardsToForget)).toEqual([]);
  });

  it('refunds a late payment for an order of the deleted customer', async () => {
    const ana = await shop.customer();
    const { orderId, next } = (await pay(ana, byPix)).data;
    await leave(ana);
    await pass();
    await shop.press((next.type === 'qr' && next.bankUrl) || '', 'pay-late');
    await shop.deliver(300);
    const books = () => shop.db.select().from(ledger).where(eq(ledger.orderId, orderId));
    const [capture] = await books();
    expect(capture?.kind).toBe('capture');
    expect((await rowOf(ana))?.expiredTime).toBeNull();
    expect(await refundDuplicates(shop.deps)).toBe(1);
    expect((await books()).map(({ amount }) => amount).reduce((sum, one) => sum + one, 0)).toBe(0);
  });

  it('waits for a renewal that is being charged', async () => {
    const ana = await shop.customer();
    await leave(ana);
    await shop.db.insert(subscriptions).values({ ...aRenewal(ana), status: 'renewing' });
    await pass();
    expect((await rowOf(ana))?.userType).toBe('MEMBER');
    await shop.db.update(subscriptions).set({ status: 'off' });
    await pass(10 * 60_000);
    expect((await rowOf(ana))?.userType).toBe('DELETED');
  });

  it('is done once by several processes', async () => {
    const ana = await shop.customer();
    await leave(ana);
    shop.clock.advance(weekMs);
    const done = await Promise.all([deleteAccounts(shop.deps), deleteAccounts(shop.deps), deleteAccounts(shop.deps)]);
    expect(done.reduce((sum, one) => sum + one, 0)).toBe(1);
  });
});

describe('the deletion of tax records after years', () => {
  it('removes the orders and their user row', async () => {
    const ana = await shop.customer();
    const eva = await shop.customer();
    await anOrder(shop.db, eva, { status: 'PAYMENT_SUCCEEDED' });
    await pay(ana);
    await leave(ana);
    await pass();
    await pass(9 * 365 * 86_400_000);
    expect(await rowOf(ana)).toBeDefined();
    await pass(370 * 86_400_000);
    expect(await rowOf(ana)).toBeUndefined();
    expect(
      await shop.db
        .select()
        .from(orders)
        .where(and(eq(orders.uid, ana.uid))),
    ).toEqual([]);
    expect(await shop.db.select().from(ledger)).toEqual([]);
    expect(await shop.db.select().from(orders)).toHaveLength(1);
  });
});
