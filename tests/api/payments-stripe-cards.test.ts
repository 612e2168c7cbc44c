import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { clearRenewals, advanceDays, withRenewal, type Renewing } from '#tests/builders/a-renewal.ts';
import { recordDecline } from '#server/billing/payment-limits.ts';
import { aCoupon } from '#tests/builders/a-coupon.ts';
import type { Buyer } from '#tests/builders/a-shop.ts';
import { aStripeShop, byCard, pageAt, type StripeShop } from '#tests/builders/stripe-shop.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await aStripeShop();
});
afterAll(async () => {
  expect(shop.stripe.problems).toEqual([]);
  await shop.close();
});

const cardsOf = async (ana: Buyer) => (await shop.request(endpoints.listCard, { body: {} }, ana)).data;
const keyed = (ana: Buyer) => ({ ...ana, idempotencyKey: crypto.randomUUID() });
/** the last request to Stripe with this method and path */
const lastRequest = (end: string) =>
  shop.stripe.asked.findLast(({ method, path }) => `${method} ${path}`.endsWith(end));

/** Pays at the page and saves the card. */
async function withCard(wish: { saveCard?: boolean; renew?: boolean } = { saveCard: true }, number?: string) {
  const ana = await shop.buyer();
  const { data } = await ana.pay({ ...byCard, ...wish });
  shop.stripe.payAt(pageAt(data.next), number);
  expect((await shop.back(data)).data.status).toBe('PAYMENT_SUCCEEDED');
  await shop.hear();
  const [card] = await cardsOf(ana);
  return { ana, orderId: data.orderId, cardId: card?.cardId ?? '', card };
}

/** From now on the newest card behaves like the test card with this number. */
function useTestCard(number: string) {
  const card = [...shop.stripe.account.cards.values()].at(-1);
  if (card) card.number = number;
}

describe('a card that is saved at Stripe', () => {
  it('is saved only if the customer has chosen it', async () => {
    const { ana } = await withCard({});
    expect(await cardsOf(ana)).toEqual([]);
    const saved = await withCard();
    expect(saved.card).toMatchObject({
      brand: 'visa',
      last4: '4242',
      expiryMonth: 12,
      expiryYear: 2030,
      expired: false,
    });
  });

  it('is saved once, however often Stripe reports it', async () => {
    const { ana, orderId } = await withCard();
    await shop.deps.gateways['stripe']?.inquire((await shop.tryOf(orderId)).id);
    expect(await cardsOf(ana)).toHaveLength(1);
  });

  it('pays the next time without its security code and without a page', async () => {
    const { ana, cardId } = await withCard();
    const { data } = await ana.pay({ ...byCard, cardId });
    expect(data).toMatchObject({ status: 'PAYMENT_SUCCEEDED', next: { type: 'none' } });
    expect(lastRequest('POST /v1/payment_intents')?.form).not.toHaveProperty('off_session');
    expect(await ana.pay({ ...byCard, cardId, cardCode: '123' })).toMatchObject({ params: { field: 'cardCode' } });
  });

  it('that requires authentication redirects to the bank, and pays when the customer returns', async () => {
    const { ana, cardId } = await withCard();
    useTestCard('4000002760003184');
    const { data } = await ana.pay({ ...byCard, cardId });
    expect(pageAt(data.next)).toContain('3d_secure');
    shop.stripe.answerBank((await shop.tryOf(data.orderId)).id, true);
    expect((await shop.back(data)).data.status).toBe('PAYMENT_SUCCEEDED');
  });

  it('fails if the customer does not authenticate', async () => {
    const { ana, cardId } = await withCard();
    useTestCard('4000002760003184');
    const { data } = await ana.pay({ ...byCard, cardId });
    shop.stripe.answerBank((await shop.tryOf(data.orderId)).id, false);
    expect((await shop.back(data)).data).toMatchObject({ status: 'PAYMENT_FAILED', failureCode: 5015 });
    await shop.hear();
  });

  it.each([
    ['4000000000009995', 302],
    ['4000000000000069', 309],
    ['4000000000000127', 315],
    ['4000000000009987', 301],
    ['4000000000000119', 2003],
    ['4000000000000002', 5015],
  ])('that is declined as %s reports %i', async (number, code) => {
    const { ana, cardId } = await withCard();
    useTestCard(number);
    expect((await ana.pay({ ...byCard, cardId })).errCode).toBe(code);
  });

  it('of another customer pays nothing', async () => {
    const { cardId } = await withCard();
    const other = await shop.buyer();
    expect((await other.pay({ ...byCard, cardId })).errCode).toBe(-2511);
  });

  it('is removed at Stripe too, also if the removal is repeated', async () => {
    const { ana, cardId } = await withCard();
    const stored = [...shop.stripe.account.cards.values()].at(-1);
    const token = `${stored?.customer}:${stored?.id}`;
    expect((await shop.request(endpoints.deleteCard, { body: { cardId } }, ana)).code).toBe(0);
    expect(stored?.customer).toBeNull();
    expect(await shop.deps.gateways['stripe']?.removeStoredCard?.(token)).toBe(true);
  });
});

describe('a plan that renews at Stripe', () => {
  const renewing = async (number?: string): Promise<Renewing> =>
    withRenewal(shop, (await withCard({ renew: true }, number)).ana);

  it('is charged without its owner, period by period', async () => {
    const ana = await renewing();
    await advanceDays(shop, 62);
    const charges = await ana.charges();
    expect(charges.map(({ status }) => status)).toEqual(['PAYMENT_SUCCEEDED', 'PAYMENT_SUCCEEDED']);
    expect(lastRequest('POST /v1/payment_intents')?.form).toMatchObject({ off_session: true, currency: 'brl' });
    await clearRenewals(shop);
  });

  it('uses the card that the network has issued as a replacement', async () => {
    const ana = await renewing();
    const card = [...shop.stripe.account.cards.values()].at(-1) ?? expect.fail('no card');
    Object.assign(card, { last4: '1881', year: 2034 });
    await advanceDays(shop, 31);
    expect(await cardsOf(ana)).toMatchObject([{ last4: '1881', expiryYear: 2034 }]);
    await clearRenewals(shop);
  });

  it('requires a confirmation if the bank requires it, and continues afterwards', async () => {
    const ana = await renewing();
    useTestCard('4000002760003184');
    await advanceDays(shop, 31);
    expect(await ana.told()).toContain('confirm');
    const [charge] = await ana.charges();
    const { data } = await ana.repay(charge?.orderId ?? '', { ...byCard, cardId: (await cardsOf(ana))[0]?.cardId });
    shop.stripe.answerBank((await shop.tryOf(data.orderId)).id, true);
    expect((await shop.back(data)).data.status).toBe('PAYMENT_SUCCEEDED');
    expect((await ana.info()).status).toBe('on');
    await clearRenewals(shop);
  });

  it('is retried after a decline, and each period is charged at most once', async () => {
    const ana = await renewing();
    useTestCard('4000000000009995');
    await advanceDays(shop, 31);
    expect(await ana.told()).toContain('refused');
    useTestCard('4242424242424242');
    await advanceDays(shop, 5);
    expect((await ana.charges()).map(({ status }) => status)).toEqual(['PAYMENT_SUCCEEDED']);
    await clearRenewals(shop);
  });

  it('is charged once if the answer was lost', async () => {
    const ana = await renewing();
    const before = shop.stripe.account.payments.size;
    shop.stripe.spoil(({ method, path }) =>
      `${method} ${path}` === 'POST /v1/payment_intents' ? 'doneThen500' : undefined,
    );
    await advanceDays(shop, 30);
    shop.stripe.spoil(undefined);
    await shop.reconciled();
    expect((await ana.charges()).map(({ status }) => status)).toEqual(['PAYMENT_SUCCEEDED']);
    expect(shop.stripe.account.payments.size).toBe(before + 1);
    await clearRenewals(shop);
  });
});

describe('a card that is saved without a payment', () => {
  const open = (ana: Buyer, purpose: 'change' | 'turnOn' = 'change') =>
    shop.request(endpoints.openCardPage, { body: { methodCode: 'card', currency: 'BRL', purpose } }, keyed(ana));
  const take = (ana: Buyer, visit: string) =>
    shop.request(endpoints.takeCard, { body: { methodCode: 'card', visit } }, ana);
  const newestVisit = () => [...shop.stripe.account.pages.keys()].at(-1) ?? '';

  it('is entered at the page of Stripe, and is charged for the renewal from then on', async () => {
    const ana = await withRenewal(shop, (await withCard({ renew: true })).ana);
    const { data } = await open(ana);
    const visit = newestVisit();
    expect(shop.stripe.account.pages.get(visit)?.successUrl).toMatch(
      /\/account\?cardMethod=card&cardFor=change&cardVisit=\{CHECKOUT_SESSION_ID\}$/,
    );
    shop.stripe.payAt(data.url, '5555555555554444');
    const { data: taken } = await take(ana, visit);
    expect((await take(ana, visit)).data).toEqual(taken);
    const changed = await shop.request(endpoints.changeCard, { body: { cardId: taken.cardId } }, keyed(ana));
    expect(changed.data.card).toMatchObject({ brand: 'mastercard', last4: '4444' });
    expect(await cardsOf(ana)).toHaveLength(2);
    await shop.hear();
    await clearRenewals(shop);
  });

  it('turns a renewal on', async () => {
    const { ana: buyer } = await withCard({});
    const ana = await withRenewal(shop, buyer);
    expect(await ana.info()).toMatchObject({ status: 'off', card: null, offered: true });
    const { data } = await open(ana, 'turnOn');
    shop.stripe.payAt(data.url);
    const { data: taken } = await take(ana, newestVisit());
    const { price } = (await ana.info()).terms;
    const body = { status: 'on' as const, cardId: taken.cardId, price };
    expect((await shop.request(endpoints.updateRenewStatus, { body }, ana)).data.status).toBe('on');
    await advanceDays(shop, 31);
    expect(await ana.charges()).toMatchObject([{ status: 'PAYMENT_SUCCEEDED' }]);
    await clearRenewals(shop);
  });

  it('belongs only to the customer who entered it, and does not exist before', async () => {
    const [ana, otherCustomer] = [await shop.buyer(), await shop.buyer()];
    const { data } = await open(ana);
    const visit = newestVisit();
    expect((await take(ana, visit)).errCode).toBe(2002);
    shop.stripe.payAt(data.url);
    expect((await take(otherCustomer, visit)).errCode).toBe(2002);
    expect((await take(ana, 'cs_test_of_nobody')).errCode).toBe(2002);
    expect((await take(ana, visit)).code).toBe(0);
  });

  it('opens its page at most thirty times an hour, and saves the card of the last page on each request', async () => {
    const ana = await shop.buyer();
    let url = '';
    for (let n = 0; n < 30; n += 1) url = (await open(ana)).data.url;
    const visit = newestVisit();
    expect((await open(ana)).errCode).toBe(-3031);
    shop.stripe.payAt(url);
    const { data: taken } = await take(ana, visit);
    for (let n = 0; n < 40; n += 1) expect((await take(ana, visit)).data).toEqual(taken);
    shop.clock.advance(3_600_000);
    expect((await open(ana)).code).toBe(0);
  });

  it('is requested from Stripe at most thirty times an hour if there is nothing to save', async () => {
    const ana = await shop.buyer();
    const answers: number[] = [];
    for (let n = 0; n < 32; n += 1) answers.push((await take(ana, 'cs_test_of_nobody')).errCode ?? 0);
    expect(answers).toEqual([...Array.from({ length: 30 }, () => 2002), -3031, -3031]);
    const { data } = await open(ana);
    shop.stripe.payAt(data.url);
    shop.clock.advance(3_600_000);
    expect((await take(ana, newestVisit())).code).toBe(0);
  });

  it('is not verified for a customer with ten declines in an hour', async () => {
    const ana = await shop.buyer();
    const declined = { brand: 'lumen', uid: ana.uid, cardId: null, cardLast4: '0002' };
    for (let n = 0; n < 9; n += 1) await recordDecline(shop.deps, declined, 'cardRejected');
    const { data } = await open(ana);
    const visit = newestVisit();
    await recordDecline(shop.deps, declined, 'cardRejected');
    const refused = await open(ana);
    expect([refused.errCode, refused.params.waitSeconds]).toEqual([-3031, 3600]);
    // the card of the earlier page is already saved at Stripe
    shop.stripe.payAt(data.url);
    expect((await take(ana, visit)).code).toBe(0);
  });

  it('is refused for a method without cards', async () => {
    const ana = await shop.buyer();
    const body = { methodCode: 'pix', currency: 'BRL', purpose: 'change' } as const;
    expect((await shop.request(endpoints.openCardPage, { body }, keyed(ana))).errCode).toBe(-2502);
  });

  it('is saved for a renewing plan that a coupon pays in full', async () => {
    await aCoupon(shop.db, { code: 'ALLOFIT', kind: 'percent', value: 100 });
    const ana = await shop.buyer();
    const { data } = await ana.pay({ ...byCard, discountCode: 'ALLOFIT', renew: true });
    shop.stripe.payAt(pageAt(data.next));
    expect((await shop.back(data)).data.status).toBe('PAYMENT_SUCCEEDED');
    const renewal = await withRenewal(shop, ana);
    expect(await renewal.info()).toMatchObject({ status: 'on', card: { last4: '4242' } });
    await shop.hear();
    await clearRenewals(shop);
  });
});
