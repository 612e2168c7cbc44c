import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import { users } from '#server/db/schema/users.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { aShop, byPix, expiryOf, type Buyer, type Shop, type Wish } from '#tests/builders/a-shop.ts';
import { unbalanced } from '#tests/builders/balanced.ts';

const day = 86_400_000;
let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

type Told = 'charge' | `${'refund' | 'chargeback'} ${'opened' | 'succeeded' | 'rejected' | 'cancelled'}`;

const followed = ({ id: key, orderId, amount }: { id: string; orderId: string; amount: number }) => ({
  orderId,
  key,
  tell: async (...notices: readonly Told[]) => {
    for (const told of notices) {
      const [event = '', stage] = told.split(' ');
      await sendNotice(shop, aNotice(key, { event, amount, ...(stage && { stage }) }));
    }
  },
  state: async () => {
    const [order] = await shop.db.select().from(orders).where(eq(orders.orderId, orderId));
    const entries = await shop.db.select().from(ledger).where(eq(ledger.orderId, orderId));
    return {
      status: order?.status,
      books: entries.map((entry) => entry.kind).toSorted(),
      left: entries.reduce((sum, entry) => sum + entry.amount, 0),
    };
  },
});

/** An order that is paid by card, unless told otherwise. */
const bought = async (ana: Buyer, wish: Wish = {}) => {
  const { orderId } = (await ana.pay(wish)).data;
  const [attempt] = await shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));
  if (!attempt) throw new Error('nothing was tried');
  return followed(attempt);
};

/** An order that nobody has told us to be paid. */
const awaited = async (ana: Buyer) =>
  followed((await anOrder(shop.db, ana, { status: 'PAYMENT_PENDING', attempt: { state: 'PENDING' } })).attempt);

const permutations = <T>(all: readonly T[]): T[][] =>
  all.length < 2
    ? [[...all]]
    : all.flatMap((one, at) => permutations(all.toSpliced(at, 1)).map((rest) => [one, ...rest]));

/** Everything that can be told of one payment, and how it ends in whatever order it is told. */
const stories: readonly [readonly Told[], string, readonly string[], number][] = [
  [['charge', 'refund opened'], 'REFUND_PENDING', ['capture'], 1990],
  [['charge', 'refund opened', 'refund succeeded'], 'REFUND_SUCCEEDED', ['capture', 'refund'], 0],
  [['charge', 'refund opened', 'refund rejected'], 'REFUND_REJECTED', ['capture'], 1990],
  [['charge', 'refund opened', 'refund cancelled'], 'REFUND_CANCELLED', ['capture'], 1990],
  [['charge', 'chargeback opened'], 'CHARGEBACK_PENDING', ['capture', 'chargeback'], 0],
  [['charge', 'chargeback opened', 'chargeback succeeded'], 'CHARGEBACK_SUCCEEDED', ['capture', 'chargeback'], 0],
  [
    ['charge', 'chargeback opened', 'chargeback rejected'],
    'CHARGEBACK_REJECTED',
    ['capture', 'chargeback', 'return'],
    1990,
  ],
  [
    ['charge', 'chargeback opened', 'chargeback cancelled'],
    'CHARGEBACK_CANCELLED',
    ['capture', 'chargeback', 'return'],
    1990,
  ],
];

describe('money that goes back', () => {
  it.each(stories)('ends the same in whatever order it is told: %j is %s', async (told, status, books, left) => {
    const ana = await shop.buyer();
    for (const order of permutations(told)) {
      const paid = await awaited(ana);
      await paid.tell(...order);
      expect([order, await paid.state()]).toEqual([order, { status, books, left }]);
    }
    expect(unbalanced(await shop.books())).toEqual([]);
  });

  it('is booked once, however often the same event and its like are told', async () => {
    const { key, state, tell } = await bought(await shop.buyer());
    const notice = aNotice(key, { event: 'refund', stage: 'succeeded' });
    expect([await sendNotice(shop, notice), await sendNotice(shop, notice)]).toEqual([200, 200]);
    await tell('refund succeeded', 'refund opened');
    expect(await state()).toEqual({ status: 'REFUND_SUCCEEDED', books: ['capture', 'refund'], left: 0 });
  });

  it('told many times at once is booked once', async () => {
    const ana = await shop.buyer();
    const { key, state, tell } = await bought(ana);
    const notice = aNotice(key, { event: 'refund', stage: 'succeeded' });
    await Promise.all([...Array.from({ length: 5 }, () => sendNotice(shop, notice)), tell('refund succeeded')]);
    expect(await state()).toEqual({ status: 'REFUND_SUCCEEDED', books: ['capture', 'refund'], left: 0 });
    expect(await expiryOf(shop.db, ana.uid)).toBe(shop.clock.now);
  });

  it('in another amount or currency is not believed', async () => {
    const { key, state } = await bought(await shop.buyer());
    await sendNotice(shop, aNotice(key, { event: 'refund', stage: 'succeeded', amount: 1 }));
    await sendNotice(shop, aNotice(key, { event: 'chargeback', stage: 'opened', currency: 'USD' }));
    expect(await state()).toEqual({ status: 'PAYMENT_SUCCEEDED', books: ['capture'], left: 1990 });
  });

  it('can be asked for again after it was rejected, and the late word about the first time changes nothing', async () => {
    const { tell, state } = await bought(await shop.buyer());
    await tell('refund rejected', 'refund opened');
    expect((await state()).status).toBe('REFUND_REJECTED');
    await tell('refund opened');
    expect((await state()).status).toBe('REFUND_PENDING');
    await tell('refund succeeded');
    expect(await state()).toMatchObject({ status: 'REFUND_SUCCEEDED', left: 0 });
  });

  it('taken by the bank while a refund was only asked for is a dispute, and all of it is in the books', async () => {
    const { tell, state } = await bought(await shop.buyer());
    await tell('refund opened', 'chargeback opened');
    expect(await state()).toEqual({ status: 'CHARGEBACK_PENDING', books: ['capture', 'chargeback'], left: 0 });
    await tell('refund succeeded');
    expect(await state()).toMatchObject({ status: 'CHARGEBACK_PENDING', left: -1990 });
    await tell('chargeback rejected', 'chargeback succeeded');
    expect(await state()).toMatchObject({ status: 'CHARGEBACK_REJECTED', left: 0 });
    expect(unbalanced(await shop.books())).toEqual([]);
  });

  it('after a dispute was lost does not come back by a word that contradicts it', async () => {
    const { tell, state } = await bought(await shop.buyer());
    await tell('chargeback opened', 'chargeback succeeded', 'chargeback rejected');
    expect(await state()).toEqual({ status: 'CHARGEBACK_SUCCEEDED', books: ['capture', 'chargeback'], left: 0 });
  });
});

describe('the service of an order whose money went back', () => {
  const serviceOf = async (orderId: string) => {
    const [order] = await shop.db.select().from(orders).where(eq(orders.orderId, orderId));
    return [order?.serviceStart, order?.serviceEnd];
  };

  it('ends at once, and the days that were used stay used', async () => {
    const ana = await shop.buyer();
    const { orderId, tell } = await bought(ana);
    const start = shop.clock.now;
    shop.clock.advance(10 * day);
    await tell('refund opened');
    expect(await expiryOf(shop.db, ana.uid)).toBe(start + 30 * day);
    await tell('refund succeeded');
    expect(await expiryOf(shop.db, ana.uid)).toBe(start + 10 * day);
    expect(await serviceOf(orderId)).toEqual([start, start + 10 * day]);
    await tell('chargeback opened', 'chargeback succeeded');
    expect(await expiryOf(shop.db, ana.uid)).toBe(start + 10 * day);
  });

  it('is not taken from another order: what follows only begins earlier', async () => {
    const ana = await shop.buyer();
    const start = shop.clock.now;
    const [first, second] = [await bought(ana), await bought(ana)];
    const third = await bought(ana, { planId: '301' });
    shop.clock.advance(10 * day);
    await first.tell('refund succeeded');
    expect(await expiryOf(shop.db, ana.uid)).toBe(start + 70 * day);
    expect(await serviceOf(second.orderId)).toEqual([start + 10 * day, start + 40 * day]);
    await third.tell('chargeback opened');
    expect(await expiryOf(shop.db, ana.uid)).toBe(start + 70 * day);
    await third.tell('chargeback succeeded');
    expect(await expiryOf(shop.db, ana.uid)).toBe(start + 40 * day);
    const [row] = await shop.db.select().from(users).where(eq(users.uid, ana.uid));
    expect(row).toMatchObject({ planId: '101', limitCount: 1 });
    shop.clock.advance(25 * day);
    await second.tell('refund succeeded');
    expect(await expiryOf(shop.db, ana.uid)).toBe(shop.clock.now);
  });

  it('that is over is left as it was', async () => {
    const ana = await shop.buyer();
    const { orderId, tell } = await bought(ana);
    const start = shop.clock.now;
    shop.clock.advance(40 * day);
    await tell('refund succeeded');
    expect(await expiryOf(shop.db, ana.uid)).toBe(start + 30 * day);
    expect(await serviceOf(orderId)).toEqual([start, start + 30 * day]);
  });

  it('stays when only the second payment of the order is given back, or was disputed and won', async () => {
    const ana = await shop.buyer();
    const { orderId, key, tell, state } = await bought(ana, byPix);
    shop.clock.advance(31 * 60_000);
    await ana.repay(orderId);
    await tell('charge', 'chargeback opened');
    expect((await state()).status).toBe('PAYMENT_SUCCEEDED');
    expect(await refundDuplicates(shop.deps)).toBe(0);
    await tell('chargeback rejected');
    expect(unbalanced(await shop.books())).toEqual([]);
    const { sandbox } = shop.deps.gateways;
    const gateways = sandbox && { sandbox: { ...sandbox, refund: async (asked: string) => asked === key } };
    const asked = { ...shop.deps, gateways: gateways ?? {} };
    expect(await refundDuplicates(asked)).toBe(1);
    await tell('refund opened', 'refund succeeded');
    expect(await state()).toMatchObject({ status: 'PAYMENT_SUCCEEDED', left: 1990 });
    expect(await expiryOf(shop.db, ana.uid)).toBe(shop.clock.now + 30 * day);
    expect(unbalanced(await shop.books())).toEqual([]);
  });
});
