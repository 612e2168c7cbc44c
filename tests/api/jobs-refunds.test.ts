import { asc, eq, isNotNull, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import type { Deps } from '#server/deps.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import type { PaymentGateway } from '#server/payments/gateway.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { aShop, byPix, type Shop } from '#tests/builders/a-shop.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { paidTwice, unbalanced } from '#tests/builders/unbalanced-orders.ts';
import { insertDueWork } from '#tests/builders/due-rows.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';

type Refund = PaymentGateway['refund'];

/** The same shop with a provider whose refunds are replaced by `refund`. */
function refundingBy(deps: Deps, refund: Refund): Deps {
  const { sandbox } = deps.gateways;
  if (!sandbox) throw new Error('no sandbox');
  return { ...deps, gateways: { ...deps.gateways, sandbox: { ...sandbox, refund } } };
}

const refundsDue = (shop: Shop) =>
  shop.db.select().from(ledger).where(isNotNull(ledger.giveBackAt)).orderBy(asc(ledger.id));
const refundsOf = async (shop: Shop) => (await shop.books()).ledger.filter(({ kind }) => kind === 'refund');

/** An order with an expired and a pending Pix code; returns the keys of both. */
async function withTwoCodes(shop: Shop, uid: string): Promise<readonly [string, string]> {
  const old = await anOrder(shop.db, { uid }, { status: 'PAYMENT_PENDING', attempt: { state: 'EXPIRED' } });
  const id = crypto.randomUUID();
  await shop.db.insert(attempts).values({ ...old.attempt, id, idempotencyKey: id, state: 'PENDING' });
  return [old.attempt.id, id];
}

describe('a second payment of an order', () => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await aShop();
  });
  afterEach(() => shop.close());

  it('is due for a refund when it is booked, and the first payment is not', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPix);
    const [waiting] = await shop.db.select().from(attempts).where(eq(attempts.orderId, data.orderId));
    const { id: key = '', amount } = waiting ?? {};
    shop.clock.advance(31 * 60_000);
    await ana.repay(data.orderId);
    expect(await refundsDue(shop)).toEqual([]);
    await sendNotice(shop, aNotice(key, { amount }));
    expect(await refundsDue(shop)).toMatchObject([{ attemptId: key, kind: 'capture', giveBackAt: shop.clock.now }]);
  });

  it('is booked as refunded later when the shop is killed after the provider refunded it', async () => {
    await insertDueWork(shop.db, { count: 3, now: shop.clock.now, name: 'due' });
    const refunded: string[] = [];
    const killed = refundingBy(shop.deps, async (key) => {
      refunded.push(key);
      throw new Error('killed');
    });
    expect(await refundDuplicates(killed)).toBe(0);
    expect(await refundsOf(shop)).toEqual([]);
    const restarted = refundingBy(shop.deps, async (key) => refunded.includes(key));
    expect(await refundDuplicates(restarted)).toBe(0);
    shop.clock.advance(60_000);
    expect(await refundDuplicates(restarted)).toBe(3);
    expect(await refundsDue(shop)).toEqual([]);
    const books = await shop.books();
    expect(paidTwice(books)).toEqual([]);
    const back = books.ledger.filter(({ kind }) => kind === 'refund').map(({ attemptId }) => attemptId);
    expect(back.toSorted()).toEqual(refunded.toSorted());
  });

  it('is refunded although twenty others cannot be refunded yet', async () => {
    await insertDueWork(shop.db, { count: 25, now: shop.clock.now, name: 'due' });
    const first = new Set((await refundsDue(shop)).slice(0, 20).map(({ attemptId }) => attemptId));
    const requested: string[] = [];
    const deps = refundingBy(shop.deps, async (key) => {
      requested.push(key);
      return !first.has(key);
    });
    expect(await refundDuplicates(deps)).toBe(5);
    expect(requested).toHaveLength(25);
    expect(await refundDuplicates(deps)).toBe(0);
    expect(requested).toHaveLength(25);
    shop.clock.advance(60_000);
    expect(await refundDuplicates(refundingBy(shop.deps, async () => true))).toBe(20);
  });

  it('is refunded even if a process of the previous version booked it without a due date', async () => {
    await insertDueWork(shop.db, { count: 4, now: shop.clock.now, name: 'due' });
    await shop.db.execute(sql`update ledger set give_back_at = default`);
    expect(await refundsDue(shop)).toHaveLength(12);
    const requested: string[] = [];
    const deps = refundingBy(shop.deps, async (key) => requested.push(key) > 0);
    expect(await refundDuplicates(deps)).toBe(4);
    expect(requested.toSorted()).toEqual(['due-second-1', 'due-second-2', 'due-second-3', 'due-second-4']);
    expect((await refundsDue(shop)).filter(({ kind }) => kind === 'capture')).toEqual([]);
  });
});

describe('on a real PostgreSQL', { timeout: 60_000 }, () => {
  let opened: Awaited<ReturnType<typeof openOnPostgres>>;
  let shop: Shop;
  beforeAll(async () => {
    opened = await openOnPostgres();
    shop = await aShop(opened.db);
  }, 120_000);
  afterAll(() => opened?.close());

  it('one of two simultaneous payments of an order is due for a refund', async () => {
    const [ana] = await shop.buyers(1);
    if (!ana) throw new Error('no buyer');
    const pairs: (readonly [string, string])[] = [];
    for (let index = 0; index < 30; index += 1) pairs.push(await withTwoCodes(shop, ana.uid));
    await Promise.all(pairs.flat().map(async (key) => sendNotice(shop, aNotice(key))));
    const books = await shop.books();
    expect(unbalanced(books)).toEqual([]);
    const seconds = pairs.map((pair) =>
      books.ledger.filter(({ attemptId, giveBackAt }) => pair.includes(attemptId) && giveBackAt !== null),
    );
    expect(seconds.map(({ length }) => length)).toEqual(pairs.map(() => 1));
    expect(paidTwice(books).toSorted()).toEqual(
      seconds
        .flat()
        .map(({ orderId }) => orderId)
        .toSorted(),
    );
    const requested: string[] = [];
    expect(await refundDuplicates(refundingBy(shop.deps, async (key) => requested.push(key) > 0))).toBe(30);
    const after = await shop.books();
    expect(unbalanced(after)).toEqual([]);
    expect(paidTwice(after)).toEqual([]);
    expect(requested.toSorted()).toEqual(
      seconds
        .flat()
        .map(({ attemptId }) => attemptId)
        .toSorted(),
    );
  });

  it('four processes refund each second payment once', async () => {
    await insertDueWork(shop.db, { count: 90, now: shop.clock.now, name: 'race' });
    const requested: string[] = [];
    const deps = refundingBy(shop.deps, async (key) => {
      requested.push(key);
      await new Promise(setImmediate);
      return true;
    });
    const counts = await Promise.all([1, 2, 3, 4].map(() => refundDuplicates(deps)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(90);
    expect(new Set(requested).size).toBe(90);
    expect(requested).toHaveLength(90);
    expect(paidTwice(await shop.books())).toEqual([]);
    expect(await refundsDue(shop)).toEqual([]);
  });
});
