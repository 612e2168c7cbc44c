import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { eq } from 'drizzle-orm';
import * as endpoints from '#contract/index.ts';
import type { Buyer, Shop } from '#tests/builders/a-shop.ts';
import { aShopAtStripe, byCard, pageAt } from '#tests/builders/stripe-shop.ts';
import { startStripe, type StripeStandIn } from '#tests/fixtures/stripe/stand-in.ts';

/**
 * Requests that need no visit to a page, sent to the simulated Stripe, and to the real one by
 * `npm run verify:provider`. In dollars, because every account accepts them.
 */
const isReal = process.env['PROOF_PROVIDER'] === 'stripe';

let simulated: StripeStandIn | undefined;
let shop: Shop;
let api: Stripe;
beforeAll(async () => {
  simulated = isReal ? undefined : await startStripe(() => shop?.clock.now ?? Date.now());
  const { STRIPE_SECRET_KEY: key = '', STRIPE_WEBHOOK_SECRET: secret = '' } = simulated?.env ?? process.env;
  const base = simulated?.env.STRIPE_API_BASE;
  shop = await aShopAtStripe({
    STRIPE_SECRET_KEY: key,
    STRIPE_WEBHOOK_SECRET: secret,
    STRIPE_API_BASE: base ?? 'https://api.stripe.com',
  });
  if (isReal) shop.clock.now = Date.now();
  const { hostname: host, port, protocol } = new URL(base ?? 'https://api.stripe.com');
  api = new Stripe(key, {
    host,
    port: port || 443,
    protocol: protocol === 'http:' ? 'http' : 'https',
    telemetry: false,
  });
});
afterAll(async () => {
  await shop.close();
  expect(simulated?.problems ?? []).toEqual([]);
  await simulated?.stop();
});

const gateway = () => shop.deps.gateways['stripe'] ?? expect.fail('no Stripe');
const inDollars = { ...byCard, currency: 'USD' } as const;

async function tryOf(orderId: string) {
  const [row] = await shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));
  return row ?? expect.fail('nobody tried');
}

/** A customer with one of the test cards of Stripe, saved. */
async function withCard(testCard: string): Promise<{ ana: Buyer; cardId: string; token: string }> {
  const ana = await shop.buyer();
  const customer = await api.customers.create({ description: 'a proof of Marquee' });
  const method = await api.paymentMethods.attach(testCard, { customer: customer.id });
  const cardId = crypto.randomUUID();
  const token = `${customer.id}:${method.id}`;
  await shop.db.insert(savedCards).values({
    cardId,
    brand: 'lumen',
    uid: ana.uid,
    gateway: 'stripe',
    methodCode: 'card',
    token,
    cardBrand: 'visa',
    last4: '4242',
    expiryMonth: 12,
    expiryYear: 2030,
    codeDigits: 3,
    createdAt: 1,
    usedAt: 1,
  });
  return { ana, cardId, token };
}

const chargeOffSession = (key: string, token: string) =>
  gateway().chargeSaved?.({
    key,
    token,
    brand: 'lumen',
    merchantName: 'Lumen',
    methodCode: 'card',
    amount: 399,
    currency: 'USD',
    orderLabel: 'a proof',
  });

it('the API key is accepted', async () => {
  expect(await gateway().check?.()).toMatchObject({ isReachable: true });
});

describe('a Checkout page', () => {
  it('is opened, found again and closed', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(inDollars);
    expect(pageAt(data.next)).toMatch(/^https?:/);
    const { id: key } = await tryOf(data.orderId);
    expect(await gateway().inquire(key)).toMatchObject({ state: 'pending', next: { url: pageAt(data.next) } });
    expect(await gateway().cancel(key)).toMatchObject({ state: 'failed', failure: 'paymentCancelled' });
    expect(await gateway().cancel(key)).toMatchObject({ state: 'failed', failure: 'paymentCancelled' });
    expect(await gateway().inquire(key)).toMatchObject({ state: 'expired' });
  });

  it('whose id was lost is found by its key', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay({ ...inDollars, saveCard: true });
    const { id: key } = await tryOf(data.orderId);
    await shop.db.update(attempts).set({ providerRef: null }).where(eq(attempts.id, key));
    expect(await gateway().inquire(key)).toMatchObject({ state: 'pending', next: { url: pageAt(data.next) } });
  });

  it('for saving a card is opened, and saves none before the customer has entered one', async () => {
    const ana = await shop.buyer();
    const body = { methodCode: 'card', currency: 'USD', purpose: 'change' } as const;
    const { data } = await shop.request(
      endpoints.openCardPage,
      { body },
      { ...ana, idempotencyKey: crypto.randomUUID() },
    );
    expect(data.url).toMatch(/^https?:/);
    const [newest] = (await api.checkout.sessions.list({ limit: 1 })).data;
    const taken = { methodCode: 'card', visit: newest?.id ?? '' };
    expect((await shop.request(endpoints.takeCard, { body: taken }, ana)).errCode).toBe(2002);
  });
});

describe('a saved card', () => {
  it('pays at once and is refunded once', async () => {
    const { ana, cardId } = await withCard('pm_card_visa');
    const { data } = await ana.pay({ ...inDollars, cardId });
    expect(data.status).toBe('PAYMENT_SUCCEEDED');
    const { id: key } = await tryOf(data.orderId);
    expect(await gateway().refund(key)).toBe(true);
    expect(await gateway().refund(key)).toBe(true);
  });

  it('whose charge was lost is found by its key and is not charged again', async () => {
    const { ana, cardId } = await withCard('pm_card_visa');
    const { data } = await ana.pay({ ...inDollars, cardId });
    const { id: key, providerRef } = await tryOf(data.orderId);
    await shop.db.update(attempts).set({ providerRef: null }).where(eq(attempts.id, key));
    expect(await gateway().inquire(key)).toMatchObject({
      state: 'succeeded',
      providerRef,
      amount: 399,
      currency: 'USD',
    });
  });

  it('is charged without its owner, once per key', async () => {
    const { token } = await withCard('pm_card_visa');
    const key = crypto.randomUUID();
    const first = await chargeOffSession(key, token);
    expect(first).toMatchObject({ state: 'succeeded', amount: 399, savedCard: { token, last4: '4242' } });
    expect((await chargeOffSession(key, token))?.providerRef).toBe(first?.providerRef);
  });

  it('reports a decline, and a bank that requires authentication', async () => {
    const declined = await withCard('pm_card_chargeCustomerFail');
    expect(await chargeOffSession(crypto.randomUUID(), declined.token)).toMatchObject({
      state: 'failed',
      failure: 'rejectedByBank',
    });
    const authenticating = await withCard('pm_card_authenticationRequired');
    expect(await chargeOffSession(crypto.randomUUID(), authenticating.token)).toMatchObject({
      state: 'failed',
      asksHolder: true,
    });
  });

  it('is removed and cannot be charged again', async () => {
    const { token } = await withCard('pm_card_visa');
    expect(await gateway().removeStoredCard?.(token)).toBe(true);
    expect(await gateway().removeStoredCard?.(token)).toBe(true);
    expect((await chargeOffSession(crypto.randomUUID(), token))?.state).toBe('failed');
  });
});

it('an unknown key is closed, and a later charge with it takes no money', async () => {
  const { ana, cardId, token } = await withCard('pm_card_visa');
  const { data } = await ana.pay(inDollars);
  const { id } = await tryOf(data.orderId);
  const key = crypto.randomUUID();
  await shop.db.update(attempts).set({ id: key, providerRef: null, cardId }).where(eq(attempts.id, id));
  expect(await gateway().inquire(key)).toMatchObject({ state: 'failed' });
  expect(await chargeOffSession(key, token)).toEqual({ state: 'unknown' });
  expect(await gateway().inquire(key)).toMatchObject({ state: 'failed' });
});
