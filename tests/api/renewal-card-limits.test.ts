import { and, eq, like } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import type { Database } from '#server/db/connect.ts';
import { paymentMethods } from '#server/db/schema/brands.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { throttles } from '#server/db/schema/sign-in.ts';
import { aRenewing, clearRenewals, advanceDays, type Renewing } from '#tests/builders/a-renewal.ts';
import { aCard, aShop, type Shop } from '#tests/builders/a-shop.ts';

type Transaction = Database['transaction'];

let shop: Shop;
/** the replacements of the next transactions, in order */
let transactionOverrides: ((run: () => Promise<unknown>) => Promise<unknown>)[] = [];
beforeAll(async () => {
  shop = await aShop(undefined, {
    deps: ({ db }) => {
      const transaction = (async (work, config) => {
        const run = () => db.transaction(work, config);
        const act = transactionOverrides.shift();
        return act ? act(run) : run();
      }) as Transaction; // as: transaction() returns the result of its callback
      return { db: Object.assign(Object.create(db) as Database, { transaction }) }; // as: the same object except for one method
    },
  });
});
afterEach(async () => {
  transactionOverrides = [];
  await clearRenewals(shop);
});
afterAll(() => shop.close());

const refusedNumber = '4000000000003022';

/** A customer whose card was declined at the end of the month. */
async function pastDue(): Promise<Renewing> {
  const ana = await aRenewing(shop, { card: aCard(refusedNumber) });
  await advanceDays(shop, 29);
  expect((await ana.info()).status).toBe('pastDue');
  return ana;
}

const keyed = (ana: Renewing) => ({ ...ana, idempotencyKey: crypto.randomUUID() });
const changeToSavedCard = (ana: Renewing, cardId: string) =>
  shop.request(endpoints.changeCard, { body: { cardId } }, keyed(ana));
const changeToNewCard = (ana: Renewing, number: string) =>
  shop.request(endpoints.changeCard, { body: { methodCode: 'card', card: aCard(number), payer: {} } }, keyed(ana));
const ownCardId = async (ana: Renewing) => (await ana.row()).cardId ?? '';

async function counted(pattern: string): Promise<number> {
  const rows = await shop.db.select().from(throttles).where(like(throttles.key, pattern));
  return rows.reduce((sum, { count }) => sum + count, 0);
}
const declinesOf = ({ uid }: Renewing) => counted(`declines lumen ${uid}`);
const cardsOf = ({ uid }: Renewing) => counted(`cards lumen ${uid}`);
const declinesOfCard = (cardId: string) => counted(`declines of card lumen saved ${cardId}`);

describe('changing the card of a past-due renewal', () => {
  it('counts no decline for the card of another customer', async () => {
    const [ana, eva] = [await pastDue(), await aRenewing(shop)];
    const otherCardId = await ownCardId(eva);
    for (let n = 0; n < 12; n += 1) expect((await changeToSavedCard(ana, otherCardId)).errCode).toBe(1020);
    expect([await declinesOf(ana), await declinesOfCard(otherCardId), await cardsOf(ana)]).toEqual([0, 0, 0]);
  });

  it('counts no decline for an expired card or a card of another provider', async () => {
    const ana = await pastDue();
    const cardId = await ownCardId(ana);
    const own = eq(savedCards.cardId, cardId);
    await shop.db.update(savedCards).set({ expiryYear: 2025 }).where(own);
    const expired = await changeToSavedCard(ana, cardId);
    expect([expired.errCode, expired.params.declineCode]).toEqual([2002, 309]);
    await shop.db.update(savedCards).set({ expiryYear: 2030 }).where(own);
    const moveTo = async (gateway: string) => {
      const card = and(eq(paymentMethods.brand, 'lumen'), eq(paymentMethods.code, 'card'));
      await shop.db.update(paymentMethods).set({ gateway }).where(card);
      await shop.deps.catalog.refresh();
    };
    await moveTo('useepay');
    expect((await changeToSavedCard(ana, cardId)).errCode).toBe(-2502);
    await moveTo('sandbox');
    expect([await declinesOf(ana), await declinesOfCard(cardId), await cardsOf(ana)]).toEqual([0, 0, 0]);
  });

  it('counts a decline once per customer and card, and a new card as one card of the hour', async () => {
    const ana = await pastDue();
    expect((await changeToNewCard(ana, refusedNumber)).data.status).toBe('pastDue');
    expect([await declinesOf(ana), await declinesOfCard(await ownCardId(ana)), await cardsOf(ana)]).toEqual([1, 1, 1]);
    expect((await changeToNewCard(ana, '5555555555554444')).data.status).toBe('on');
    expect([await declinesOf(ana), await declinesOfCard(await ownCardId(ana)), await cardsOf(ana)]).toEqual([0, 0, 2]);
  });

  it('counts no decline if the database fails before the card is stored', async () => {
    const ana = await pastDue();
    const cardId = await ownCardId(ana);
    transactionOverrides = [() => Promise.reject(new Error('the connection is lost'))];
    expect((await changeToSavedCard(ana, cardId)).status).toBe(500);
    expect([await declinesOf(ana), await declinesOfCard(cardId)]).toEqual([0, 0]);
  });

  it('counts a decline if the connection fails at the commit, because the job charges what was committed', async () => {
    const ana = await pastDue();
    const cardId = await ownCardId(ana);
    transactionOverrides = [(run) => run().then(() => Promise.reject(new Error('the connection is lost')))];
    expect((await changeToSavedCard(ana, cardId)).status).toBe(500);
    expect([await declinesOf(ana), await declinesOfCard(cardId)]).toEqual([1, 1]);
  });

  it('counts a decline if the charge is stored and its outcome is unknown', async () => {
    const ana = await pastDue();
    const cardId = await ownCardId(ana);
    const failAfterCommit = () => Promise.reject(new Error('the connection is lost'));
    transactionOverrides = [(run) => run(), (run) => run().then(failAfterCommit)];
    expect((await changeToSavedCard(ana, cardId)).status).toBe(500);
    expect((await ana.info()).status).toBe('renewing');
    expect([await declinesOf(ana), await declinesOfCard(cardId)]).toEqual([1, 1]);
  });

  it('counts a decline if the bank does not answer', async () => {
    const ana = await pastDue();
    expect((await changeToNewCard(ana, '4000000000005035')).data.status).toBe('renewing');
    expect([await declinesOf(ana), await declinesOfCard(await ownCardId(ana))]).toEqual([1, 1]);
  });

  it('counts no decline while the customer pays manually, because no card is charged', async () => {
    const ana = await pastDue();
    const [order] = await ana.charges();
    shop.clock.advance(1000);
    expect((await ana.repay(order?.orderId ?? '', { methodCode: 'pix', card: undefined })).data.next.type).toBe('qr');
    const cardId = await ownCardId(ana);
    expect((await changeToSavedCard(ana, cardId)).data.status).toBe('pastDue');
    expect([await declinesOf(ana), await declinesOfCard(cardId)]).toEqual([0, 0]);
  });
});
