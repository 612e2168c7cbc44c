import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { aCoupon, usesOf } from '#tests/builders/a-coupon.ts';
import { aCard, byPix, type Buyer } from '#tests/builders/a-shop.ts';
import { aStripeShop, byCard, closeAndVerify, pageAt, type StripeShop } from '#tests/builders/stripe-shop.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await aStripeShop();
});
afterAll(() => closeAndVerify(shop));

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
