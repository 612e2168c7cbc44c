import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { clearRenewals, advanceDays, withRenewal } from '#tests/builders/a-renewal.ts';
import { recordDecline } from '#server/billing/payment-limits.ts';
import { aCoupon } from '#tests/builders/a-coupon.ts';
import type { Buyer } from '#tests/builders/a-shop.ts';
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

const keyed = (ana: Buyer) => ({ ...ana, idempotencyKey: crypto.randomUUID() });

describe('a card that is saved without a payment', () => {
  const open = (ana: Buyer, purpose: 'change' | 'turnOn' = 'change') =>
    shop.request(endpoints.openCardPage, { body: { methodCode: 'card', currency: 'BRL', purpose } }, keyed(ana));
  const take = (ana: Buyer, visit: string) =>
    shop.request(endpoints.takeCard, { body: { methodCode: 'card', visit } }, ana);
  const newestVisit = () => [...shop.stripe.account.pages.keys()].at(-1) ?? '';

  it('is entered at the page of Stripe, and is charged for the renewal from then on', async () => {
    const ana = await withRenewal(shop, (await buyWithCard(shop, { renew: true })).ana);
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
    expect(await cardsOf(shop, ana)).toHaveLength(2);
    await shop.hear();
    await clearRenewals(shop);
  });

  it('turns a renewal on', async () => {
    const { ana: buyer } = await buyWithCard(shop, {});
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
