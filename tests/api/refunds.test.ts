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
import { unbalanced } from '#tests/builders/unbalanced-orders.ts';

const day = 86_400_000;
let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

type NoticeKind = 'charge' | `${'refund' | 'chargeback'} ${'opened' | 'succeeded' | 'rejected' | 'cancelled'}`;

const trackPayment = ({ id: key, orderId, amount }: { id: string; orderId: string; amount: number }) => ({
  orderId,
  key,
  tell: async (...notices: readonly NoticeKind[]) => {
    for (const kind of notices) {
      const [event = '', stage] = kind.split(' ');
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

/** An order that is paid by card by default. */
const buy = async (ana: Buyer, wish: Wish = {}) => {
  const { orderId } = (await ana.pay(wish)).data;
  const [attempt] = await shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));
  if (!attempt) throw new Error('nothing was tried');
  return trackPayment(attempt);
};

/** A pending order without any notice. */
const aPendingOrder = async (ana: Buyer) =>
  trackPayment((await anOrder(shop.db, ana, { status: 'PAYMENT_PENDING', attempt: { state: 'PENDING' } })).attempt);

const permutations = <T>(all: readonly T[]): T[][] =>
  all.length < 2
    ? [[...all]]
    : all.flatMap((one, at) => permutations(all.toSpliced(at, 1)).map((rest) => [one, ...rest]));

/** The notices about one payment, with its final state in any order of arrival. */
const noticeSets: readonly [readonly NoticeKind[], string, readonly string[], number][] = [
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

describe('returned money', () => {
  it.each(noticeSets)(
    'ends in the same state in any order of notices: %j is %s',
    async (kinds, status, books, left) => {
      const ana = await shop.buyer();
      for (const order of permutations(kinds)) {
        const paid = await aPendingOrder(ana);
        await paid.tell(...order);
        expect([order, await paid.state()]).toEqual([order, { status, books, left }]);
      }
      expect(unbalanced(await shop.books())).toEqual([]);
    },
  );

  it('is booked once, however often the same or an equivalent notice arrives', async () => {
    const { key, state, tell } = await buy(await shop.buyer());
    const notice = aNotice(key, { event: 'refund', stage: 'succeeded' });
    expect([await sendNotice(shop, notice), await sendNotice(shop, notice)]).toEqual([200, 200]);
    await tell('refund succeeded', 'refund opened');
    expect(await state()).toEqual({ status: 'REFUND_SUCCEEDED', books: ['capture', 'refund'], left: 0 });
  });

  it('is booked once for many simultaneous notices', async () => {
    const ana = await shop.buyer();
    const { key, state, tell } = await buy(ana);
    const notice = aNotice(key, { event: 'refund', stage: 'succeeded' });
    await Promise.all([...Array.from({ length: 5 }, () => sendNotice(shop, notice)), tell('refund succeeded')]);
    expect(await state()).toEqual({ status: 'REFUND_SUCCEEDED', books: ['capture', 'refund'], left: 0 });
    expect(await expiryOf(shop.db, ana.uid)).toBe(shop.clock.now);
  });

  it('with another amount or currency is not booked', async () => {
    const { key, state } = await buy(await shop.buyer());
    await sendNotice(shop, aNotice(key, { event: 'refund', stage: 'succeeded', amount: 1 }));
    await sendNotice(shop, aNotice(key, { event: 'chargeback', stage: 'opened', currency: 'USD' }));
    expect(await state()).toEqual({ status: 'PAYMENT_SUCCEEDED', books: ['capture'], left: 1990 });
  });

  it('can be requested again after a rejection, and a late notice about the first request changes nothing', async () => {
    const { tell, state } = await buy(await shop.buyer());
    await tell('refund rejected', 'refund opened');
    expect((await state()).status).toBe('REFUND_REJECTED');
    await tell('refund opened');
    expect((await state()).status).toBe('REFUND_PENDING');
    await tell('refund succeeded');
    expect(await state()).toMatchObject({ status: 'REFUND_SUCCEEDED', left: 0 });
  });

  it('of a dispute during a pending refund is booked completely', async () => {
    const { tell, state } = await buy(await shop.buyer());
    await tell('refund opened', 'chargeback opened');
    expect(await state()).toEqual({ status: 'CHARGEBACK_PENDING', books: ['capture', 'chargeback'], left: 0 });
    await tell('refund succeeded');
    expect(await state()).toMatchObject({ status: 'CHARGEBACK_PENDING', left: -1990 });
    await tell('chargeback rejected', 'chargeback succeeded');
    expect(await state()).toMatchObject({ status: 'CHARGEBACK_REJECTED', left: 0 });
    expect(unbalanced(await shop.books())).toEqual([]);
  });

  it('of a lost dispute is not returned by a contradicting notice', async () => {
    const { tell, state } = await buy(await shop.buyer());
    await tell('chargeback opened', 'chargeback succeeded', 'chargeback rejected');
    expect(await state()).toEqual({ status: 'CHARGEBACK_SUCCEEDED', books: ['capture', 'chargeback'], left: 0 });
  });
});

describe('the service of an order with returned money', () => {
  const serviceOf = async (orderId: string) => {
    const [order] = await shop.db.select().from(orders).where(eq(orders.orderId, orderId));
    return [order?.serviceStart, order?.serviceEnd];
  };

  it('ends at once without affecting the days that were used', async () => {
    const ana = await shop.buyer();
    const { orderId, tell } = await buy(ana);
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

  it('ends without shortening other orders, which begin earlier', async () => {
    const ana = await shop.buyer();
    const start = shop.clock.now;
    const [first, second] = [await buy(ana), await buy(ana)];
    const third = await buy(ana, { planId: '301' });
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

  it('that is over does not change', async () => {
    const ana = await shop.buyer();
    const { orderId, tell } = await buy(ana);
    const start = shop.clock.now;
    shop.clock.advance(40 * day);
    await tell('refund succeeded');
    expect(await expiryOf(shop.db, ana.uid)).toBe(start + 30 * day);
    expect(await serviceOf(orderId)).toEqual([start, start + 30 * day]);
  });

  it('continues after a refund of its second payment and after a dispute that was won', async () => {
    const ana = await shop.buyer();
    const { orderId, key, tell, state } = await buy(ana, byPix);
    shop.clock.advance(31 * 60_000);
    await ana.repay(orderId);
    await tell('charge', 'chargeback opened');
    expect((await state()).status).toBe('PAYMENT_SUCCEEDED');
    expect(await refundDuplicates(shop.deps)).toBe(0);
    await tell('chargeback rejected');
    expect(unbalanced(await shop.books())).toEqual([]);
    const { sandbox } = shop.deps.gateways;
    const gateways = sandbox && {
      sandbox: { ...sandbox, refund: async (refundingDeps: string) => refundingDeps === key },
    };
    const refundingDeps = { ...shop.deps, gateways: gateways ?? {} };
    expect(await refundDuplicates(refundingDeps)).toBe(1);
    await tell('refund opened', 'refund succeeded');
    expect(await state()).toMatchObject({ status: 'PAYMENT_SUCCEEDED', left: 1990 });
    expect(await expiryOf(shop.db, ana.uid)).toBe(shop.clock.now + 30 * day);
    expect(unbalanced(await shop.books())).toEqual([]);
  });
});
