import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { orphanedAfterMs } from '#server/billing/apply-gateway-result.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { orders } from '#server/db/schema/orders.ts';
import { reconcile, defaultReconcileAfterMs, reclaimOrphans } from '#server/jobs/reconcile.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { runOperatorCommand } from '#server/operator/operator.ts';
import { aBrand } from '#tests/builders/a-brand.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { insertCustomers } from '#tests/builders/a-customer.ts';
import { aCoupon, usesOf } from '#tests/builders/a-coupon.ts';
import { aShop, byPix, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { paidTwice, unbalanced } from '#tests/builders/balanced.ts';
import { inDatabase, startPostgres } from '#tests/fixtures/postgres.ts';

const minute = 60_000;
/** Its card and Pix go by the gateway `sandbox`. */
let shop: Shop;
/** The same shop after its adapter was removed; coins are still there. Both live by one clock. */
let gone: Shop;
let waiting: Buyer[];

beforeAll(async () => {
  shop = await aShop();
  const clock = () => shop.clock.now;
  gone = await aShop(shop.db, {
    deps: ({ gateways: { sandbox: _, ...others } }) => ({ clock, gateways: others }),
  });
  waiting = await shop.buyers(20);
});
afterAll(() => shop.close());

const aBuyer = () => waiting.pop() ?? expect.fail('too few buyers');
const later = async (ms: number) => {
  shop.clock.advance(ms);
  await reconcile(gone.deps);
};
const seen = async (orderId: string) => {
  const [order] = await shop.db.select().from(orders).where(eq(orders.orderId, orderId));
  const tries = await shop.db.select().from(attempts).where(eq(attempts.orderId, orderId)).orderBy(attempts.createdAt);
  return { status: order?.status, failureCode: order?.failureCode, tries: tries.map(({ state }) => state) };
};
const given = { failureCode: -2502, status: 'PAYMENT_FAILED' };
const byCoins = { methodCode: 'crypto', currency: 'USD', card: undefined };

/** A Pix code with a coupon, at which its customer waits while the gateway goes. */
const aWaiting = async () => {
  const [ana, discountCode] = [aBuyer(), await aCoupon(shop.db)];
  const { data } = await ana.pay({ ...byPix, discountCode });
  if (data.next.type !== 'qr') throw new Error('no code to scan');
  return { ana, discountCode, orderId: data.orderId, page: data.next.bankUrl ?? '' };
};

/** A card that the provider has charged, and whose answer got lost. */
const aLostAnswer = async () => {
  const ana = aBuyer();
  const payer = { firstName: 'LOSTANSWER', lastName: 'Lima', document: '52998224725', phone: '11987654321' };
  const { data } = await ana.pay({ payer });
  expect(data.status).toBe('SUBMITTED');
  return { ana, orderId: data.orderId };
};

/** Asks the shop that has lost the gateway, as the same customer. */
const asThere = (ana: Buyer) => ({ token: ana.token, host: ana.host });

async function repayThere(ana: Buyer, orderId: string, discountCode?: string) {
  const coupon = discountCode === undefined ? {} : { discountCode };
  const wish = { planId: '101', ...byCoins, ...coupon, orderId };
  const { card: _, ...asked } = wish;
  // what was tried is told apart by its time
  shop.clock.advance(1000);
  const quote = await gone.request(endpoints.goodsValuation, { body: asked }, asThere(ana));
  const body = {
    ...asked,
    quoteId: quote.data.quoteId,
    installments: 1,
    payer: {},
    returnUrl: '/paymentResult' as const,
    source: 'WEB' as const,
  };
  return gone.request(endpoints.repay, { body }, { ...asThere(ana), idempotencyKey: crypto.randomUUID() });
}

describe('a payment whose gateway is gone', () => {
  it('is left alone for its first minutes, because another process may have the gateway still', async () => {
    const { orderId } = await aLostAnswer();
    await later(defaultReconcileAfterMs);
    expect(await seen(orderId)).toMatchObject({ status: 'SUBMITTED', tries: ['INTENT'] });
    await reconcile(shop.deps);
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    expect(await seen(orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED' });
  });

  it('then ends, takes its code off the page, and frees its coupon', async () => {
    const { ana, orderId, discountCode } = await aWaiting();
    await later(orphanedAfterMs);
    expect(await seen(orderId)).toEqual({ ...given, tries: ['ORPHANED'] });
    expect(await usesOf(shop.db, discountCode)).toBe(0);
    const { data } = await gone.request(endpoints.paymentInfo, { body: { orderId } }, asThere(ana));
    expect(data).toMatchObject({ next: { type: 'none' }, order: { failureCode: -2502 } });
    expect(unbalanced(await shop.books())).toEqual([]);
  });

  it('is paid in another way, with its coupon', async () => {
    const { ana, orderId, discountCode } = await aWaiting();
    await later(orphanedAfterMs);
    expect((await repayThere(ana, orderId, discountCode)).data.next.type).toBe('crypto');
    expect(await seen(orderId)).toMatchObject({ status: 'PAYMENT_PENDING', tries: ['ORPHANED', 'PENDING'] });
    expect(await usesOf(shop.db, discountCode)).toBe(1);
  });

  it('gives way at once to another way that its customer chooses, and to one who takes the coupon back', async () => {
    const one = await aWaiting();
    expect((await repayThere(one.ana, one.orderId)).data.next.type).toBe('crypto');
    expect((await seen(one.orderId)).tries).toEqual(['ORPHANED', 'PENDING']);
    const { ana, orderId, discountCode } = await aWaiting();
    const query = { orderId, discountCode };
    const freed = await gone.request(endpoints.unbindDiscountCode, { query }, asThere(ana));
    expect(freed.data).toEqual({ orderId, status: 'PAYMENT_FAILED' });
    expect(await usesOf(shop.db, discountCode)).toBe(0);
  });

  it('tells a repeat of the same key how it ended', async () => {
    const [ana, idempotencyKey] = [aBuyer(), crypto.randomUUID()];
    const body = await ana.body(byPix);
    const { data } = await shop.request(endpoints.pay, { body }, { ...ana, idempotencyKey });
    await later(orphanedAfterMs);
    const again = await gone.request(endpoints.pay, { body }, { ...asThere(ana), idempotencyKey });
    expect(again).toMatchObject({ errCode: -2502, params: { orderId: data.orderId } });
  });

  it('for which a coupon pays in full is paid: nobody was to be asked', async () => {
    const [ana, discountCode] = [aBuyer(), await aCoupon(shop.db, { value: 100 })];
    const { data } = await ana.pay({ discountCode });
    // as if the process had stopped between its two phases
    await shop.db.execute(`delete from ledger where order_id = '${data.orderId}'`);
    await shop.db.execute(`update attempts set state = 'INTENT' where order_id = '${data.orderId}'`);
    await shop.db.execute(`update orders set status = 'SUBMITTED', paid_at = null where order_id = '${data.orderId}'`);
    await later(minute);
    expect(await seen(data.orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', tries: ['SUCCEEDED'] });
  });
});

describe('money that was taken all the same', () => {
  it('stays unknown, and pays the order when the gateway is back and is asked', async () => {
    const { orderId } = await aLostAnswer();
    await later(orphanedAfterMs);
    expect(await seen(orderId)).toEqual({ ...given, tries: ['ORPHANED'] });
    shop.clock.advance(orphanedAfterMs);
    expect(await reclaimOrphans(gone.deps)).toBe(0);
    expect(await reclaimOrphans(shop.deps)).toBeGreaterThan(0);
    expect(await seen(orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', tries: ['SUCCEEDED'] });
    expect(unbalanced(await shop.books())).toEqual([]);
  });

  it('pays the order when a notice comes late, and the gateway can believe it', async () => {
    const { orderId, page } = await aWaiting();
    await later(orphanedAfterMs);
    await shop.press(page, 'pay');
    await shop.deliver(1000);
    expect(await seen(orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', tries: ['SUCCEEDED'] });
  });

  it('is given back when the order was paid in another way meanwhile', async () => {
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

  it('cannot be taken any more once the gateway is back: what waited is closed there', async () => {
    const { orderId, page } = await aWaiting();
    await later(orphanedAfterMs);
    shop.clock.advance(orphanedAfterMs);
    await reclaimOrphans(shop.deps);
    expect((await seen(orderId)).tries).toEqual(['FAILED']);
    expect(await (await shop.app.request(page)).text()).toContain('closed');
  });
});

it(
  'nobody can be asked about is listed for the operator, with what its provider knows it by',
  { timeout: 60_000 },
  async () => {
    const { url: DATABASE_URL, stop } = await startPostgres();
    const lines: string[] = [];
    const told: string[] = [];
    const out = {
      clock: Date.now,
      print: (line: string) => lines.push(line),
      explain: (line: string) => told.push(line),
    };
    const list = () => runOperatorCommand(['orders', 'orphans'], { DATABASE_URL, SANDBOX: 'false' }, out);
    try {
      const orphan = await inDatabase(DATABASE_URL, async (db) => {
        await aBrand(db);
        const [ana] = await insertCustomers(db, 'acme', 1, Date.now());
        const owner = { brand: 'acme', uid: ana?.uid ?? '' };
        const attempt = { gateway: 'acquirer', state: 'ORPHANED', providerRef: 'ref-77' } as const;
        await anOrder(db, owner, { status: 'PAYMENT_FAILED', attempt: { state: 'FAILED' } });
        return anOrder(db, owner, { status: 'PAYMENT_FAILED', attempt });
      });
      expect(await list()).toBe(0);
      expect(lines.map((line) => line.split('\t').slice(0, 6))).toEqual([
        [orphan.order.orderId, 'acme', '19.90 BRL', 'acquirer', orphan.attempt.id, 'ref-77'],
      ]);
      expect(told.join()).toContain('Look each up at the provider');
    } finally {
      await stop();
    }
  },
);
