import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { cancelAbandonedOrders, repayGraceMs } from '#server/jobs/start-jobs.ts';
import { requestPartialRefund, sendPartialRefund } from '#server/billing/send-partial-refund.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { refundParts } from '#server/jobs/refund-parts.ts';
import { byBtcpay } from '#tests/builders/by-btcpay.ts';
import { inCoins } from '#tests/builders/in-coins.ts';
import { btcpayAccess, signed } from '#tests/fixtures/btcpay/routes.ts';

/** What BTCPay Server tells by itself, in time and late, and what goes back. */
const minute = 60_000;
const capture = 'capture 399 USD';
const story = byBtcpay();
const { post, deliverAll, ask, anAddress } = story;

describe('a notice', () => {
  it('is refused unless its signature is the one of the webhook', async () => {
    const { key, orderId } = await anAddress();
    story.btcpay.pay(key, { status: 'Settled' });
    const [{ body } = expect.fail()] = story.btcpay.deliveries.splice(0);
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
    expect(await story.stories.booked(orderId)).toEqual([]);
  });

  it('counts once, in any order, and is asked for again where the server could not be asked', async () => {
    const { key, orderId } = await anAddress();
    story.btcpay.pay(key, { status: 'Settled' });
    const deliveries = story.btcpay.deliveries.splice(0);
    story.btcpay.failNext(/GET .*\/invoices\//, { status: 500 });
    const statuses: number[] = [];
    for (const one of [...deliveries.toReversed(), ...deliveries]) statuses.push((await post(one)).status);
    expect(statuses).toEqual([401, 200, 200, 200, 200, 200]);
    expect(await story.stories.booked(orderId)).toEqual([capture]);
  });

  it('that says an invoice is paid is not believed before the server says so', async () => {
    const { key, orderId } = await anAddress();
    const invoice = story.btcpay.invoices.at(-1) ?? expect.fail();
    expect(invoice.request.metadata?.orderId).toBe(key);
    const forged = JSON.stringify({
      deliveryId: 'a1',
      type: 'InvoiceSettled',
      invoiceId: invoice.id,
      metadata: { orderId: key },
    });
    expect((await post({ body: forged, headers: { 'btcpay-sig': signed(forged) } })).status).toBe(200);
    expect(await story.stories.booked(orderId)).toEqual([]);
  });

  it('of something else, or of a sale that is not of this shop, is not ours', async () => {
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
      story.btcpay.failNext(new RegExp(`GET .*/invoices/${id}`), { status: 200, body });
    }
    const event = { deliveryId: `of-${id}`, type: 'InvoiceSettled', invoiceId: invoice === null ? null : id };
    const body = JSON.stringify(event);
    expect((await post({ body, headers: { 'btcpay-sig': signed(body) } })).status).toBe(200);
  });
});

describe('coins that come late', () => {
  it('are credited when they are confirmed, also to an order that was cancelled meanwhile', async () => {
    const { ana, orderId, key, expiresAt } = await anAddress();
    story.shop.clock.now = expiresAt;
    story.btcpay.look();
    expect(new Set(await deliverAll())).toEqual(new Set([200]));
    story.shop.clock.advance(repayGraceMs + 1);
    expect(await cancelAbandonedOrders(story.shop.deps)).toBeGreaterThan(0);
    story.btcpay.pay(key);
    await deliverAll();
    expect((await story.stories.orderOf(ana, orderId)).status).toBe('PAYMENT_CANCELLED');
    story.btcpay.confirm(key);
    await deliverAll();
    // the server leaves such an invoice expired for good
    expect(story.btcpay.invoices.at(-1)).toMatchObject({ status: 'Expired', additionalStatus: 'PaidLate' });
    expect((await story.stories.orderOf(ana, orderId)).status).toBe('PAYMENT_SUCCEEDED');
    expect(await story.stories.booked(orderId)).toEqual([capture]);
  });

  it('beside a new payment are given back, when somebody has claimed and got them, and only once', async () => {
    const { ana, orderId, key, expiresAt } = await anAddress();
    story.shop.clock.now = expiresAt;
    await ana.repay(orderId, inCoins());
    const [first, second] = await story.shop.db
      .select({ id: attempts.id })
      .from(attempts)
      .where(eq(attempts.orderId, orderId));
    story.btcpay.pay(first?.id === key ? (second?.id ?? '') : (first?.id ?? ''), { status: 'Settled' });
    story.btcpay.pay(key, { status: 'Settled' });
    await deliverAll();
    expect(await story.stories.booked(orderId)).toEqual([capture, capture]);
    story.btcpay.failNext(/refund/, 'after');
    for (let tries = 0; tries < 3; tries += 1) {
      expect(await refundDuplicates(story.shop.deps)).toBe(0);
      story.shop.clock.advance(10 * minute);
    }
    expect(story.btcpay.claims).toMatchObject([{ amount: '3.99', currency: 'USD' }]);
    expect(story.btcpay.claims[0]?.name).toMatch(/^Refund /);
    story.btcpay.claims[0]?.payouts.push({ state: 'AwaitingApproval' });
    expect(await refundDuplicates(story.shop.deps)).toBe(0);
    story.btcpay.claims[0]?.payouts.push({ state: 'Completed' });
    story.shop.clock.advance(10 * minute);
    expect(await refundDuplicates(story.shop.deps)).toBe(1);
    expect(await story.stories.booked(orderId)).toEqual([capture, capture, 'refund -399 USD']);
  });

  it('are given back in part by a claim of that part, when somebody has got it, and only once', async () => {
    const { ana, orderId, key } = await anAddress();
    const { db, deps, clock } = story.shop;
    story.btcpay.pay(key, { status: 'Settled' });
    await deliverAll();
    const wish = { amount: 150, endsAccess: false, again: false };
    const asked = await db.transaction((tx) => requestPartialRefund(tx, deps, { orderId }, wish, clock.now));
    if (!('row' in asked)) throw new Error(asked.state);
    story.btcpay.failNext(/refund/, 'after');
    expect(await sendPartialRefund(deps, asked.row)).toBe(false);
    clock.advance(2 * minute);
    expect(await refundParts(deps)).toBe(0);
    const claims = story.btcpay.claims.filter(({ name }) => name === `Refund ${key} part 1`);
    expect(claims).toMatchObject([{ amount: '1.50', currency: 'USD' }]);
    claims[0]?.payouts.push({ state: 'Completed' });
    clock.advance(11 * minute);
    expect(await refundParts(deps)).toBe(1);
    expect(await story.stories.booked(orderId)).toEqual([capture, 'part 1 -150 USD']);
    expect((await story.stories.orderOf(ana, orderId)).status).toBe('PAYMENT_SUCCEEDED');
  });

  it('in part end the address, and the order is paid anew', async () => {
    const { ana, orderId, key, expiresAt } = await anAddress();
    story.btcpay.pay(key, { part: 0.5, status: 'Settled' });
    await deliverAll();
    story.shop.clock.now = expiresAt;
    story.btcpay.look();
    await ask();
    expect(await story.stories.nextOf(ana, orderId)).toEqual({ type: 'none' });
    const renewed = await ana.repay(orderId, inCoins());
    expect(renewed.data).toMatchObject({ status: 'PAYMENT_PENDING', next: { type: 'crypto', chosen: null } });
  });

  it('in time and unconfirmed for a day are not called a failure, and count when they are confirmed', async () => {
    const { ana, orderId, key } = await anAddress();
    story.btcpay.pay(key);
    await deliverAll();
    story.shop.clock.advance(26 * 60 * minute);
    story.btcpay.look();
    await deliverAll();
    expect(story.btcpay.invoices.at(-1)?.status).toBe('Invalid');
    expect((await story.stories.orderOf(ana, orderId)).status).toBe('PAYMENT_PENDING');
    story.btcpay.confirm(key);
    await deliverAll();
    expect(await story.stories.booked(orderId)).toEqual([capture]);
  });
});
