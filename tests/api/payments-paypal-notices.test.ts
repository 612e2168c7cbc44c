import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outbox } from '#server/db/schema/outbox.ts';
import { sandboxNotices } from '#sandbox/schema.ts';
import type { Buyer } from '#tests/builders/a-shop.ts';
import {
  aPaypalShop,
  byPaypal,
  once,
  pageAt,
  sendEvent,
  type PaypalEvent,
  type PaypalShop,
} from '#tests/builders/paypal-shop.ts';

let shop: PaypalShop;
let ana: Buyer;
const brl = (value: string) => ({ currency_code: 'BRL', value });
beforeAll(async () => {
  shop = await aPaypalShop();
});
beforeEach(async () => {
  // a customer with many open orders has to solve a captcha
  ana = await shop.buyer();
});
afterAll(() => shop.close());

/** A payment that the payer has approved. */
async function approved() {
  const { data } = await ana.pay(byPaypal);
  await shop.press(pageAt(data.next), 'approve');
  const [attempt] = (await shop.recordsOf(data.orderId)).attempts;
  return { ...data, key: attempt?.id ?? '' };
}

/** A captured payment, with the id of its capture. */
async function paid() {
  const payment = await approved();
  await shop.back(payment);
  const [order] = (await shop.recordsOf(payment.orderId)).paypal;
  await shop.db.delete(sandboxNotices);
  return { ...payment, captureId: order?.captureId ?? '' };
}

const captureEvent = (key: string, status: string, id = 'CAPTURE1') => ({
  event_type: `PAYMENT.CAPTURE.${status}`,
  resource: { id, status, custom_id: key },
});

const captureLink = (captureId: string) => [
  { rel: 'up', href: `https://api-m.paypal.com/v2/payments/captures/${captureId}` },
];

describe('a notice of PayPal', () => {
  it('of an approval keeps the payment pending, and the job captures it', async () => {
    const payment = await approved();
    expect(await shop.deliver(300)).toBeGreaterThan(0);
    expect(await shop.statusOf(ana, payment.orderId)).toBe('PAYMENT_PENDING');
    await shop.reconciled();
    expect(await shop.statusOf(ana, payment.orderId)).toBe('PAYMENT_SUCCEEDED');
  });

  it('of a capture pays the order before any query, even if the answer was lost', async () => {
    const payment = await approved();
    shop.spoil(once('/capture', 'after'));
    await shop.back(payment);
    shop.spoil(undefined);
    await shop.deliver(300);
    expect(await shop.statusOf(ana, payment.orderId)).toBe('PAYMENT_SUCCEEDED');
    await shop.deliver(2000);
    expect((await shop.back(payment)).data.status).toBe('PAYMENT_SUCCEEDED');
    expect((await shop.recordsOf(payment.orderId)).ledger).toEqual(['capture']);
  });

  it('of a capture changes nothing after the payer has returned', async () => {
    const payment = await approved();
    await shop.back(payment);
    await shop.deliver(300);
    await shop.deliver(2000);
    expect((await shop.recordsOf(payment.orderId)).ledger).toEqual(['capture']);
    expect(await shop.db.select().from(sandboxNotices)).toEqual([]);
  });

  it('of an approval changes nothing after the payment has succeeded', async () => {
    const payment = await paid();
    const event = { event_type: 'CHECKOUT.ORDER.APPROVED', resource: { purchase_units: [{ custom_id: payment.key }] } };
    expect(await sendEvent(shop, event)).toBe(200);
    expect(await shop.statusOf(ana, payment.orderId)).toBe('PAYMENT_SUCCEEDED');
  });

  it('of a review keeps the payment pending until it is completed or denied', async () => {
    for (const [end, status] of [
      ['COMPLETED', 'PAYMENT_SUCCEEDED'],
      ['DENIED', 'PAYMENT_FAILED'],
    ] as const) {
      const payment = await approved();
      expect(await sendEvent(shop, captureEvent(payment.key, 'PENDING'))).toBe(200);
      expect(await shop.statusOf(ana, payment.orderId)).toBe('PAYMENT_PENDING');
      expect(await sendEvent(shop, captureEvent(payment.key, end))).toBe(200);
      expect(await shop.statusOf(ana, payment.orderId)).toBe(status);
    }
  });

  it('of a refund is booked once by the capture that it names', async () => {
    const payment = await paid();
    expect(await shop.deps.gateways.paypal?.refund(payment.key)).toBe(true);
    await shop.deliver(300);
    await shop.deliver(2000);
    expect((await shop.recordsOf(payment.orderId)).ledger).toEqual(['capture', 'refund']);
    expect(await shop.statusOf(ana, payment.orderId)).toBe('REFUND_SUCCEEDED');
  });

  it('of a partial refund in the dashboard is booked once, and the order stays paid', async () => {
    const payment = await paid();
    const resource = { id: 'R1', status: 'COMPLETED', amount: brl('1.00'), links: captureLink(payment.captureId) };
    for (const event_type of ['PAYMENT.CAPTURE.REFUNDED', 'PAYMENT.REFUND.PENDING', 'PAYMENT.CAPTURE.REFUNDED'])
      expect(await sendEvent(shop, { event_type, resource })).toBe(200);
    expect((await shop.recordsOf(payment.orderId)).ledger).toEqual(['capture', 'part 1']);
    expect(await shop.statusOf(ana, payment.orderId)).toBe('PAYMENT_SUCCEEDED');
  });

  it('of a requested partial refund is booked for it, and the remaining amount is refunded later', async () => {
    const payment = await paid();
    const { paypal } = shop.deps.gateways;
    const part = { key: payment.key, number: 1, amount: 250, currency: 'BRL', askedAt: shop.clock.now };
    expect([await paypal?.refundPart?.(part), await paypal?.refundPart?.(part)]).toEqual([true, true]);
    const much = { ...part, number: 2, amount: 100_000 };
    expect(await paypal?.refundPart?.(much)).toEqual({
      permanentFailure: expect.stringContaining('EXCEEDED') as string,
    });
    const old = { ...part, number: 3, askedAt: shop.clock.now - 41 * 86_400_000 };
    expect(await paypal?.refundPart?.(old)).toEqual({
      permanentFailure: expect.stringContaining('forgotten') as string,
    });
    await shop.deliver(300);
    await shop.deliver(2000);
    expect((await shop.recordsOf(payment.orderId)).ledger).toEqual(['capture', 'part 1']);
    expect(await paypal?.refund(payment.key)).toBe(true);
    await shop.deliver(300);
    expect((await shop.recordsOf(payment.orderId)).ledger).toEqual(['capture', 'part 1', 'refund']);
    expect(await shop.statusOf(ana, payment.orderId)).toBe('REFUND_SUCCEEDED');
  });

  it('of a reversal is booked as a chargeback', async () => {
    const payment = await paid();
    const resource = { status: 'COMPLETED', amount: brl('3.00'), links: captureLink(payment.captureId) };
    expect(await sendEvent(shop, { event_type: 'PAYMENT.CAPTURE.REVERSED', resource })).toBe(200);
    expect(await shop.recordsOf(payment.orderId)).toMatchObject({ ledger: ['capture', 'chargeback'], disputed: [300] });
    expect(await shop.statusOf(ana, payment.orderId)).toBe('CHARGEBACK_SUCCEEDED');
  });

  it.each([
    ['RESOLVED_BUYER_FAVOUR', 'CHARGEBACK_SUCCEEDED', ['capture', 'chargeback']],
    ['RESOLVED_SELLER_FAVOUR', 'CHARGEBACK_REJECTED', ['capture', 'chargeback', 'return']],
    ['CANCELED_BY_BUYER', 'CHARGEBACK_CANCELLED', ['capture', 'chargeback', 'return']],
  ])('of a dispute that ends with %s sets the status and the books', async (outcome, status, entries) => {
    const payment = await paid();
    const disputed_transactions = [{ seller_transaction_id: payment.captureId }];
    const due = { seller_response_due_date: '2026-12-10T12:00:00.000Z' };
    const dispute = { disputed_transactions, dispute_amount: brl('4.00'), ...due };
    expect(await sendEvent(shop, { event_type: 'CUSTOMER.DISPUTE.CREATED', resource: dispute })).toBe(200);
    const texts = (await shop.db.select().from(outbox)).map(({ text }) => text);
    const deadline = 'Responder até: 10 de dezembro de 2026 às 09:00 (BRT)';
    expect(texts.some((text) => text.includes(payment.orderId) && text.includes(deadline))).toBe(true);
    expect(await shop.statusOf(ana, payment.orderId)).toBe('CHARGEBACK_PENDING');
    const resource = { ...dispute, dispute_outcome: { outcome_code: outcome } };
    expect(await sendEvent(shop, { event_type: 'CUSTOMER.DISPUTE.RESOLVED', resource })).toBe(200);
    expect(await shop.statusOf(ana, payment.orderId)).toBe(status);
    expect(await shop.recordsOf(payment.orderId)).toMatchObject({ ledger: entries, disputed: [400] });
  });

  it('of an unused kind is accepted', async () => {
    const payment = await approved();
    const resource = { custom_id: payment.key };
    expect(await sendEvent(shop, { event_type: 'CHECKOUT.ORDER.COMPLETED', resource })).toBe(200);
    expect(await shop.statusOf(ana, payment.orderId)).toBe('PAYMENT_PENDING');
  });
});

describe('an invalid notice of PayPal', () => {
  it.each([
    ['signed by somebody else', { headers: { 'paypal-transmission-sig': 'Zm9yZ2Vk' } }],
    ['of another webhook of PayPal', { headers: { 'paypal-transmission-id': 'another' } }],
    ['six minutes old', { age: 6 * 60_000 }],
    ['from six minutes ahead', { age: -6 * 60_000 }],
    ['without a time', { headers: { 'paypal-transmission-time': 'soon' } }],
    ['that is no JSON', { body: 'hello' }],
    ['that is no event', { body: '{}' }],
  ])(
    'is refused: %s',
    async (_what, { age = 0, ...how }: { age?: number; headers?: Record<string, string>; body?: string }) => {
      const payment = await approved();
      expect(
        await sendEvent(shop, captureEvent(payment.key, 'COMPLETED'), { ...how, sentAt: shop.clock.now - age }),
      ).toBe(401);
      expect(await shop.statusOf(ana, payment.orderId)).toBe('PAYMENT_PENDING');
    },
  );

  it('is refused if its body was changed in transit', async () => {
    const [mine, other] = [await approved(), await approved()];
    const body = JSON.stringify({ id: 'WH-12345678', ...captureEvent(mine.key, 'COMPLETED') });
    expect(await sendEvent(shop, captureEvent(other.key, 'COMPLETED'), { body })).toBe(401);
    expect(await shop.statusOf(ana, mine.orderId)).toBe('PAYMENT_PENDING');
  });

  it('is refused while PayPal cannot verify it, and is accepted afterwards', async () => {
    const payment = await approved();
    shop.spoil(once('/verify-webhook-signature', 'before'));
    expect(await sendEvent(shop, captureEvent(payment.key, 'COMPLETED'))).toBe(401);
    shop.spoil(undefined);
    expect(await sendEvent(shop, captureEvent(payment.key, 'COMPLETED'))).toBe(200);
    expect(await shop.statusOf(ana, payment.orderId)).toBe('PAYMENT_SUCCEEDED');
  });
});

describe('a malformed notice of PayPal about a payment of this installation', () => {
  it('is refused, so that PayPal sends it again to a later version', async () => {
    const { key, captureId } = await paid();
    const events: PaypalEvent[] = [
      { event_type: 'PAYMENT.CAPTURE.PENDING', resource: { id: 'X', status: 'A_STATUS_OF_2030', custom_id: key } },
      { event_type: 'PAYMENT.CAPTURE.REFUNDED', resource: { custom_id: key, links: 'none' } },
      {
        event_type: 'CUSTOMER.DISPUTE.CREATED',
        resource: { disputed_transactions: { seller_transaction_id: captureId } },
      },
    ];
    for (const event of events) expect(await sendEvent(shop, event), event.event_type).toBe(401);
  });
});

describe('a notice of PayPal about another product on the same account', () => {
  it.each([
    ['a payment of another shop', captureEvent('somebody-elses', 'COMPLETED')],
    ['a payment without any name', { event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: { status: 'COMPLETED' } }],
    ['a status that does not exist yet', captureEvent('theirs', 'A_STATUS_OF_2030')],
    [
      'a known event in a status that does not exist yet',
      { event_type: 'PAYMENT.CAPTURE.PENDING', resource: { id: 'CAPTURE7', status: 'A_STATUS_OF_2030' } },
    ],
    [
      'a dispute without a transaction',
      { event_type: 'CUSTOMER.DISPUTE.CREATED', resource: { disputed_transactions: [] } },
    ],
    ['a refund without a link', { event_type: 'PAYMENT.CAPTURE.REFUNDED', resource: { links: 'none' } }],
    ['a subscription', { event_type: 'BILLING.SUBSCRIPTION.ACTIVATED', resource: { id: 'I-1', custom_id: 7 } }],
    ['nothing', { event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: [] }],
  ])('is accepted: %s', async (_what, event) => {
    expect(await sendEvent(shop, event)).toBe(200);
  });
});
