import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { orphanedAfterMs } from '#server/billing/apply-gateway-result.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { orders } from '#server/db/schema/orders.ts';
import { reconcile, defaultReconcileAfterMs, reclaimOrphans } from '#server/jobs/reconcile.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { runAtDatabase } from '#tests/builders/an-operator-demo.ts';
import { aBrand } from '#tests/builders/a-brand.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { insertCustomers } from '#tests/builders/a-customer.ts';
import { aCoupon, usesOf } from '#tests/builders/a-coupon.ts';
import { aShop, byPix, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { paidTwice, unbalanced } from '#tests/builders/unbalanced-orders.ts';
import { inDatabase, startPostgres } from '#tests/fixtures/postgres.ts';

const minute = 60_000;
/** The gateway `sandbox` serves its card and Pix payments. */
let shop: Shop;
/** The same installation without that gateway but with coins. Both use one clock. */
let withoutGateway: Shop;
let waiting: Buyer[];

beforeAll(async () => {
  shop = await aShop();
  const clock = () => shop.clock.now;
  withoutGateway = await aShop(shop.db, {
    deps: ({ gateways: { sandbox: _, ...others } }) => ({ clock, gateways: others }),
  });
  waiting = await shop.buyers(20);
});
afterAll(() => shop.close());

const aBuyer = () => waiting.pop() ?? expect.fail('too few buyers');
const later = async (ms: number) => {
  shop.clock.advance(ms);
  await reconcile(withoutGateway.deps);
};
const stateOf = async (orderId: string) => {
  const [order] = await shop.db.select().from(orders).where(eq(orders.orderId, orderId));
  const tries = await shop.db.select().from(attempts).where(eq(attempts.orderId, orderId)).orderBy(attempts.createdAt);
  return { status: order?.status, failureCode: order?.failureCode, tries: tries.map(({ state }) => state) };
};
const failed = { failureCode: -2502, status: 'PAYMENT_FAILED' };
const byCoins = { methodCode: 'crypto', currency: 'USD', card: undefined };

/** A pending Pix payment with a coupon. */
const aWaiting = async () => {
  const [ana, discountCode] = [aBuyer(), await aCoupon(shop.db)];
  const { data } = await ana.pay({ ...byPix, discountCode });
  if (data.next.type !== 'qr') throw new Error('no code to scan');
  return { ana, discountCode, orderId: data.orderId, page: data.next.bankUrl ?? '' };
};

/** A charged card payment whose answer was lost. */
const aLostAnswer = async () => {
  const ana = aBuyer();
  const payer = { firstName: 'LOSTANSWER', lastName: 'Lima', document: '52998224725', phone: '11987654321' };
  const { data } = await ana.pay({ payer });
  expect(data.status).toBe('SUBMITTED');
  return { ana, orderId: data.orderId };
};

/** The session of the same customer in the installation without the gateway. */
const asThere = (ana: Buyer) => ({ token: ana.token, host: ana.host });

async function repayThere(ana: Buyer, orderId: string, discountCode?: string) {
  const coupon = discountCode === undefined ? {} : { discountCode };
  const wish = { planId: '101', ...byCoins, ...coupon, orderId };
  const { card: _, ...asked } = wish;
  // attempts are ordered by time
  shop.clock.advance(1000);
  const quote = await withoutGateway.request(endpoints.goodsValuation, { body: asked }, asThere(ana));
  const body = {
    ...asked,
    quoteId: quote.data.quoteId,
    installments: 1,
    payer: {},
    returnUrl: '/paymentResult' as const,
    source: 'WEB' as const,
  };
  return withoutGateway.request(endpoints.repay, { body }, { ...asThere(ana), idempotencyKey: crypto.randomUUID() });
}

describe('a payment whose gateway was removed', () => {
  it('is unchanged for the first minutes, because another process may still have the gateway', async () => {
    const { orderId } = await aLostAnswer();
    await later(defaultReconcileAfterMs);
    expect(await stateOf(orderId)).toMatchObject({ status: 'SUBMITTED', tries: ['INTENT'] });
    await reconcile(shop.deps);
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    expect(await stateOf(orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED' });
  });

  it('then fails, its code is removed from the page, and its coupon is released', async () => {
    const { ana, orderId, discountCode } = await aWaiting();
    await later(orphanedAfterMs);
    expect(await stateOf(orderId)).toEqual({ ...failed, tries: ['ORPHANED'] });
    expect(await usesOf(shop.db, discountCode)).toBe(0);
    const { data } = await withoutGateway.request(endpoints.paymentInfo, { body: { orderId } }, asThere(ana));
    expect(data).toMatchObject({ next: { type: 'none' }, order: { failureCode: -2502 } });
    expect(unbalanced(await shop.books())).toEqual([]);
  });

  it('can be paid by another method with its coupon', async () => {
    const { ana, orderId, discountCode } = await aWaiting();
    await later(orphanedAfterMs);
    expect((await repayThere(ana, orderId, discountCode)).data.next.type).toBe('crypto');
    expect(await stateOf(orderId)).toMatchObject({ status: 'PAYMENT_PENDING', tries: ['ORPHANED', 'PENDING'] });
    expect(await usesOf(shop.db, discountCode)).toBe(1);
  });

  it('is replaced at once if the customer chooses another method or releases the coupon', async () => {
    const one = await aWaiting();
    expect((await repayThere(one.ana, one.orderId)).data.next.type).toBe('crypto');
    expect((await stateOf(one.orderId)).tries).toEqual(['ORPHANED', 'PENDING']);
    const { ana, orderId, discountCode } = await aWaiting();
    const query = { orderId, discountCode };
    const freed = await withoutGateway.request(endpoints.unbindDiscountCode, { query }, asThere(ana));
    expect(freed.data).toEqual({ orderId, status: 'PAYMENT_FAILED' });
    expect(await usesOf(shop.db, discountCode)).toBe(0);
  });

  it('returns its result for a repeated request with the same key', async () => {
    const [ana, idempotencyKey] = [aBuyer(), crypto.randomUUID()];
    const body = await ana.body(byPix);
    const { data } = await shop.request(endpoints.pay, { body }, { ...ana, idempotencyKey });
    await later(orphanedAfterMs);
    const again = await withoutGateway.request(endpoints.pay, { body }, { ...asThere(ana), idempotencyKey });
    expect(again).toMatchObject({ errCode: -2502, params: { orderId: data.orderId } });
  });

  it('succeeds if a coupon pays in full, because no provider was involved', async () => {
    const [ana, discountCode] = [aBuyer(), await aCoupon(shop.db, { value: 100 })];
    const { data } = await ana.pay({ discountCode });
    // as if the process had stopped between the two phases
    await shop.db.execute(`delete from ledger where order_id = '${data.orderId}'`);
    await shop.db.execute(`update attempts set state = 'INTENT' where order_id = '${data.orderId}'`);
    await shop.db.execute(`update orders set status = 'SUBMITTED', paid_at = null where order_id = '${data.orderId}'`);
    await later(minute);
    expect(await stateOf(data.orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', tries: ['SUCCEEDED'] });
  });
});

describe('an orphaned payment that was charged anyway', () => {
  it('stays unknown, and pays the order once the gateway is back', async () => {
    const { orderId } = await aLostAnswer();
    await later(orphanedAfterMs);
    expect(await stateOf(orderId)).toEqual({ ...failed, tries: ['ORPHANED'] });
    shop.clock.advance(orphanedAfterMs);
    expect(await reclaimOrphans(withoutGateway.deps)).toBe(0);
    expect(await reclaimOrphans(shop.deps)).toBeGreaterThan(0);
    expect(await stateOf(orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', tries: ['SUCCEEDED'] });
    expect(unbalanced(await shop.books())).toEqual([]);
  });

  it('pays the order by a late notice that the gateway can verify', async () => {
    const { orderId, page } = await aWaiting();
    await later(orphanedAfterMs);
    await shop.press(page, 'pay');
    await shop.deliver(1000);
    expect(await stateOf(orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', tries: ['SUCCEEDED'] });
  });

  it('is refunded if the order was paid by another method', async () => {
    const { ana, orderId } = await aLostAnswer();
    await later(orphanedAfterMs);
    await ana.repay(orderId);
    shop.clock.advance(orphanedAfterMs);
    await reclaimOrphans(shop.deps);
    expect(paidTwice(await shop.books())).toEqual([orderId]);
    await refundDuplicates(shop.deps);
    expect(paidTwice(await shop.books())).toEqual([]);
    expect(unbalanced(await shop.books())).toEqual([]);
  });

  it('can no longer be paid once the gateway is back, which closes it', async () => {
    const { orderId, page } = await aWaiting();
    await later(orphanedAfterMs);
    shop.clock.advance(orphanedAfterMs);
    await reclaimOrphans(shop.deps);
    expect((await stateOf(orderId)).tries).toEqual(['FAILED']);
    expect(await (await shop.app.request(page)).text()).toContain('closed');
  });
});

it(
  'an orphaned payment is listed for the operator with the reference of its provider, until they tick it off',
  { timeout: 60_000 },
  async () => {
    const { url: DATABASE_URL, stop } = await startPostgres();
    const lines: string[] = [];
    const explanations: string[] = [];
    const out = {
      clock: Date.now,
      print: (line: string) => lines.push(line),
      explain: (line: string) => explanations.push(line),
    };
    const run = (...args: string[]) => runAtDatabase(['orders', ...args], { DATABASE_URL, SANDBOX: 'false' }, out);
    try {
      const orphan = await inDatabase(DATABASE_URL, async (db) => {
        await aBrand(db);
        const [ana] = await insertCustomers(db, 'acme', 1, Date.now());
        const owner = { brand: 'acme', uid: ana?.uid ?? '' };
        const attempt = { gateway: 'acquirer', state: 'ORPHANED', providerRef: 'ref-77' } as const;
        await anOrder(db, owner, { status: 'PAYMENT_FAILED', attempt: { state: 'FAILED' } });
        return anOrder(db, owner, { status: 'PAYMENT_FAILED', attempt });
      });
      expect(await run('orphans')).toBe(0);
      expect(lines.map((line) => line.split('\t').slice(0, 6))).toEqual([
        [orphan.order.orderId, 'acme', '19.90 BRL', 'acquirer', orphan.attempt.id, 'ref-77'],
      ]);
      expect(explanations.join()).toContain('Look each up at the provider');
      expect(await run('done', orphan.attempt.id, '--why=refunded there')).toBe(0);
      expect(await run('orphans')).toBe(0);
      expect([lines.length, explanations.at(-1)]).toEqual([1, 'No orphaned payments.']);
      // its state is as before, because the gateway may be installed again
      const after = await inDatabase(DATABASE_URL, (db) => db.select().from(attempts));
      expect(after.map(({ state }) => state).sort()).toEqual(['FAILED', 'ORPHANED']);
    } finally {
      await stop();
    }
  },
);
