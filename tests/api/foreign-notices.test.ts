import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whenever, aStripeShop, byCard, pageAt, type StripeShop } from '#tests/builders/stripe-shop.ts';

/**
 * Another product uses the same Stripe account: its events have a valid signature, but are not about payments of this shop.
 */
let shop: StripeShop;
beforeAll(async () => {
  shop = await aStripeShop();
});
afterAll(() => shop.close());

const objects = {
  subscription: { id: 'cs_live_subscription', object: 'checkout.session', mode: 'subscription', status: 'complete' },
  newMode: { id: 'cs_live_newmode', object: 'checkout.session', mode: 'a_mode_of_2030', status: 'paused' },
  byHand: { id: 'pi_capturedbyhand', object: 'payment_intent', status: 'requires_capture', amount: 1, currency: 'usd' },
  newStatus: { id: 'pi_ofthefuture', object: 'payment_intent', status: 'a_status_of_2030', metadata: { attempt: 7 } },
  ofOthers: { id: 'pi_ofanother', object: 'payment_intent', status: 'succeeded', amount: 1, currency: 'usdc' },
  attemptOfOthers: { id: 'pi_ofaninstallation', object: 'payment_intent', amount: 1, metadata: { attempt: 'theirs' } },
} as const;

/** Makes Stripe return this object when its id is requested. */
function answerWith(found: { readonly id: string }): void {
  const { id } = found;
  // The stand-in returns any object as is, because those of another product have their own shapes.
  if (id.startsWith('cs_')) shop.stripe.shown.set(`/v1/checkout/sessions/${id}`, found);
  else shop.stripe.shown.set(`/v1/payment_intents/${id}`, found);
}

const send = (type: string | number, object: unknown, changed: object = {}) =>
  shop.post(
    JSON.stringify({ id: `evt_${crypto.randomUUID().replaceAll('-', '')}`, type, data: { object }, ...changed }),
  );

const disputeOf = (payment_intent: unknown) => ({ id: 'du_other', status: 'lost', amount: null, payment_intent });
const refundOf = (payment_intent: unknown, status: unknown) => ({ id: 're_other', status, amount: 5, payment_intent });

describe('an event of another product on the same account at Stripe', () => {
  it.each([
    ['a subscription at Checkout', 'checkout.session.completed', objects.subscription],
    ['a page in a mode that does not exist yet', 'checkout.session.expired', objects.newMode],
    ['a payment that is captured by hand', 'payment_intent.processing', objects.byHand],
    ['a payment in a status that does not exist yet', 'payment_intent.succeeded', objects.newStatus],
    [
      'a payment with an attempt of its own',
      'payment_intent.succeeded',
      { ...objects.ofOthers, metadata: { attempt: '3' } },
    ],
    ['a payment in something that is no currency', 'payment_intent.canceled', objects.ofOthers],
  ])('is accepted: %s', async (_case, type, object) => {
    answerWith(object);
    expect(await send(type, object)).toBe(200);
  });

  it.each([
    ['a refund in a status that does not exist yet', 'refund.updated', refundOf(objects.byHand.id, 'a_status_of_2030')],
    ['a refund of a charge without a payment', 'refund.created', refundOf(null, null)],
    ['a refund without an amount', 'refund.created', { id: 're_other' }],
    ['a dispute without a payment', 'charge.dispute.created', { id: 'du_other', status: 'lost', amount: 1 }],
    ['a dispute in another shape', 'charge.dispute.closed', { id: 'du_other', evidence: {} }],
    ['a dispute that cannot be read', 'charge.dispute.created', disputeOf(objects.attemptOfOthers.id)],
    [
      'a refund that cannot be read',
      'refund.created',
      { ...refundOf(objects.attemptOfOthers.id, 'failed'), amount: null },
    ],
    ['an object without an id', 'payment_intent.succeeded', { object: 'payment_intent' }],
    ['an object of another kind', 'checkout.session.completed', { id: 'po_123456', object: 'payout' }],
    ['no object', 'payment_intent.succeeded', null],
    ['a type that does not exist yet', 'moon.landed', { id: 'moon_1', object: 'moon' }],
    ['a type named like a part of the language', 'constructor', { id: 'moon_1' }],
    ['a type that is a number', 7, { id: 'moon_1' }],
  ])('is accepted: %s', async (_case, type, object) => {
    answerWith(objects.byHand);
    answerWith(objects.attemptOfOthers);
    expect(await send(type, object)).toBe(200);
  });

  it('is accepted in the format of API v2 and in an unknown format', async () => {
    const thin = { object: 'v2.core.event', type: 'v1.billing.meter.no_meter_found', data: undefined };
    expect(await send('', undefined, thin)).toBe(200);
    expect(await shop.post('[]')).toBe(200);
  });

  it('does not block our own events, however many arrive', async () => {
    answerWith(objects.subscription);
    for (let sent = 0; sent < 61; sent += 1)
      expect(await send('checkout.session.completed', objects.subscription)).toBe(200);
    const ana = await shop.buyer();
    const { data } = await ana.pay(byCard);
    shop.stripe.payAt(pageAt(data.next));
    await shop.hear();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
  });

  it('is refused for a retry while Stripe cannot be asked for its payment', async () => {
    answerWith(objects.subscription);
    shop.stripe.spoil(whenever(objects.subscription.id, 500));
    expect(await send('checkout.session.completed', objects.subscription)).toBe(401);
    shop.stripe.spoil(undefined);
    expect(await send('checkout.session.completed', objects.subscription)).toBe(200);
  });
});

it('our payment in an unknown status stays open, and is paid when Stripe reports it', async () => {
  const ana = await shop.buyer();
  const { data } = await ana.pay(byCard);
  shop.stripe.payAt(pageAt(data.next));
  const events = shop.stripe.account.events.splice(0);
  const { id: key } = await shop.tryOf(data.orderId);
  const payment = shop.stripe.paymentOf(key);
  const found = {
    id: payment.id,
    status: 'a_status_of_2030',
    amount: 1990,
    currency: 'brl',
    metadata: payment.metadata,
  };
  answerWith(found);
  expect(await send('payment_intent.succeeded', found)).toBe(200);
  expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_PENDING');
  shop.stripe.shown.clear();
  for (const { body } of events) expect(await shop.post(body)).toBe(200);
  expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
});
