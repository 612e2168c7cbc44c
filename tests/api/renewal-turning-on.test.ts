import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { brands, plans } from '#server/db/schema/brands.ts';
import { aCoupon } from '#tests/builders/a-coupon.ts';
import { aRenewing, day, clearRenewals, advanceDays, withRenewal } from '#tests/builders/a-renewal.ts';
import { aCard, aShop, byPix, type Buyer, type Shop } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterEach(() => clearRenewals(shop));
afterAll(() => shop.close());

const price = (methodCode: string, planId = '101') => ({ planId, methodCode, currency: 'BRL' });
const quoteFor = async (ana: Buyer, body: ReturnType<typeof price> & { discountCode?: string }) =>
  (await shop.request(endpoints.goodsValuation, { body }, ana)).data;
const cardOf = async (ana: Buyer) => (await shop.request(endpoints.listCard, { body: {} }, ana)).data[0];
type On = Omit<Parameters<typeof shop.request<typeof endpoints.updateRenewStatus>>[1]['body'], 'status'>;
const turnOn = (ana: Buyer, body: On, idempotencyKey?: string) =>
  shop.request(endpoints.updateRenewStatus, { body: { status: 'on', ...body } }, { ...ana, idempotencyKey });
const month = { amount: 1990, currency: 'BRL' };

describe('the checkout', () => {
  it('shows the price and date of a renewal without the coupon, and the methods that support it', async () => {
    const ana = await shop.buyer();
    const discountCode = await aCoupon(shop.db);
    const quote = await quoteFor(ana, { ...price('card'), discountCode });
    expect(quote.total.amount).toBe(995);
    expect(quote.renewal).toEqual({ price: month, days: 30, nextChargeAt: quote.expiryAfter - day });
    expect((await quoteFor(ana, price('pix'))).renewal).toBeNull();
    const methods = await shop.request(endpoints.paymentMethods, { body: { planId: '101', currency: 'BRL' } }, ana);
    expect(methods.data.filter(({ renews }) => renews).map(({ code }) => code)).toEqual(['card', 'paypal']);
  });

  it('renews a plan at its regular price, and saves the card for it', async () => {
    const discountCode = await aCoupon(shop.db);
    const ana = await aRenewing(shop, { discountCode });
    expect((await cardOf(ana))?.last4).toBe('4242');
    expect(await ana.info()).toMatchObject({ status: 'on', terms: { price: month } });
    await advanceDays(shop, 30);
    expect(await ana.charges()).toMatchObject([{ total: 1990, discountCode: null, discount: 0 }]);
  });

  it('saves a card for a plan that a coupon pays in full, and refuses a declined card', async () => {
    const discountCode = await aCoupon(shop.db, { value: 100, maxUses: 9 });
    const ana = await aRenewing(shop, { discountCode });
    expect(await ana.info()).toMatchObject({ status: 'on', card: { last4: '4242' } });
    const eva = await shop.buyer();
    const refused = await eva.pay({ discountCode, renew: true, card: aCard('4000000000000002') });
    expect(refused.errCode).toBe(301);
  });

  it('turns the renewal on once the payment succeeds', async () => {
    const ana = await shop.buyer();
    const paid = await ana.pay({ card: aCard('4000002500003155'), renew: true });
    expect((await shop.request(endpoints.renewInfo, {}, ana)).errCode).toBe(6201);
    if (paid.data.next.type !== 'redirect') throw new Error('the bank does not ask');
    await shop.press(new URL(paid.data.next.url).pathname, 'approve');
    await shop.deliver(1000);
    expect((await shop.request(endpoints.renewInfo, {}, ana)).data).toMatchObject({
      status: 'on',
      terms: { price: month },
    });
  });

  it('turns the renewal on only with an attempt that included it', async () => {
    const ana = await shop.buyer();
    const failed = await ana.pay({ card: aCard('4000000000000002'), renew: true });
    await ana.repay(failed.params.orderId ?? '');
    expect((await shop.request(endpoints.renewInfo, {}, ana)).data).toMatchObject({ status: 'off', card: null });
  });

  it.each([
    { what: 'a method that cannot', wish: { ...byPix, renew: true } },
    { what: 'a plan that does not', wish: { planId: '301', renew: true } },
  ])('refuses a renewal for $what', async ({ wish }) => {
    await shop.db.update(plans).set({ renews: false }).where(eq(plans.id, '301'));
    await shop.deps.catalog.refresh();
    const ana = await shop.buyer();
    expect((await ana.pay(wish)).errCode).toBe(4598);
    expect((await shop.books()).orders.filter(({ uid }) => uid === ana.uid)).toEqual([]);
    await shop.db.update(plans).set({ renews: true });
    await shop.deps.catalog.refresh();
  });

  it('offers no renewal if the brand does not', async () => {
    const [lumen] = await shop.db.select().from(brands).where(eq(brands.code, 'lumen'));
    if (!lumen) throw new Error('no brand');
    const { config } = lumen;
    const payment = { ...config.payment, renewal: 'no' as const };
    await shop.db
      .update(brands)
      .set({ config: { ...config, payment } })
      .where(eq(brands.code, 'lumen'));
    await shop.deps.catalog.refresh();
    const ana = await shop.buyer();
    expect((await quoteFor(ana, price('card'))).renewal).toBeNull();
    expect((await ana.pay({ renew: true })).errCode).toBe(4598);
    await ana.pay({ card: { ...aCard(), save: true } });
    expect((await turnOn(ana, { price: month })).errCode).toBe(6201);
    await shop.db.update(brands).set({ config }).where(eq(brands.code, 'lumen'));
    await shop.deps.catalog.refresh();
    expect((await shop.request(endpoints.renewInfo, {}, ana)).data).toMatchObject({ status: 'off', offered: true });
  });
});

describe('the account', () => {
  it('turns the renewal of an existing plan on with a saved card, and it renews in time', async () => {
    const ana = await withRenewal(shop, await shop.buyer());
    await ana.pay({ card: { ...aCard(), save: true } });
    const { paid: ends } = await ana.access();
    const { terms } = await ana.info();
    expect(terms).toMatchObject({ planId: '101', price: month, nextChargeAt: ends - day });
    const card = await cardOf(ana);
    const on = await turnOn(ana, { ...(card && { cardId: card.cardId }), price: terms.price });
    expect(on.data).toMatchObject({ status: 'on', card: { last4: '4242' }, terms: { nextChargeAt: ends - day } });
    await advanceDays(shop, 30);
    expect(await ana.told()).toEqual(['notice']);
    expect(await ana.info()).toMatchObject({ status: 'on', endsAt: ends + 30 * day });
  });

  it('refuses a deleted card, an expired card, and a price other than the shown one', async () => {
    const ana = await withRenewal(shop, await shop.buyer());
    await ana.pay({ card: { ...aCard(), save: true } });
    const cardId = (await cardOf(ana))?.cardId ?? '';
    expect((await turnOn(ana, { cardId: 'nobody', price: month })).errCode).toBe(6206);
    expect((await turnOn(ana, { price: month })).errCode).toBe(6206);
    const other = await turnOn(ana, { cardId, price: { amount: 1000, currency: 'BRL' } });
    expect([other.errCode, other.params.newTotal]).toEqual([1015, month]);
    expect((await turnOn(ana, { cardId })).errCode).toBe(5000);
    const eva = await shop.buyer();
    await eva.pay({ card: { ...aCard(), save: true } });
    const otherCardId = (await cardOf(eva))?.cardId ?? '';
    expect((await turnOn(ana, { cardId: otherCardId, price: month })).errCode).toBe(6206);
  });

  it('accepts a new card, which is verified and saved once, and is charged when the plan renews', async () => {
    const ana = await withRenewal(shop, await shop.buyer());
    await ana.pay();
    const key = crypto.randomUUID();
    const before = (await shop.books()).charges.length;
    const newCard = { methodCode: 'card', card: aCard('5555555555554444'), payer: {} };
    const send = () => turnOn(ana, { newCard, price: month }, key);
    const [on] = await Promise.all([send(), send()]);
    expect(on.data).toMatchObject({ status: 'on', card: { last4: '4444' } });
    expect((await shop.request(endpoints.listCard, { body: {} }, ana)).data).toHaveLength(1);
    expect((await shop.books()).charges).toHaveLength(before);
    await advanceDays(shop, 30);
    expect((await ana.info()).history).toMatchObject([{ status: 'PAYMENT_SUCCEEDED', last4: '4444' }]);
  });

  it('saves no card if the renewal is refused, and reports why the bank declined it', async () => {
    const ana = await withRenewal(shop, await shop.buyer());
    await ana.pay();
    const wish = (card: ReturnType<typeof aCard>, methodCode = 'card') => ({
      newCard: { methodCode, card, payer: {} },
    });
    const other = await turnOn(
      ana,
      { ...wish(aCard()), price: { amount: 1000, currency: 'BRL' } },
      crypto.randomUUID(),
    );
    expect([other.errCode, other.params.newTotal]).toEqual([1015, month]);
    const keyed = (body: ReturnType<typeof wish>) => turnOn(ana, { ...body, price: month }, crypto.randomUUID());
    expect((await keyed(wish(aCard(), 'pix'))).errCode).toBe(-2502);
    const refused = await keyed(wish(aCard('4000000000009995')));
    expect([refused.errCode, refused.params.declineCode]).toEqual([2002, 302]);
    expect((await keyed(wish({ ...aCard(), expiry: '13/30' }))).errCode).toBe(-2400);
    expect(await turnOn(ana, { ...wish(aCard()), price: month })).toMatchObject({
      errCode: 5000,
      params: { field: 'Idempotency-Key' },
    });
    expect((await shop.request(endpoints.listCard, { body: {} }, ana)).data).toEqual([]);
    expect((await ana.info()).status).toBe('off');
  });

  it('has no renewal without a purchase or after the plan has ended', async () => {
    const ana = await withRenewal(shop, await shop.buyer());
    expect((await turnOn(ana, { price: month })).errCode).toBe(6201);
    expect((await shop.request(endpoints.updateRenewStatus, { body: { status: 'off' } }, ana)).errCode).toBe(6201);
    await ana.pay({ card: { ...aCard(), save: true } });
    shop.clock.advance(31 * day);
    expect((await turnOn(ana, { price: month })).errCode).toBe(6201);
  });

  it('charges a renewal of the last hours within an hour, without a notice', async () => {
    const ana = await withRenewal(shop, await shop.buyer());
    await ana.pay({ card: { ...aCard(), save: true } });
    const { paid: ends } = await ana.access();
    shop.clock.advance(30 * day - 5 * 3_600_000);
    const cardId = (await cardOf(ana))?.cardId ?? '';
    const on = await turnOn(ana, { cardId, price: month });
    expect(on.data.terms.nextChargeAt).toBe(shop.clock.now + 3_600_000);
    await advanceDays(shop, 1 / 12, 1);
    expect(await ana.access()).toEqual({ paid: ends + 30 * day, grace: null });
    expect(await ana.told()).toEqual([]);
  });
});
