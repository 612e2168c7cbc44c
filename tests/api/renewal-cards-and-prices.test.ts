import { and, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { paymentMethods, plans } from '#server/db/schema/brands.ts';
import { endRenewal } from '#server/billing/subscriptions/record-refusal.ts';
import { aRenewing, day, clearRenewals, advanceDays, withRenewal, type Renewing } from '#tests/builders/a-renewal.ts';
import { aCard, aShop, type Shop } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterEach(async () => {
  await clearRenewals(shop);
  await setPrice(1990);
});
afterAll(() => shop.close());

const cards = async (ana: Renewing) => (await shop.request(endpoints.listCard, { body: {} }, ana)).data;
const deleteCard = (ana: Renewing, cardId: string) => shop.request(endpoints.deleteCard, { body: { cardId } }, ana);
const changeToSavedCard = (ana: Renewing, cardId: string) =>
  shop.request(endpoints.changeCard, { body: { cardId } }, { ...ana, idempotencyKey: crypto.randomUUID() });
const changeToNewCard = (
  ana: Renewing,
  card: ReturnType<typeof aCard>,
  methodCode = 'card',
  key: string = crypto.randomUUID(),
) => shop.request(endpoints.changeCard, { body: { methodCode, card, payer: {} } }, { ...ana, idempotencyKey: key });
const inReais = (amount: number) => ({ amount, currency: 'BRL' });

async function setPrice(amount: number): Promise<void> {
  const month = and(eq(plans.brand, 'lumen'), eq(plans.id, '101'));
  await shop.db
    .update(plans)
    .set({ prices: { BRL: amount, USD: 399 } })
    .where(month);
  await shop.deps.catalog.refresh();
}

describe('changing the card provider', () => {
  const moveTo = async (gateway: string) => {
    const card = and(eq(paymentMethods.brand, 'lumen'), eq(paymentMethods.code, 'card'));
    await shop.db.update(paymentMethods).set({ gateway }).where(card);
    await shop.deps.catalog.refresh();
  };
  afterEach(() => moveTo('sandbox'));

  it('hides the cards of the previous provider, and asks customers with a renewal for a new card in time', async () => {
    const ana = await aRenewing(shop);
    const [old] = await cards(ana);
    expect(await ana.info()).toMatchObject({ cardLeft: false });
    await moveTo('useepay');
    expect(await cards(ana)).toMatchObject([{ usable: false }]);
    expect(await ana.info()).toMatchObject({ status: 'on', card: { last4: '4242' }, cardLeft: true });
    expect((await changeToSavedCard(ana, old?.cardId ?? '')).errCode).toBe(-2502);
    await advanceDays(shop, 28);
    // both at the same time, in any order
    expect((await ana.told()).toSorted()).toEqual(['cardLeft', 'notice']);
    expect(await ana.mail('cardLeft')).toContain('we now use another payment provider');
    expect((await changeToNewCard(ana, aCard('5555555555554444'))).data).toMatchObject({
      status: 'on',
      card: { last4: '4444' },
      cardLeft: false,
    });
    expect((await cards(ana)).map(({ last4, usable }) => [last4, usable])).toEqual([
      ['4444', true],
      ['4242', false],
    ]);
    await advanceDays(shop, 4);
    expect((await ana.charges()).map(({ status }) => status)).toEqual(['PAYMENT_SUCCEEDED']);
  });
});

describe('the card of a renewal', () => {
  it('cannot be deleted until another card replaces it', async () => {
    const ana = await aRenewing(shop);
    const [first] = await cards(ana);
    expect((await deleteCard(ana, first?.cardId ?? '')).errCode).toBe(1021);
    const changed = await changeToNewCard(ana, aCard('5555555555554444'));
    expect(changed.data).toMatchObject({ status: 'on', card: { last4: '4444' } });
    expect((await deleteCard(ana, first?.cardId ?? '')).code).toBe(0);
    expect((await cards(ana)).map(({ last4 }) => last4)).toEqual(['4444']);
  });

  it('can be deleted once the renewal is off', async () => {
    const ana = await aRenewing(shop);
    await shop.request(endpoints.updateRenewStatus, { body: { status: 'off' } }, ana);
    const [first] = await cards(ana);
    expect((await deleteCard(ana, first?.cardId ?? '')).code).toBe(0);
    expect(await ana.info()).toMatchObject({ status: 'off', card: null });
    const on = await shop.request(endpoints.updateRenewStatus, { body: { status: 'on', price: inReais(1990) } }, ana);
    expect(on.errCode).toBe(6206);
  });

  it('is replaced by a saved card, which is charged for the next period but not for the change', async () => {
    const ana = await aRenewing(shop);
    await ana.pay({ card: { ...aCard('5555555555554444'), save: true } });
    const other = (await cards(ana)).find(({ last4 }) => last4 === '4444');
    const before = (await shop.books()).charges.length;
    expect((await changeToSavedCard(ana, other?.cardId ?? '')).data.card).toMatchObject({ last4: '4444' });
    expect((await shop.books()).charges).toHaveLength(before);
    await advanceDays(shop, 60);
    expect((await ana.info()).history).toMatchObject([{ last4: '4444' }]);
  });

  it('cannot be the card of another customer', async () => {
    const ana = await aRenewing(shop);
    const eva = await aRenewing(shop);
    const [otherCard] = await cards(eva);
    expect((await changeToSavedCard(ana, otherCard?.cardId ?? '')).errCode).toBe(1020);
    expect((await ana.info()).card).toEqual((await cards(ana))[0]);
  });

  it.each([
    { what: 'is refused by its bank', card: aCard('4000000000009995'), declineCode: 302 },
    { what: 'has a wrong number', card: aCard('4242424242424241'), declineCode: 314 },
    { what: 'has expired', card: { ...aCard(), expiry: '01/25' }, declineCode: 309 },
    { what: 'cannot be verified now', card: { ...aCard(), holderFirstName: 'OUTAGE' }, declineCode: undefined },
  ])('stays if the new one $what', async ({ card, declineCode }) => {
    const ana = await aRenewing(shop);
    const refused = await changeToNewCard(ana, card);
    expect([refused.errCode, refused.params.declineCode]).toEqual([2002, declineCode]);
    expect((await ana.info()).card).toMatchObject({ last4: '4242' });
    expect(await cards(ana)).toHaveLength(1);
  });

  it('is saved once, however often the change is sent', async () => {
    const ana = await aRenewing(shop);
    const key = crypto.randomUUID();
    await Promise.all([
      changeToNewCard(ana, aCard('5555555555554444'), 'card', key),
      changeToNewCard(ana, aCard('5555555555554444'), 'card', key),
    ]);
    expect(await cards(ana)).toHaveLength(2);
  });

  it('cannot be changed to another method, without a renewal, or during a charge', async () => {
    const ana = await aRenewing(shop, { card: aCard('4000000000002024') });
    expect((await changeToNewCard(ana, aCard(), 'pix')).errCode).toBe(-2502);
    expect((await changeToNewCard(ana, { ...aCard(), expiry: '13/30' })).errCode).toBe(-2400);
    await advanceDays(shop, 29);
    expect((await changeToNewCard(ana, aCard())).errCode).toBe(6207);
    const eva = await withRenewal(shop, await shop.buyer());
    expect((await changeToNewCard(eva, aCard())).errCode).toBe(6201);
  });
});

describe('a plan whose price rises', () => {
  it('requires consent, is not charged without it, and ends with the paid days', async () => {
    const ana = await aRenewing(shop);
    const { paid: ends } = await ana.access();
    await setPrice(2490);
    await advanceDays(shop, 23);
    expect(await ana.told()).toEqual(['asks']);
    expect(await ana.mail('asks')).toMatch(/19\.90[\s\S]*24\.90/);
    expect(await ana.info()).toMatchObject({ status: 'on', asks: inReais(2490), terms: { price: inReais(1990) } });
    await advanceDays(shop, 8);
    expect(await ana.charges()).toEqual([]);
    expect(await ana.info()).toMatchObject({ status: 'ended', endsAt: ends, graceUntil: null });
    expect(await ana.told()).toEqual(['asks', 'ended']);
  });

  it('is charged at exactly the price that the customer has accepted', async () => {
    const ana = await aRenewing(shop);
    const { paid: ends } = await ana.access();
    await setPrice(2490);
    await advanceDays(shop, 23);
    const accept = (amount: number) =>
      shop.request(endpoints.updateRenewStatus, { body: { status: 'on', price: inReais(amount) } }, ana);
    expect((await accept(1990)).params.newTotal).toEqual(inReais(2490));
    expect((await accept(2490)).data).toMatchObject({ status: 'on', asks: null, terms: { price: inReais(2490) } });
    await advanceDays(shop, 7);
    expect(await ana.charges()).toMatchObject([{ total: 2490, status: 'PAYMENT_SUCCEEDED' }]);
    expect(await ana.access()).toMatchObject({ paid: ends + 30 * day });
  });

  it('is charged before it ends if the customer accepts in the last hours', async () => {
    const ana = await aRenewing(shop);
    const { paid: ends } = await ana.access();
    await setPrice(2490);
    await advanceDays(shop, 29.5);
    await shop.request(endpoints.updateRenewStatus, { body: { status: 'on', price: inReais(2490) } }, ana);
    await advanceDays(shop, 0.25);
    expect(await ana.access()).toEqual({ paid: ends + 30 * day, grace: null });
  });

  it('asks again after another rise, and sends the ordinary notice if the old price returns', async () => {
    const ana = await aRenewing(shop);
    await setPrice(2490);
    await advanceDays(shop, 23);
    await setPrice(2990);
    await advanceDays(shop, 6);
    expect(await ana.told()).toEqual(['asks', 'asks']);
    await setPrice(1990);
    await advanceDays(shop, 1);
    expect(await ana.told()).toEqual(['asks', 'asks', 'notice']);
    await advanceDays(shop, 1);
    expect(await ana.charges()).toMatchObject([{ total: 1990, status: 'PAYMENT_SUCCEEDED' }]);
  });

  it('is charged at a lower price without consent', async () => {
    const ana = await aRenewing(shop);
    await setPrice(1490);
    await advanceDays(shop, 30);
    expect(await ana.told()).toEqual(['notice']);
    expect(await ana.mail('notice')).toContain('14.90');
    expect(await ana.charges()).toMatchObject([{ total: 1490 }]);
  });
});

describe('a deleted account', () => {
  it('is neither charged nor notified', async () => {
    const ana = await aRenewing(shop);
    await shop.db.transaction((tx) => endRenewal(tx, { brand: 'lumen', uid: ana.uid }, shop.deps));
    await advanceDays(shop, 31);
    expect(await ana.charges()).toEqual([]);
    expect(await ana.told()).toEqual([]);
    expect(await ana.row()).toMatchObject({ status: 'off', cardId: null, dueAt: null });
  });
});
