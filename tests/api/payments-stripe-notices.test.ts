import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aStripeShop, byCard, closeAndVerify, pageAt, type StripeShop } from '#tests/builders/stripe-shop.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await aStripeShop();
});
afterAll(() => closeAndVerify(shop));

describe('a notice of Stripe', () => {
  it('without a signature, with another signature or with an old one is refused', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byCard);
    shop.stripe.payAt(pageAt(data.next));
    const [notice] = shop.stripe.account.events.splice(0).toReversed();
    const body = notice?.body ?? '';
    expect(await shop.post(body, { at: shop.clock.now - 6 * 60_000 })).toBe(401);
    expect(await shop.post(body, { secret: 'whsec_of_somebody_else_0123456789' })).toBe(401);
    expect((await shop.app.request('/webhooks/stripe', { method: 'POST', body })).status).toBe(401);
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_PENDING');
    expect(await shop.post(body)).toBe(200);
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
  });

  it('is requested again if Stripe could not be queried about it', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byCard);
    shop.stripe.payAt(pageAt(data.next));
    const [notice] = shop.stripe.account.events.splice(0).toReversed();
    shop.stripe.spoil(() => 500);
    expect(await shop.post(notice?.body ?? '')).toBe(401);
    shop.stripe.spoil(undefined);
    expect(await shop.post(notice?.body ?? '')).toBe(200);
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
  });

  it('about another product is accepted, so that Stripe does not repeat it for days', async () => {
    const event = {
      id: 'evt_of_others',
      object: 'event',
      type: 'customer.created',
      data: { object: { id: 'cus_other' } },
    };
    expect(await shop.post(JSON.stringify(event))).toBe(200);
  });
});
