import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { startDemoWithRefunds } from '#tests/builders/an-operator-demo.ts';
import { expiryOf } from '#tests/builders/a-shop.ts';
import { aTransfer } from '#tests/builders/a-transfer.ts';
import { unbalanced } from '#tests/builders/unbalanced-orders.ts';

const reason = '--why=ticket 7';
let operator: Awaited<ReturnType<typeof startDemoWithRefunds>>;
beforeAll(async () => {
  operator = await startDemoWithRefunds();
}, 60_000);
afterAll(() => operator?.close());

async function aPaidOrder() {
  const { shop, bank } = operator;
  bank.answer = undefined;
  const ana = await shop.buyer();
  const { orderId } = (await ana.pay({})).data;
  const [attempt] = await shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));
  const rows = () => shop.db.select().from(ledger).where(eq(ledger.orderId, orderId));
  return {
    ana,
    orderId,
    key: attempt?.id ?? '',
    statusOf: async () => (await shop.request(endpoints.order, { params: { id: orderId } }, ana)).data.status,
    booksOf: async () => (await rows()).map(({ kind, amount }) => `${kind} ${amount}`).toSorted(),
    subjects: async () => {
      const mails = await shop.db.select().from(outbox).where(eq(outbox.recipient, ana.account));
      return mails.map(({ subject }) => subject.replace(/ \(.*/, ''));
    },
  };
}

describe('a refund that the provider refused', () => {
  it('is recorded once after the operator has sent the money by hand, and ends the days', async () => {
    const { ana, orderId, key, statusOf, booksOf, subjects } = await aPaidOrder();
    operator.bank.answer = { permanentFailure: 'its user may not reverse' };
    const refused = await operator.run('orders', 'refund', orderId, reason);
    expect(refused.told).toContain('If you send the money by hand, run withdrawals refunded after that.');
    expect(await statusOf()).toBe('REFUND_REJECTED');
    const sent = await operator.run('withdrawals', 'refunded', orderId, reason);
    expect(sent.code).toBe(0);
    expect(sent.told).toContain('19.90 BRL');
    expect([await statusOf(), await booksOf()]).toEqual(['REFUND_SUCCEEDED', ['capture 1990', 'refund -1990']]);
    expect(await expiryOf(operator.shop.db, ana.uid)).toBeLessThanOrEqual(operator.shop.clock.now);
    expect(await subjects()).toContain('Your refund is on its way');
    // notices about the refund in the provider's portal arrive later
    for (const part of [undefined, { amount: 1990, ref: 're_1' }])
      await sendNotice(operator.shop, aNotice(key, { event: 'refund', stage: 'succeeded', ...(part && { part }) }));
    expect((await operator.run('withdrawals', 'refunded', orderId, reason)).code).toBe(1);
    expect(await booksOf()).toEqual(['capture 1990', 'refund -1990']);
    expect(unbalanced(await operator.shop.books())).toEqual([]);
  });

  it('is not recorded for an order that is paid', async () => {
    const { orderId, statusOf, booksOf } = await aPaidOrder();
    expect((await operator.run('withdrawals', 'refunded', orderId, reason)).code).toBe(1);
    expect([await statusOf(), await booksOf()]).toEqual(['PAYMENT_SUCCEEDED', ['capture 1990']]);
  });

  it('is recorded for a part with its amount, once, and the order keeps its days', async () => {
    const { ana, orderId, statusOf, booksOf } = await aPaidOrder();
    const [end, part] = [await expiryOf(operator.shop.db, ana.uid), '--amount=4.91'];
    expect((await operator.run('withdrawals', 'refunded', orderId, part, reason)).code).toBe(1);
    // the sandbox bank rejects this amount
    const refused = await operator.run('orders', 'refund', orderId, part, reason);
    expect(refused.told).toContain('run withdrawals refunded with the same --amount');
    expect((await operator.run('withdrawals', 'refunded', orderId, '--amount=4.90', reason)).code).toBe(1);
    expect((await operator.run('withdrawals', 'refunded', orderId, part, reason)).told).toContain('4.91 BRL');
    expect((await operator.run('withdrawals', 'refunded', orderId, part, reason)).code).toBe(1);
    expect([await statusOf(), await booksOf()]).toEqual(['PAYMENT_SUCCEEDED', ['capture 1990', 'part 1 -491']]);
    expect(await expiryOf(operator.shop.db, ana.uid)).toBe(end);
    expect(unbalanced(await operator.shop.books())).toEqual([]);
  });

  it('is recorded by the commands of transfers if it was one, so that it is not listed as one to send', async () => {
    const { buyer, orderId, prove, accept } = await aTransfer(operator.shop);
    await prove();
    await accept();
    await operator.shop.request(endpoints.withdrawOrder, { body: { orderId } }, buyer);
    await operator.run('withdrawals', 'refuse', orderId, '--words=All days were used.', reason);
    const refused = await operator.run('withdrawals', 'refunded', orderId, reason);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.told).toContain('run orders refund, then transfers done');
    await operator.run('orders', 'refund', orderId, reason);
    expect((await operator.run('transfers', 'list')).out.join()).toContain(orderId);
    await operator.run('transfers', 'done', orderId, reason);
    expect((await operator.run('transfers', 'list')).out.join()).not.toContain(orderId);
  });
});
