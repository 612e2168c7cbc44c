import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { cancelAbandonedOrders, repayGraceMs } from '#server/jobs/start-jobs.ts';
import { requestPartialRefund, sendPartialRefund } from '#server/billing/send-partial-refund.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { refundParts } from '#server/jobs/refund-parts.ts';
import { byBtcpay } from '#tests/builders/btcpay-shop.ts';
import { inCoins } from '#tests/builders/coin-shop.ts';
import { btcpayAccess, signed } from '#tests/fixtures/btcpay/routes.ts';

/** Notices of BTCPay Server, in time and late, and refunds. */
const minute = 60_000;
const capture = 'capture 399 USD';
const setup = byBtcpay();
const { post, deliverAll, ask, anAddress } = setup;

describe('a notice of BTCPay Server', () => {
  it('is refused without a valid signature of the webhook', async () => {
    const { key, orderId } = await anAddress();
    setup.btcpay.pay(key, { status: 'Settled' });
    const [{ body } = expect.fail()] = setup.btcpay.deliveries.splice(0);
    for (const signature of [
      '',
      'sha256=',
      signed(body, 'another secret of a webhook'),
      signed(`${body} `),
      `sha1=${signed(body)}`,
    ]) {
      expect((await post({ body, headers: { 'btcpay-sig': signature } })).status).toBe(401);
    }
    const nonsense = '{"deliveryId":7}';
    expect((await post({ body: nonsense, headers: { 'btcpay-sig': signed(nonsense) } })).status).toBe(401);
    expect(await setup.stories.booked(orderId)).toEqual([]);
  });

  it('is booked once in any order, and is requested again if the server did not answer', async () => {
    const { key, orderId } = await anAddress();
    setup.btcpay.pay(key, { status: 'Settled' });
    const deliveries = setup.btcpay.deliveries.splice(0);
    setup.btcpay.failNext(/GET .*\/invoices\//, { status: 500 });
    const statuses: number[] = [];
    for (const one of [...deliveries.toReversed(), ...deliveries]) statuses.push((await post(one)).status);
    expect(statuses).toEqual([401, 200, 200, 200, 200, 200]);
    expect(await setup.stories.booked(orderId)).toEqual([capture]);
  });

  it('of a paid invoice is confirmed with the server before it counts', async () => {
    const { key, orderId } = await anAddress();
    const invoice = setup.btcpay.invoices.at(-1) ?? expect.fail();
    expect(invoice.request.metadata?.orderId).toBe(key);
    const forged = JSON.stringify({
      deliveryId: 'a1',
      type: 'InvoiceSettled',
      invoiceId: invoice.id,
      metadata: { orderId: key },
    });
    expect((await post({ body: forged, headers: { 'btcpay-sig': signed(forged) } })).status).toBe(200);
    expect(await setup.stories.booked(orderId)).toEqual([]);
  });

  it('of another kind is accepted and ignored', async () => {
    const payout = JSON.stringify({ deliveryId: 'a2', type: 'PayoutCreated' });
    expect((await post({ body: payout, headers: { 'btcpay-sig': signed(payout) } })).status).toBe(200);
  });

  it.each([
    ['an invoice with a number as its order', { metadata: { orderId: 17 }, status: 'Settled' }],
    ['an invoice in a status that does not exist yet', { metadata: { orderId: 'theirs' }, status: 'StatusOf2030' }],
    ['an invoice without an amount', { amount: null, metadata: null }],
    ['an invoice of another store', { storeId: 'another', metadata: {} }],
    ['an invoice that is gone', undefined],
    ['no invoice', null],
  ])('about another product in the same store is accepted: %s', async (what, invoice) => {
    const id = `theirs-${what.length}`;
    if (invoice) {
      const body = { id, storeId: btcpayAccess.storeId, ...invoice };
      setup.btcpay.failNext(new RegExp(`GET .*/invoices/${id}`), { status: 200, body });
    }
    const event = { deliveryId: `of-${id}`, type: 'InvoiceSettled', invoiceId: invoice === null ? null : id };
    const body = JSON.stringify(event);
    expect((await post({ body, headers: { 'btcpay-sig': signed(body) } })).status).toBe(200);
  });
});

describe('coins that arrive late', () => {
  it('are credited once confirmed, even if the order was cancelled', async () => {
    const { ana, orderId, key, expiresAt } = await anAddress();
    setup.shop.clock.now = expiresAt;
    setup.btcpay.look();
    expect(new Set(await deliverAll())).toEqual(new Set([200]));
    setup.shop.clock.advance(repayGraceMs + 1);
    expect(await cancelAbandonedOrders(setup.shop.deps)).toBeGreaterThan(0);
    setup.btcpay.pay(key);
    await deliverAll();
    expect((await setup.stories.orderOf(ana, orderId)).status).toBe('PAYMENT_CANCELLED');
    setup.btcpay.confirm(key);
    await deliverAll();
    // the server leaves such an invoice expired permanently
    expect(setup.btcpay.invoices.at(-1)).toMatchObject({ status: 'Expired', additionalStatus: 'PaidLate' });
    expect((await setup.stories.orderOf(ana, orderId)).status).toBe('PAYMENT_SUCCEEDED');
    expect(await setup.stories.booked(orderId)).toEqual([capture]);
  });

  it('are refunded once if another attempt paid, after the customer has claimed the refund', async () => {
    const { ana, orderId, key, expiresAt } = await anAddress();
    setup.shop.clock.now = expiresAt;
    await ana.repay(orderId, inCoins());
    const [first, second] = await setup.shop.db
      .select({ id: attempts.id })
      .from(attempts)
      .where(eq(attempts.orderId, orderId));
    setup.btcpay.pay(first?.id === key ? (second?.id ?? '') : (first?.id ?? ''), { status: 'Settled' });
    setup.btcpay.pay(key, { status: 'Settled' });
    await deliverAll();
    expect(await setup.stories.booked(orderId)).toEqual([capture, capture]);
    setup.btcpay.failNext(/refund/, 'after');
    for (let tries = 0; tries < 3; tries += 1) {
      expect(await refundDuplicates(setup.shop.deps)).toBe(0);
      setup.shop.clock.advance(10 * minute);
    }
    expect(setup.btcpay.claims).toMatchObject([{ amount: '3.99', currency: 'USD' }]);
    expect(setup.btcpay.claims[0]?.name).toMatch(/^Refund /);
    setup.btcpay.claims[0]?.payouts.push({ state: 'AwaitingApproval' });
    expect(await refundDuplicates(setup.shop.deps)).toBe(0);
    setup.btcpay.claims[0]?.payouts.push({ state: 'Completed' });
    setup.shop.clock.advance(10 * minute);
    expect(await refundDuplicates(setup.shop.deps)).toBe(1);
    expect(await setup.stories.booked(orderId)).toEqual([capture, capture, 'refund -399 USD']);
  });

  it('are partially refunded once, after the customer has claimed the refund', async () => {
    const { ana, orderId, key } = await anAddress();
    const { db, deps, clock } = setup.shop;
    setup.btcpay.pay(key, { status: 'Settled' });
    await deliverAll();
    const wish = { amount: 150, endsAccess: false, again: false };
    const requested = await db.transaction((tx) => requestPartialRefund(tx, deps, { orderId }, wish, clock.now));
    if (!('row' in requested)) throw new Error(requested.state);
    setup.btcpay.failNext(/refund/, 'after');
    expect(await sendPartialRefund(deps, requested.row)).toBe(false);
    clock.advance(2 * minute);
    expect(await refundParts(deps)).toBe(0);
    const claims = setup.btcpay.claims.filter(({ name }) => name === `Refund ${key} part 1`);
    expect(claims).toMatchObject([{ amount: '1.50', currency: 'USD' }]);
    claims[0]?.payouts.push({ state: 'Completed' });
    clock.advance(11 * minute);
    expect(await refundParts(deps)).toBe(1);
    expect(await setup.stories.booked(orderId)).toEqual([capture, 'part 1 -150 USD']);
    expect((await setup.stories.orderOf(ana, orderId)).status).toBe('PAYMENT_SUCCEEDED');
  });

  it('for less than the price end the address, and the order can be paid again', async () => {
    const { ana, orderId, key, expiresAt } = await anAddress();
    setup.btcpay.pay(key, { part: 0.5, status: 'Settled' });
    await deliverAll();
    setup.shop.clock.now = expiresAt;
    setup.btcpay.look();
    await ask();
    expect(await setup.stories.nextOf(ana, orderId)).toEqual({ type: 'none' });
    const renewed = await ana.repay(orderId, inCoins());
    expect(renewed.data).toMatchObject({ status: 'PAYMENT_PENDING', next: { type: 'crypto', chosen: null } });
  });

  it('to confirm stay pending for a day and are credited once confirmed', async () => {
    const { ana, orderId, key } = await anAddress();
    setup.btcpay.pay(key);
    await deliverAll();
    setup.shop.clock.advance(26 * 60 * minute);
    setup.btcpay.look();
    await deliverAll();
    expect(setup.btcpay.invoices.at(-1)?.status).toBe('Invalid');
    expect((await setup.stories.orderOf(ana, orderId)).status).toBe('PAYMENT_PENDING');
    setup.btcpay.confirm(key);
    await deliverAll();
    expect(await setup.stories.booked(orderId)).toEqual([capture]);
  });
});
