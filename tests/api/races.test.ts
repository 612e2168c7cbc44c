import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCode } from '#contract/error-codes.ts';
import * as endpoints from '#contract/index.ts';
import { coupons } from '#server/db/schema/orders.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { someWork } from '#tests/builders/a-captcha.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { unbalanced } from '#tests/builders/unbalanced-orders.ts';
import { aCoupon, usesOf } from '#tests/builders/a-coupon.ts';
import { aCard, aShop, byPix, expiryOf, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';

const fifty = Array.from({ length: 50 }, (_, index) => index);
const day = 86_400_000;
let opened: Awaited<ReturnType<typeof openOnPostgres>>;
let shop: Shop;

beforeAll(async () => {
  opened = await openOnPostgres();
  shop = await aShop(opened.db);
}, 120_000);
afterAll(() => opened?.close());

/** The number of rows of this customer. */
const countsOf = async (buyer: Buyer) => {
  const { orders, attempts, ledger, charges } = await shop.books();
  const own = new Set(orders.filter((order) => order.uid === buyer.uid).map((order) => order.orderId));
  const keys = new Set(attempts.filter((attempt) => own.has(attempt.orderId)).map((attempt) => attempt.id));
  return {
    orders: own.size,
    charges: charges.filter((charge) => keys.has(charge.key) && charge.status === 'paid').length,
    captures: ledger.filter((entry) => own.has(entry.orderId) && entry.kind === 'capture').length,
  };
};

/** Pays with a new idempotency key and a solved proof of work, which frequent payments require. */
const payWithWork = async (buyer: Buyer, body: Awaited<ReturnType<Buyer['body']>>) => {
  const options = { ...buyer, idempotencyKey: crypto.randomUUID() };
  for (;;) {
    const answer = await shop.request(endpoints.pay, { body: { ...body, ...someWork(shop, buyer) } }, options);
    // a shop that is too busy for a moment is asked again with the same key, as browsers do
    if (answer.errCode !== errorCode('serviceBusy')) return answer;
  }
};

describe('concurrent requests on a real PostgreSQL', { timeout: 60_000 }, () => {
  it('leave balanced books after refunds and disputes of three orders, each reported twice', async () => {
    const ana = await shop.buyer();
    for (const _ of [1, 2, 3]) await ana.pay();
    const { orders, attempts } = await shop.books();
    const mine = new Set(orders.filter((order) => order.uid === ana.uid).map((order) => order.orderId));
    const keys = attempts.filter((attempt) => mine.has(attempt.orderId)).map((attempt) => attempt.id);
    const events = ['refund opened', 'refund succeeded', 'chargeback opened', 'chargeback succeeded'];
    const notices = keys.flatMap((key) => events.flatMap((kind) => [kind, kind]).map((kind) => ({ key, kind })));
    const answers = await Promise.all(
      notices.map(async ({ key, kind }) => {
        const [event, stage] = kind.split(' ');
        return sendNotice(shop, aNotice(key, { event, stage }));
      }),
    );
    expect(answers).toEqual(notices.map(() => 200));
    const after = await shop.books();
    expect(unbalanced(after)).toEqual([]);
    const own = after.orders.filter((order) => mine.has(order.orderId));
    expect(own.map((order) => order.status)).toEqual(own.map(() => 'CHARGEBACK_SUCCEEDED'));
    expect(await expiryOf(shop.db, ana.uid)).toBe(shop.clock.now);
  });

  it('by ten tabs with one coupon create one order, and the others receive its id', async () => {
    const ana = await shop.buyer();
    const discountCode = await aCoupon(shop.db, { maxUses: 1000 });
    const body = await ana.body({ ...byPix, discountCode });
    const answers = await Promise.all(fifty.slice(0, 10).map(() => payWithWork(ana, body)));
    const created = answers.filter((answer) => answer.code === 0).map((answer) => answer.data.orderId);
    const refused = answers.filter((answer) => answer.code !== 0);
    expect(created).toHaveLength(1);
    expect(refused.map(({ errCode, params }) => [errCode, params.orderId])).toEqual(
      refused.map(() => [9000, created[0]]),
    );
    expect(await usesOf(shop.db, discountCode)).toBe(1);
  });

  it('with one idempotency key, sent fifty times, create one order and one charge', async () => {
    const ana = await shop.buyer();
    const body = await ana.body();
    const options = { ...ana, idempotencyKey: crypto.randomUUID() };
    const answers = await Promise.all(fifty.map(() => shop.request(endpoints.pay, { body }, options)));
    expect(new Set(answers.map((answer) => answer.data.orderId)).size).toBe(1);
    expect(await countsOf(ana)).toEqual({ orders: 1, charges: 1, captures: 1 });
    expect(await expiryOf(shop.db, ana.uid)).toBe(shop.clock.now + 30 * day);
  });

  it('by fifty tabs that repay one order with different keys charge once', async () => {
    const ana = await shop.buyer();
    const declined = await ana.pay({ card: aCard('4000000000000002') });
    const orderId = declined.params.orderId ?? '';
    const body = { ...(await ana.body()), orderId };
    const answers = await Promise.all(
      fifty.map(() => shop.request(endpoints.repay, { body }, { ...ana, idempotencyKey: crypto.randomUUID() })),
    );
    expect(answers.map((answer) => answer.data.orderId)).toEqual(fifty.map(() => orderId));
    expect(await countsOf(ana)).toEqual({ orders: 1, charges: 1, captures: 1 });
  });

  it('by fifty tabs that repay one order by several methods do not deadlock', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPix);
    shop.clock.advance(31 * 60_000);
    const { orderId } = data;
    const wishes = [byPix, { card: aCard('4000000000000002') }, { ...byPix, discountCode: 'WELCOME10' }];
    const bodies = await Promise.all(wishes.map(async (wish) => ({ ...(await ana.body(wish, orderId)), orderId })));
    const answers = await Promise.all(
      fifty.map((index) =>
        shop.request(
          endpoints.repay,
          { body: bodies[index % bodies.length]! },
          { ...ana, idempotencyKey: crypto.randomUUID() },
        ),
      ),
    );
    expect(answers.filter((answer) => answer.errCode === 5008)).toEqual([]);
    const live = (await shop.books()).attempts.filter(
      (attempt) => attempt.orderId === orderId && (attempt.state === 'INTENT' || attempt.state === 'PENDING'),
    );
    expect(live.length).toBeLessThanOrEqual(1);
  });

  it('by fifty buyers consume exactly the five uses of a coupon', async () => {
    const row = {
      brand: 'lumen',
      code: 'FIVE',
      kind: 'percent' as const,
      value: 50,
      maxUses: 5,
      startsAt: 0,
      endsAt: 9e12,
    };
    await shop.db.insert(coupons).values(row);
    const buyers = await shop.buyers(fifty.length);
    const bodies = await Promise.all(buyers.map((buyer) => buyer.body({ discountCode: 'FIVE' })));
    const answers = await Promise.all(
      buyers.map((buyer, index) =>
        shop.request(endpoints.pay, { body: bodies[index]! }, { ...buyer, idempotencyKey: crypto.randomUUID() }),
      ),
    );
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(5);
    expect(answers.filter((answer) => answer.errCode === 9003)).toHaveLength(45);
    const [coupon] = await shop.db
      .select()
      .from(coupons)
      .where(and(eq(coupons.brand, 'lumen'), eq(coupons.code, 'FIVE')));
    expect(coupon?.used).toBe(5);
    const { orders } = await shop.books();
    expect(orders.filter((order) => order.discountCode === 'FIVE')).toHaveLength(5);
  });

  it('to book one payment, by notices and queries, book it once', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPix);
    const page = data.next.type === 'qr' ? (data.next.bankUrl ?? '') : '';
    await Promise.all(fifty.map(() => shop.press(page, 'pay')));
    shop.clock.advance(30_000);
    await Promise.all(fifty.flatMap(() => [shop.deliver(), reconcile(shop.deps)]));
    expect(await countsOf(ana)).toEqual({ orders: 1, charges: 1, captures: 1 });
    expect(await expiryOf(shop.db, ana.uid)).toBe(shop.clock.now + 30 * day);
  });

  it('for ten different purchases of one customer add up their days', async () => {
    const ana = await shop.buyer();
    const body = await ana.body();
    const answers = await Promise.all(fifty.slice(0, 10).map(() => payWithWork(ana, body)));
    expect(answers.map((answer) => answer.data.status)).toEqual(answers.map(() => 'PAYMENT_SUCCEEDED'));
    expect(await expiryOf(shop.db, ana.uid)).toBe(shop.clock.now + 300 * day);
  });

  it('with sixty declined cards and proofs of work reach the bank ten times', async () => {
    const ana = await shop.buyer();
    const body = await ana.body({ card: aCard('4000000000000002') });
    const before = (await shop.books()).charges.length;
    const answers = await Promise.all(Array.from({ length: 60 }, () => payWithWork(ana, body)));
    expect((await shop.books()).charges.length - before).toBe(10);
    expect(answers.filter(({ errCode }) => errCode === -3031)).toHaveLength(50);
  });

  it('for sixty orders with proofs of work create twenty pending orders', async () => {
    const ana = await shop.buyer();
    const body = await ana.body(byPix);
    const answers = await Promise.all(Array.from({ length: 60 }, () => payWithWork(ana, body)));
    expect((await countsOf(ana)).orders).toBe(20);
    expect(answers.filter(({ errCode }) => errCode === -3031)).toHaveLength(40);
  });
});
