import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { refundParts } from '#server/jobs/refund-parts.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { expiryOf } from '#tests/builders/a-shop.ts';
import { month, partialRefunds, reason } from '#tests/builders/partial-refunds.ts';

const desk = partialRefunds();
const { aPaidOrder, part, stateOf } = desk;

describe('a partial refund in the dashboard of the provider', () => {
  const dashboardRefund = (stage: string, amount: number, ref: string) => ({
    event: 'refund',
    stage,
    part: { amount, ref },
  });

  it('is booked once whatever the order of its notices, and keeps the days', async () => {
    const { buyer, orderId, key } = await aPaidOrder();
    const notify = (stage: string, amount: number, ref: string) =>
      sendNotice(desk.operator.shop, aNotice(key, dashboardRefund(stage, amount, ref)));
    await notify('succeeded', 300, 're_1');
    await notify('opened', 300, 're_1');
    await notify('opened', 400, 're_2');
    await notify('rejected', 400, 're_2');
    await notify('succeeded', 300, 're_1');
    expect(await stateOf(orderId)).toEqual({
      status: 'PAYMENT_SUCCEEDED',
      refunded: 300,
      books: ['capture 1990', 'part 1 -300'],
      parts: ['SUCCEEDED 300', 'REJECTED 400'],
    });
    expect(await expiryOf(desk.operator.shop.db, buyer.uid)).toBe(desk.operator.shop.clock.now + month);
    await notify('succeeded', 1690, 're_3');
    expect(await stateOf(orderId)).toMatchObject({ status: 'REFUND_SUCCEEDED', refunded: 1990 });
    expect(await expiryOf(desk.operator.shop.db, buyer.uid)).toBe(desk.operator.shop.clock.now);
  });

  it('is not booked again after the rest was refunded', async () => {
    const { orderId, key } = await aPaidOrder();
    await desk.operator.run('orders', 'refund', orderId, reason);
    await sendNotice(desk.operator.shop, aNotice(key, dashboardRefund('succeeded', 300, 're_9')));
    expect(await stateOf(orderId)).toMatchObject({ refunded: 1990, books: ['capture 1990', 'refund -1990'] });
  });

  it('reduces the refund of a duplicate payment', async () => {
    const { db } = desk.operator.shop;
    const { orderId, key } = await aPaidOrder();
    const id = crypto.randomUUID();
    const [first] = await db.select().from(attempts).where(eq(attempts.id, key));
    if (!first) throw new Error('no attempt');
    await db.insert(attempts).values({ ...first, id, idempotencyKey: id, state: 'PENDING' });
    await sendNotice(desk.operator.shop, aNotice(id, dashboardRefund('succeeded', 300, 're_4')));
    expect(await stateOf(orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', refunded: 0 });
    await db.update(ledger).set({ giveBackAt: null }).where(eq(ledger.attemptId, id));
    await sendNotice(desk.operator.shop, aNotice(id, dashboardRefund('succeeded', 1690, 're_5')));
    expect(await refundDuplicates(desk.operator.shop.deps)).toBe(0);
    expect((await stateOf(orderId)).books).toEqual(['capture 1990', 'capture 1990', 'part 1 -300', 'part 2 -1690']);
  });
});

describe('a dispute after partial refunds', () => {
  const dispute = (key: string, stage: string, amount?: number) =>
    sendNotice(desk.operator.shop, aNotice(key, { event: 'chargeback', stage, ...(amount && { disputed: amount }) }));

  it.each([1990, 9999])('charges back %i as the bank says it, at most the payment', async (amount) => {
    const { orderId, key } = await aPaidOrder();
    await part(orderId, '5.00');
    await dispute(key, 'opened', amount);
    await dispute(key, 'rejected', amount);
    expect((await stateOf(orderId)).books).toEqual(['capture 1990', 'chargeback -1990', 'part 1 -500', 'return 1990']);
  });

  it('charges back the remaining amount if the bank names none, and returns it when it is won', async () => {
    const { orderId, key } = await aPaidOrder();
    await part(orderId, '5.00');
    await dispute(key, 'opened');
    expect((await part(orderId, '1.00')).told).toContain('could pay the customer twice');
    await dispute(key, 'rejected');
    expect((await stateOf(orderId)).books).toEqual(['capture 1990', 'chargeback -1490', 'part 1 -500', 'return 1490']);
  });

  it('over a part of the payment keeps the days that the rest pays for when it is lost', async () => {
    const { buyer, orderId, key } = await aPaidOrder();
    await dispute(key, 'succeeded', 700);
    expect(await stateOf(orderId)).toMatchObject({
      status: 'CHARGEBACK_SUCCEEDED',
      books: ['capture 1990', 'chargeback -700'],
    });
    expect(await expiryOf(desk.operator.shop.db, buyer.uid)).toBe(desk.operator.shop.clock.now + month);
  });

  it('stops a partial refund of unknown outcome, which is booked if a notice confirms it', async () => {
    const { orderId, key } = await aPaidOrder();
    await part(orderId, '4.92');
    await dispute(key, 'opened');
    desk.operator.shop.clock.advance(60_000);
    expect(await refundParts(desk.operator.shop.deps)).toBe(0);
    expect(desk.requested).toHaveLength(1);
    expect(await stateOf(orderId)).toMatchObject({ parts: ['REJECTED 492'] });
    const refundNotice = { event: 'refund', stage: 'succeeded', part: { amount: 492, number: 1 } };
    await sendNotice(desk.operator.shop, aNotice(key, refundNotice));
    expect(await stateOf(orderId)).toMatchObject({ refunded: 492, parts: ['SUCCEEDED 492'] });
  });
});
