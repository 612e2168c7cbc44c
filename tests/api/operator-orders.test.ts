import { orderNumber } from '#contract/mask.ts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { auditLog } from '#server/db/schema/audit.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { coupons, orders } from '#server/db/schema/orders.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { aCoupon } from '#tests/builders/a-coupon.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { byPix, expiryOf, type Buyer } from '#tests/builders/a-shop.ts';
import { unbalanced } from '#tests/builders/unbalanced-orders.ts';
import { startDemoWithRefunds } from '#tests/builders/an-operator-demo.ts';

let cli: Awaited<ReturnType<typeof startDemoWithRefunds>>;
beforeAll(async () => {
  cli = await startDemoWithRefunds();
}, 60_000);
afterAll(() => cli?.close());

const why = '--why=ticket 7';

const bought = async (buyer: Buyer, wish = {}) => {
  const { orderId } = (await buyer.pay(wish)).data;
  const [attempt] = await cli.shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));
  return { orderId, key: attempt?.id ?? '' };
};

async function stateOf(orderId: string) {
  const { db } = cli.shop;
  const [order] = await db.select().from(orders).where(eq(orders.orderId, orderId));
  const books = await db.select().from(ledger).where(eq(ledger.orderId, orderId));
  const changes = await db.select().from(auditLog).where(eq(auditLog.subject, orderId));
  return {
    status: order?.status,
    books: books.map(({ kind, amount }) => `${kind} ${amount}`).sort(),
    refundDue: books.some(({ giveBackAt }) => giveBackAt !== null),
    changes: changes.length,
  };
}

const mailsTo = async ({ account }: Buyer) =>
  (await cli.shop.db.select().from(outbox).where(eq(outbox.recipient, account))).map(({ subject }) => subject);

describe('a refund by an operator', () => {
  it('refunds the payment once, ends its days, and notifies the customer', async () => {
    cli.bank.requests = [];
    const ana = await cli.shop.buyer();
    const { orderId, key } = await bought(ana);
    const result = await cli.run('orders', 'refund', orderId.toLowerCase(), '--amount=19.90', why, '--json');
    expect(result, result.told).toMatchObject({ code: 0 });
    expect(result.facts).toEqual([{ orderId, amount: 1990, currency: 'BRL', status: 'REFUND_SUCCEEDED' }]);
    const after = { status: 'REFUND_SUCCEEDED', books: ['capture 1990', 'refund -1990'], refundDue: false, changes: 1 };
    expect(await stateOf(orderId)).toEqual(after);
    expect(await expiryOf(cli.shop.db, ana.uid)).toBe(cli.shop.clock.now);
    expect((await mailsTo(ana)).filter((subject) => subject.includes('refund is on its way'))).toHaveLength(1);

    const changes = await cli.run('audit', 'list', '--brand=lumen', `--subject=${orderId}`);
    expect(changes.out.join()).toContain('amount=19.90 BRL');
    expect((await cli.run('orders', 'refund', orderId, why)).told).toContain('refunded before');
    await sendNotice(cli.shop, aNotice(key, { event: 'refund', stage: 'opened' }));
    await sendNotice(cli.shop, aNotice(key, { event: 'refund', stage: 'succeeded' }));
    await refundDuplicates(cli.shop.deps);
    expect(await stateOf(orderId)).toEqual(after);
    expect(cli.bank.requests).toEqual([key]);
    expect((await mailsTo(ana)).filter((subject) => subject.includes('refund is on its way'))).toHaveLength(1);
    expect(unbalanced(await cli.shop.books())).toEqual([]);
  });

  it('that the bank does not confirm is retried until it succeeds', async () => {
    cli.bank.requests = [];
    const ana = await cli.shop.buyer();
    const { orderId, key } = await bought(ana);
    cli.bank.answer = false;
    const result = await cli.run('orders', 'refund', orderId, why);
    expect([result.code, result.told]).toEqual([0, expect.stringContaining('has not refunded 19.90 BRL yet')]);
    expect(await stateOf(orderId)).toMatchObject({
      status: 'REFUND_PENDING',
      books: ['capture 1990'],
      refundDue: true,
    });
    expect(await expiryOf(cli.shop.db, ana.uid)).toBe(cli.shop.clock.now + 30 * 86_400_000);
    await cli.run('orders', 'refund', orderId, why);
    cli.shop.clock.advance(1000);
    cli.bank.answer = undefined;
    expect(await refundDuplicates(cli.shop.deps)).toBe(1);
    expect(await stateOf(orderId)).toMatchObject({ status: 'REFUND_SUCCEEDED', refundDue: false, changes: 1 });
    expect(cli.bank.requests).toEqual([key, key, key]);
    expect(await refundDuplicates(cli.shop.deps)).toBe(0);
  });

  it('that the gateway can never make is reported with its reason, not retried, and can be repeated', async () => {
    const { orderId } = await bought(await cli.shop.buyer());
    cli.bank.answer = { permanentFailure: 'its user may not reverse, so do it in the portal' };
    const result = await cli.run('orders', 'refund', orderId, why);
    expect([result.code, result.told]).toEqual([
      0,
      expect.stringContaining('its user may not reverse, so do it in the portal'),
    ]);
    cli.bank.requests = [];
    cli.shop.clock.advance(600_000);
    expect(await refundDuplicates(cli.shop.deps)).toBe(0);
    expect(cli.bank.requests).toEqual([]);
    expect(await stateOf(orderId)).toMatchObject({
      status: 'REFUND_REJECTED',
      books: ['capture 1990'],
      refundDue: false,
    });
    await cli.run('orders', 'refund', orderId, why);
    cli.bank.answer = undefined;
    expect((await cli.run('orders', 'refund', orderId, why)).told).toContain('are refunded');
    expect(await stateOf(orderId)).toMatchObject({
      status: 'REFUND_SUCCEEDED',
      books: ['capture 1990', 'refund -1990'],
    });
  });

  it('that the provider rejects is not retried, and can be repeated', async () => {
    const { orderId, key } = await bought(await cli.shop.buyer());
    cli.bank.answer = false;
    await cli.run('orders', 'refund', orderId, why);
    await sendNotice(cli.shop, aNotice(key, { event: 'refund', stage: 'rejected' }));
    cli.bank.answer = undefined;
    cli.shop.clock.advance(600_000);
    expect(await refundDuplicates(cli.shop.deps)).toBe(0);
    expect(await stateOf(orderId)).toMatchObject({
      status: 'REFUND_REJECTED',
      books: ['capture 1990'],
      refundDue: false,
    });
    expect((await cli.run('orders', 'refund', orderId, why)).code).toBe(0);
    expect(await stateOf(orderId)).toMatchObject({ status: 'REFUND_SUCCEEDED', changes: 2 });
  });

  it('is not requested during a chargeback', async () => {
    cli.bank.requests = [];
    const { orderId, key } = await bought(await cli.shop.buyer());
    cli.bank.answer = false;
    await cli.run('orders', 'refund', orderId, why);
    await sendNotice(cli.shop, aNotice(key, { event: 'chargeback', stage: 'opened' }));
    cli.bank.answer = undefined;
    cli.shop.clock.advance(600_000);
    await refundDuplicates(cli.shop.deps);
    const result = await cli.run('orders', 'refund', orderId, why);
    expect([result.code, result.told]).toEqual([1, expect.stringContaining('could pay the customer twice')]);
    expect(cli.bank.requests).toEqual([key]);
    expect(await stateOf(orderId)).toMatchObject({ books: ['capture 1990', 'chargeback -1990'], refundDue: false });
  });

  it('without a payment is refused with a message and changes nothing', async () => {
    const waiting = await bought(await cli.shop.buyer(), byPix);
    expect((await cli.run('orders', 'refund', waiting.orderId, why)).told).toContain('Nothing was paid');
    expect((await cli.run('orders', 'refund', 'NOSUCHORDER', why)).told).toContain('There is no order');
    expect(await stateOf(waiting.orderId)).toMatchObject({ status: 'PAYMENT_PENDING', changes: 0 });
  });
});

describe('an order that an operator cancels', () => {
  it('is closed at its provider, releases its coupon and notifies its customer once', async () => {
    const { shop, run } = cli;
    await aCoupon(shop.db, { code: 'DESK' });
    const ana = await shop.buyer();
    const { orderId, key } = await bought(ana, { ...byPix, discountCode: 'DESK' });
    const plain = await bought(await shop.buyer(), byPix);
    expect((await run('orders', 'cancel', orderId, why)).told).toContain(
      'is cancelled, and its coupon DESK can be used',
    );
    expect((await run('orders', 'cancel', plain.orderId, why)).told).toMatch(/is cancelled\.\n$/);
    expect((await run('orders', 'cancel', orderId, why)).told).toContain('before');
    expect(await stateOf(orderId)).toMatchObject({ status: 'PAYMENT_CANCELLED', changes: 1 });
    const [coupon] = await shop.db.select().from(coupons).where(eq(coupons.code, 'DESK'));
    expect(coupon?.used).toBe(0);
    expect((await mailsTo(ana)).filter((subject) => subject.includes('was cancelled'))).toHaveLength(1);
    expect((await shop.deps.gateways['sandbox']?.inquire(key))?.state).toBe('failed');
  });

  it('is refused if it is paid', async () => {
    const { orderId } = await bought(await cli.shop.buyer());
    expect((await cli.run('orders', 'cancel', orderId, why)).code).toBe(1);
    expect(await stateOf(orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', changes: 0 });
  });
});

describe('orders', () => {
  it('are found by id, key and customer, and shown with payments, books and changes', async () => {
    const { shop, run } = cli;
    const ana = await shop.buyer();
    const { orderId, key } = await bought(ana);
    for (const part of [orderId.slice(0, 9), orderNumber(orderId).toLowerCase(), key, ana.account, ana.uid]) {
      // After `--` it may begin with a dash, as email addresses may.
      const { facts } = await run('orders', 'find', '--json', '--', part);
      expect([part, facts.map((order) => order['orderId'])]).toEqual([part, [orderId]]);
    }
    await run('orders', 'refund', orderId, '--why=wrong plan');
    const { facts } = await run('orders', 'show', orderId, '--json');
    expect(facts).toMatchObject([
      {
        orderId,
        account: ana.account,
        status: 'REFUND_SUCCEEDED',
        payments: [{ key, state: 'SUCCEEDED', gateway: 'sandbox' }],
        books: [{ kind: 'capture' }, { kind: 'refund' }],
        changes: [{ who: 'eva', command: 'orders refund', why: 'wrong plan' }],
      },
    ]);
    const shown = (await run('orders', 'show', orderId)).out.join('\n');
    expect(shown).toContain('refund\t-19.90 BRL');
    expect(shown).toContain('books:\n  at\tkind\tamount\tkey\n');
  });
});

describe('a report', () => {
  it('sums up sales, refunds and failures by brand, currency and method', async () => {
    const { shop, run } = cli;
    const day = new Date(shop.clock.now + 40 * 86_400_000).toISOString().slice(0, 10);
    // 23:30 in São Paulo is the next day in UTC.
    shop.clock.now = Date.parse(`${day}T23:30:00-03:00`);
    const [ana, eva] = await shop.buyers(2);
    if (!ana || !eva) throw new Error('too few buyers');
    const { orderId } = await bought(ana);
    await bought(eva);
    await run('orders', 'refund', orderId, why);
    await eva.pay({
      planId: '301',
      card: {
        number: '4000000000000002',
        code: '123',
        expiry: '12/30',
        holderFirstName: 'Eva',
        holderLastName: 'Lima',
      },
    });
    const { facts } = await run('report', `--from=${day}`, `--to=${day}`, '--brand=lumen', '--json');
    const sums = facts.map(({ what, method, code, payments, amount }) => ({ what, method, code, payments, amount }));
    expect(sums[0]).toMatchObject({ what: 'failure', method: 'card', payments: 1 });
    expect(sums.slice(1)).toEqual([
      { what: 'refund', method: 'card', code: null, payments: 1, amount: { amount: -1990, currency: 'BRL' } },
      { what: 'sale', method: 'card', code: null, payments: 2, amount: { amount: 3980, currency: 'BRL' } },
    ]);
    const { out } = await run('report', `--from=${day}`, `--to=${day}`, '--csv');
    expect(out).toEqual(
      expect.arrayContaining([
        '\uFEFFbrand,currency,what,method,code,payments,amount,amount_currency,failure',
        'lumen,BRL,sale,card,,2,39.80,BRL,',
      ]),
    );
    expect((await run('report', `--from=${day}`, '--to=2020-01-01')).code).toBe(2);
  });
});
