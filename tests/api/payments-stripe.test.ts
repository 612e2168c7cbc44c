import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { aCoupon, usesOf } from '#tests/builders/a-coupon.ts';
import { aCard, byPix, type Buyer } from '#tests/builders/a-shop.ts';
import { aStripeShop, byCard, pageAt, type StripeShop } from '#tests/builders/stripe-shop.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await aStripeShop();
});
afterAll(async () => {
  // every request matched the API of Stripe, and no secret was logged
  expect(shop.stripe.problems).toEqual([]);
  for (const secret of [shop.stripe.env.STRIPE_SECRET_KEY, shop.stripe.env.STRIPE_WEBHOOK_SECRET]) {
    expect(shop.logged()).not.toContain(secret);
  }
  await shop.close();
});

describe('a card at the page of Stripe', () => {
  it('is entered there without installments, and not in the storefront', async () => {
    const ana = await shop.buyer();
    const { data } = await shop.request(endpoints.paymentMethods, { body: { planId: '101', currency: 'BRL' } }, ana);
    const card = data.find(({ code }) => code === 'card');
    expect(card).toMatchObject({ flow: 'redirect', maxInstallments: 1, savesCard: true, renews: true });
    expect(card?.fields).toEqual(['cardPage', 'name', 'document', 'phone']);
    expect(await ana.pay({ card: aCard() })).toMatchObject({ errCode: 5000, params: { field: 'card' } });
  });

  it('pays when the customer returns, with the right amount and currency', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byCard);
    expect(data).toMatchObject({ status: 'PAYMENT_PENDING', next: { type: 'redirect', finish: 'stripe' } });
    const page = [...shop.stripe.account.pages.values()].at(-1);
    expect(page?.asked).toMatchObject({ amount: 1990, currency: 'brl', types: ['card'], keeps: false });
    expect(page?.successUrl).toContain(`/paymentResult/orderId/${data.orderId}/token/`);
    shop.stripe.payAt(pageAt(data.next));
    expect((await shop.back(data)).data).toMatchObject({ status: 'PAYMENT_SUCCEEDED' });
    expect(await shop.booked(data.orderId)).toEqual(['capture']);
    expect(await shop.hear()).toEqual([200, 200]);
    expect(await shop.booked(data.orderId)).toEqual(['capture']);
  });

  it('pays by the notice alone, also if it arrives twice and out of order', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byCard);
    shop.stripe.payAt(pageAt(data.next));
    expect(await shop.hear((bodies) => [...bodies.toReversed(), ...bodies])).toEqual([200, 200, 200, 200]);
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
    expect(await shop.booked(data.orderId)).toEqual(['capture']);
  });

  it('that is declined leaves the customer on the page, where another card pays', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byCard);
    expect(shop.stripe.payAt(pageAt(data.next), '4000000000009995')).toBe(false);
    await shop.hear();
    expect((await shop.back(data)).data).toMatchObject({ status: 'PAYMENT_PENDING', next: { type: 'redirect' } });
    expect(shop.stripe.payAt(pageAt(data.next))).toBe(true);
    await shop.hear();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
  });

  it('is requested again at the same page', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byCard);
    const again = await shop.request(endpoints.stripeCreate, { body: { orderId: data.orderId } }, ana);
    expect(again.data.next).toEqual(data.next);
  });

  it('that is not entered in time can be requested again at another page', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byCard);
    shop.clock.advance(3 * 60 * 60_000);
    await shop.reconciled();
    expect((await shop.tryOf(data.orderId)).state).toBe('EXPIRED');
    const { data: again } = await ana.repay(data.orderId, byCard);
    expect(pageAt(again.next)).not.toBe(pageAt(data.next));
    shop.stripe.payAt(pageAt(again.next));
    expect((await shop.back(again)).data.status).toBe('PAYMENT_SUCCEEDED');
    await shop.hear();
  });

  it('is refused at its page after the customer has chosen another method', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byCard);
    const { data: pix } = await ana.repay(data.orderId, byPix);
    expect(pix.next.type).toBe('qr');
    expect(() => shop.stripe.payAt(pageAt(data.next))).toThrow('expired');
  });

  it('that has paid just before another method was chosen pays the order', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byCard);
    shop.stripe.payAt(pageAt(data.next));
    expect((await ana.repay(data.orderId, byPix)).data.status).toBe('PAYMENT_SUCCEEDED');
    await shop.hear();
    expect(await shop.booked(data.orderId)).toEqual(['capture']);
  });
});

describe('Pix by Stripe', () => {
  it('shows its code in the storefront, and succeeds by the notice', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPix);
    expect(data.next).toMatchObject({
      type: 'qr',
      amount: { currency: 'BRL' },
    });
    expect('payload' in data.next && data.next.payload).toContain('pix.stripe.test');
    shop.stripe.payCode((await shop.tryOf(data.orderId)).id);
    expect(await shop.hear()).toEqual([200]);
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
  });

  it('sends the tax number if the account requires it', async () => {
    const ana = await shop.buyer();
    shop.stripe.traits = { wantsTaxId: true };
    const { data } = await ana.pay(byPix);
    shop.stripe.traits = { wantsTaxId: false };
    expect(data.next.type).toBe('qr');
  });

  it('that is paid after its expiry pays the order', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPix);
    const { id } = await shop.tryOf(data.orderId);
    shop.clock.advance(31 * 60_000);
    await shop.reconciled();
    expect((await shop.tryOf(data.orderId)).state).toBe('EXPIRED');
    shop.stripe.payCode(id);
    await shop.hear();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
  });
});

describe('a Boleto slip by Stripe', () => {
  const bySlip = {
    methodCode: 'boleto',
    card: undefined,
    payer: {
      firstName: 'Ana',
      lastName: 'Lima',
      document: '52998224725',
      address: { zipCode: '01310-100', state: 'SP', city: 'São Paulo', street: 'Av. Paulista', streetNumber: '1000' },
    },
  } as const;

  it('shows its barcode and line in the storefront, and is paid days later', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(bySlip);
    expect(data.next).toMatchObject({
      type: 'ticket',
      dueDate: '2026-11-26',
    });
    expect('barcode' in data.next && data.next.barcode).toMatch(/^104\d{41}$/);
    shop.clock.advance(2 * 24 * 60 * 60_000);
    shop.stripe.payCode((await shop.tryOf(data.orderId)).id);
    await shop.hear();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
  });
});

describe('wallets by Stripe', () => {
  it.each([
    ['alipay', 'USD'],
    ['paynow', 'SGD'],
  ])('%s is paid at its page', async (methodCode, currency) => {
    const host = 'mego.localhost';
    const ana = await shop.buyer({ host });
    const { data: methods } = await shop.request(
      endpoints.paymentMethods,
      { body: { planId: '201', currency } },
      { ...ana },
    );
    const offered = methods.find(({ code }) => code === methodCode);
    expect(offered).toMatchObject({ flow: 'redirect' });
    const { data } = await ana.pay({ planId: '201', methodCode, currency, card: undefined });
    shop.stripe.payAt(pageAt(data.next));
    await shop.hear();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
  });
});

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

describe('refunds and disputes by Stripe', () => {
  async function aPaidOrder() {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byCard);
    shop.stripe.payAt(pageAt(data.next));
    await shop.hear();
    const { id: key } = await shop.tryOf(data.orderId);
    return { ana, orderId: data.orderId, key, status: () => shop.statusOf(ana, data.orderId) };
  }

  it('a refund returns the whole amount once', async () => {
    const { key, orderId, status } = await aPaidOrder();
    const stripe = shop.deps.gateways['stripe'];
    expect(await Promise.all([stripe?.refund(key), stripe?.refund(key)])).toEqual([true, true]);
    expect(await stripe?.refund(key)).toBe(true);
    expect(shop.stripe.account.refunds.size).toBe(1);
    await shop.hear();
    expect(await status()).toBe('REFUND_SUCCEEDED');
    expect(await shop.booked(orderId)).toEqual(['capture', 'refund']);
  });

  it('a refund that the bank rejects can be requested again', async () => {
    const { key, status } = await aPaidOrder();
    const stripe = shop.deps.gateways['stripe'];
    const before = shop.stripe.account.refunds.size;
    await stripe?.refund(key);
    shop.stripe.refundFails(key);
    await shop.hear((bodies) => bodies.slice(1));
    expect(await status()).toBe('REFUND_REJECTED');
    expect(await stripe?.refund(key)).toBe(true);
    expect(shop.stripe.account.refunds.size).toBe(before + 2);
    await shop.hear();
    expect(await status()).toBe('REFUND_SUCCEEDED');
  });

  it('a partial refund is made once per number, and the rest is refunded afterwards', async () => {
    const { key, orderId, status } = await aPaidOrder();
    const stripe = shop.deps.gateways['stripe'];
    const part = { key, number: 1, amount: 300, currency: 'BRL', askedAt: shop.clock.now };
    const before = shop.stripe.account.refunds.size;
    expect(await Promise.all([stripe?.refundPart?.(part), stripe?.refundPart?.(part)])).toEqual([true, true]);
    expect(await stripe?.refundPart?.(part)).toBe(true);
    expect(shop.stripe.account.refunds.size).toBe(before + 1);
    await shop.hear();
    await shop.hear();
    expect([await status(), await shop.booked(orderId)]).toEqual(['PAYMENT_SUCCEEDED', ['capture', 'part 1']]);
    const much = { ...part, number: 2, amount: 100_000 };
    expect(await stripe?.refundPart?.(much)).toEqual({ permanentFailure: expect.stringContaining('amount') as string });
    expect(await stripe?.refundPart?.({ ...part, amount: 301 })).toEqual({
      permanentFailure: expect.stringContaining('another part') as string,
    });
    expect(await stripe?.refund(key)).toBe(true);
    await shop.hear();
    expect([await status(), await shop.booked(orderId)]).toEqual(['REFUND_SUCCEEDED', ['capture', 'part 1', 'refund']]);
  });

  it('a partial refund in the Dashboard is booked as one, and the order stays paid', async () => {
    const { key, orderId, status } = await aPaidOrder();
    shop.stripe.refundByHand(key, 100);
    await shop.hear();
    await shop.hear();
    expect([await status(), await shop.booked(orderId)]).toEqual(['PAYMENT_SUCCEEDED', ['capture', 'part 1']]);
  });

  it.each([
    ['won', 'CHARGEBACK_REJECTED', ['capture', 'chargeback', 'return']],
    ['lost', 'CHARGEBACK_SUCCEEDED', ['capture', 'chargeback']],
  ])('a dispute that is %s is booked, also if its notices arrive out of order', async (ending, ends, books) => {
    const { key, orderId, status } = await aPaidOrder();
    shop.stripe.dispute(key, 'needs_response', 'charge.dispute.created');
    const opened = shop.stripe.account.events.splice(0).map(({ body }) => body);
    for (const body of opened) await shop.post(body);
    expect(await status()).toBe('CHARGEBACK_PENDING');
    shop.stripe.dispute(key, ending, 'charge.dispute.closed');
    await shop.hear();
    for (const body of opened) await shop.post(body);
    expect(await status()).toBe(ends);
    expect(await shop.booked(orderId)).toEqual(books);
  });

  it.each([
    ['a dispute', 'charge.dispute.created', 'needs_response', ['capture', 'chargeback']],
    ['a refund', 'refund.created', 'succeeded', ['capture', 'refund']],
  ] as const)(
    'a malformed event of %s is refused, so that Stripe sends it again',
    async (_case, type, status, books) => {
      const { key, orderId } = await aPaidOrder();
      const { providerRef, amount } = await shop.tryOf(orderId);
      const eventId = `evt_${crypto.randomUUID().replaceAll('-', '')}`;
      const object = { id: `xx_${eventId}`, payment_intent: providerRef, status };
      const post = (changed: object) =>
        shop.post(JSON.stringify({ id: eventId, object: 'event', type, data: { object: { ...object, ...changed } } }));
      expect(await post({ amount: null })).toBe(401);
      expect(await post({ amount: { value: 5 }, payment_intent: { id: providerRef, object: 'payment_intent' } })).toBe(
        401,
      );
      const errors = shop
        .logged()
        .split('\n')
        .filter((line) => line.includes('"level":50') && line.includes(eventId));
      expect(errors).toHaveLength(2);
      expect(errors[0]).toContain(key);
      expect(await shop.booked(orderId)).toEqual(['capture']);
      expect(await post({ amount })).toBe(200);
      expect(await shop.booked(orderId)).toEqual(books);
    },
  );

  it('a dispute with a malformed payment is booked when Stripe repeats it', async () => {
    const { key, orderId, status } = await aPaidOrder();
    const { providerRef } = await shop.tryOf(orderId);
    const path = `/v1/payment_intents/${providerRef}`;
    shop.stripe.shown.set(path, { id: providerRef, amount: null, metadata: { attempt: key } });
    shop.stripe.dispute(key, 'needs_response', 'charge.dispute.created');
    const [notice] = shop.stripe.account.events.splice(0);
    expect(await shop.post(notice?.body ?? '')).toBe(401);
    shop.stripe.shown.delete(path);
    expect(await shop.post(notice?.body ?? '')).toBe(200);
    expect(await status()).toBe('CHARGEBACK_PENDING');
  });

  it('an inquiry takes no money', async () => {
    const { key, orderId, status } = await aPaidOrder();
    shop.stripe.dispute(key, 'warning_needs_response', 'charge.dispute.created');
    expect(await shop.hear()).toEqual([200]);
    expect(await status()).toBe('PAYMENT_SUCCEEDED');
    expect(await shop.booked(orderId)).toEqual(['capture']);
  });
});

it('the check of the account reports whether its key is valid', async () => {
  expect(await shop.deps.gateways['stripe']?.check?.()).toMatchObject({ isReachable: true });
  shop.stripe.spoil(() => 500);
  expect(await shop.deps.gateways['stripe']?.check?.()).toMatchObject({ isReachable: false });
  shop.stripe.spoil(undefined);
});

describe('a total below the Stripe minimum', () => {
  const methodsFor = async (ana: Buyer, discountCode?: string) => {
    const body = { planId: '101', currency: 'BRL', ...(discountCode !== undefined && { discountCode }) };
    return (await shop.request(endpoints.paymentMethods, { body }, ana)).data.map(({ code }) => code);
  };
  /** a coupon that leaves so many centavos of R$ 19.90, before the discount of a method */
  const couponLeaving = (left: number) =>
    aCoupon(shop.db, { kind: 'amount', value: 1990 - left, currency: 'BRL', maxUses: 100 });

  it('is offered by no method of Stripe, and is refused before an order is placed', async () => {
    const ana = await shop.buyer();
    const discountCode = await couponLeaving(30);
    expect(await methodsFor(ana)).toEqual(expect.arrayContaining(['card', 'pix', 'boleto']));
    expect(await methodsFor(ana, discountCode)).not.toEqual(expect.arrayContaining(['card']));
    expect(await methodsFor(ana, discountCode)).not.toEqual(expect.arrayContaining(['boleto']));
    const pagesBefore = shop.stripe.account.pages.size;
    expect(await ana.pay({ ...byCard, discountCode })).toMatchObject({ errCode: -2502 });
    expect((await shop.books()).orders.filter(({ uid }) => uid === ana.uid)).toEqual([]);
    expect([shop.stripe.account.pages.size, await usesOf(shop.db, discountCode)]).toEqual([pagesBefore, 0]);
  });

  it('depends on the method: R$ 5 for a slip, fifty centavos for a card', async () => {
    const ana = await shop.buyer();
    const codes = await methodsFor(ana, await couponLeaving(100));
    expect([codes.includes('card'), codes.includes('boleto')]).toEqual([true, false]);
  });

  it('does not apply if nothing is left to charge, or if the coupon is invalid', async () => {
    const ana = await shop.buyer();
    expect(await methodsFor(ana, await couponLeaving(0))).toContain('card');
    expect(await methodsFor(ana, 'NOSUCHCODE')).toContain('card');
  });
});
