import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledger } from '#server/db/schema/ledger.ts';
import { aStripeShop, byCard, closeAndVerify, pageAt, type StripeShop } from '#tests/builders/stripe-shop.ts';
import { disputeDueBy } from '#tests/fixtures/stripe/payers.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await aStripeShop();
});
afterAll(() => closeAndVerify(shop));

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

  it.each(['whole', 'partial'])(
    'a %s refund that fails after it succeeded is logged for the operator',
    async (extent) => {
      const { key, orderId } = await aPaidOrder();
      shop.stripe.refundByHand(key, extent === 'partial' ? 100 : undefined);
      await shop.hear();
      shop.stripe.refundFails(key);
      await shop.hear();
      const errors = shop
        .logged()
        .split('\n')
        .filter((line) => line.includes('"level":50') && line.includes(orderId));
      expect(errors).toHaveLength(1);
      expect(errors[0]).toContain('a refund failed after it had succeeded');
    },
  );

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

  it('a dispute after a partial refund is booked with what the bank took, and with its deadline', async () => {
    const { key, orderId } = await aPaidOrder();
    shop.stripe.refundByHand(key, 100);
    shop.stripe.dispute(key, 'needs_response', 'charge.dispute.created');
    await shop.hear();
    const { amount } = await shop.tryOf(orderId);
    const booked = await shop.db.select().from(ledger).where(eq(ledger.orderId, orderId));
    expect(booked.map((entry) => entry.amount).toSorted((a, b) => a - b)).toEqual([-amount, -100, amount]);
    expect(booked.flatMap(({ respondBy }) => respondBy ?? [])).toEqual([disputeDueBy * 1000]);
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
