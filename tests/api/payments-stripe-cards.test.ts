import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { clearRenewals, advanceDays, withRenewal, type Renewing } from '#tests/builders/a-renewal.ts';
import {
  aStripeShop,
  buyWithCard,
  byCard,
  cardsOf,
  closeAndVerify,
  pageAt,
  type StripeShop,
} from '#tests/builders/stripe-shop.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await aStripeShop();
});
afterAll(() => closeAndVerify(shop));

/** the last request to Stripe with this method and path */
const lastRequest = (end: string) =>
  shop.stripe.asked.findLast(({ method, path }) => `${method} ${path}`.endsWith(end));

/** From now on the newest card behaves like the test card with this number. */
function useTestCard(number: string) {
  const card = [...shop.stripe.account.cards.values()].at(-1);
  if (card) card.number = number;
}

describe('a card that is saved at Stripe', () => {
  it('is saved only if the customer has chosen it', async () => {
    const { ana } = await buyWithCard(shop, {});
    expect(await cardsOf(shop, ana)).toEqual([]);
    const saved = await buyWithCard(shop);
    expect(saved.card).toMatchObject({
      brand: 'visa',
      last4: '4242',
      expiryMonth: 12,
      expiryYear: 2030,
      expired: false,
    });
  });

  it('is saved once, however often Stripe reports it', async () => {
    const { ana, orderId } = await buyWithCard(shop);
    await shop.deps.gateways['stripe']?.inquire((await shop.tryOf(orderId)).id);
    expect(await cardsOf(shop, ana)).toHaveLength(1);
  });

  it('pays the next time without its security code and without a page', async () => {
    const { ana, cardId } = await buyWithCard(shop);
    const { data } = await ana.pay({ ...byCard, cardId });
    expect(data).toMatchObject({ status: 'PAYMENT_SUCCEEDED', next: { type: 'none' } });
    expect(lastRequest('POST /v1/payment_intents')?.form).not.toHaveProperty('off_session');
    expect(await ana.pay({ ...byCard, cardId, cardCode: '123' })).toMatchObject({ params: { field: 'cardCode' } });
  });

  it('that requires authentication redirects to the bank, and pays when the customer returns', async () => {
    const { ana, cardId } = await buyWithCard(shop);
    useTestCard('4000002760003184');
    const { data } = await ana.pay({ ...byCard, cardId });
    expect(pageAt(data.next)).toContain('3d_secure');
    shop.stripe.answerBank((await shop.tryOf(data.orderId)).id, true);
    expect((await shop.back(data)).data.status).toBe('PAYMENT_SUCCEEDED');
  });

  it('fails if the customer does not authenticate', async () => {
    const { ana, cardId } = await buyWithCard(shop);
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
    const { ana, cardId } = await buyWithCard(shop);
    useTestCard(number);
    expect((await ana.pay({ ...byCard, cardId })).errCode).toBe(code);
  });

  it('of another customer pays nothing', async () => {
    const { cardId } = await buyWithCard(shop);
    const other = await shop.buyer();
    expect((await other.pay({ ...byCard, cardId })).errCode).toBe(-2511);
  });

  it('is removed at Stripe too, also if the removal is repeated', async () => {
    const { ana, cardId } = await buyWithCard(shop);
    const stored = [...shop.stripe.account.cards.values()].at(-1);
    const token = `${stored?.customer}:${stored?.id}`;
    expect((await shop.request(endpoints.deleteCard, { body: { cardId } }, ana)).code).toBe(0);
    expect(stored?.customer).toBeNull();
    expect(await shop.deps.gateways['stripe']?.removeStoredCard?.(token)).toBe(true);
  });
});

describe('a plan that renews at Stripe', () => {
  const renewing = async (number?: string): Promise<Renewing> =>
    withRenewal(shop, (await buyWithCard(shop, { renew: true }, number)).ana);

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
    expect(await cardsOf(shop, ana)).toMatchObject([{ last4: '1881', expiryYear: 2034 }]);
    await clearRenewals(shop);
  });

  it('requires a confirmation if the bank requires it, and continues afterwards', async () => {
    const ana = await renewing();
    useTestCard('4000002760003184');
    await advanceDays(shop, 31);
    expect(await ana.told()).toContain('confirm');
    const [charge] = await ana.charges();
    const { data } = await ana.repay(charge?.orderId ?? '', {
      ...byCard,
      cardId: (await cardsOf(shop, ana))[0]?.cardId,
    });
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
