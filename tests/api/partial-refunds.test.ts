import { asc, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { auditLog } from '#server/db/schema/audit.ts';
import { ledger, refunds } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { refundParts } from '#server/jobs/refund-parts.ts';
import type { PaymentGateway } from '#server/payments/gateway.ts';
import type { PartialRefund } from '#server/payments/terms.ts';
import { startOperatorDemo, type OperatorDemo } from '#tests/builders/an-operator-demo.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { byPix, expiryOf, type Buyer } from '#tests/builders/a-shop.ts';
import { unbalanced } from '#tests/builders/unbalanced-orders.ts';

type Bank = NonNullable<PaymentGateway['refundPart']>;

let operator: OperatorDemo;
/** replaces the request to the bank in one test */
let interceptRefund: ((part: PartialRefund, bank: Bank) => ReturnType<Bank>) | undefined;
const requestedRefunds: PartialRefund[] = [];
beforeAll(async () => {
  operator = await startOperatorDemo({
    deps: ({ gateways }) => {
      const { sandbox } = gateways;
      if (!sandbox?.refundPart) throw new Error('no sandbox');
      const bank: Bank = sandbox.refundPart;
      const refundPart: Bank = async (part) => {
        requestedRefunds.push(part);
        return interceptRefund ? interceptRefund(part, bank) : bank(part);
      };
      return { gateways: { ...gateways, sandbox: { ...sandbox, refundPart } } };
    },
  });
}, 60_000);
afterAll(() => operator?.close());
afterEach(async () => {
  interceptRefund = undefined;
  requestedRefunds.length = 0;
  expect(unbalanced(await operator.shop.books())).toEqual([]);
});

const reason = '--why=ticket 7';
const part = (orderId: string, amount: string, ...more: string[]) =>
  operator.run('orders', 'refund', orderId, `--amount=${amount}`, reason, ...more);

async function aPaidOrder(wish = {}) {
  const buyer = await operator.shop.buyer();
  const { orderId } = (await buyer.pay(wish)).data;
  const [attempt] = await operator.shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));
  return { buyer, orderId, key: attempt?.id ?? '' };
}

async function stateOf(orderId: string) {
  const { db } = operator.shop;
  const [order] = await db.select().from(orders).where(eq(orders.orderId, orderId));
  const books = await db.select().from(ledger).where(eq(ledger.orderId, orderId)).orderBy(asc(ledger.kind));
  const parts = await db.select().from(refunds).where(eq(refunds.orderId, orderId)).orderBy(asc(refunds.number));
  return {
    status: order?.status,
    refunded: order?.refunded,
    books: books.map(({ kind, amount }) => `${kind} ${amount}`),
    parts: parts.map(({ state, amount }) => `${state} ${amount}`),
  };
}

const mailsTo = async ({ account }: Buyer) =>
  (await operator.shop.db.select().from(outbox).where(eq(outbox.recipient, account))).map(
    ({ subject, text }) => `${subject}\n${text}`,
  );

const month = 30 * 86_400_000;

describe('a partial refund by an operator', () => {
  it('keeps the order and its days, and emails the customer; refunding the rest is a full refund', async () => {
    const { shop, run } = operator;
    const { buyer, orderId } = await aPaidOrder();
    const end = shop.clock.now + month;
    const result = await part(orderId, '5.00', '--json');
    expect(result, result.told).toMatchObject({ code: 0 });
    expect(result.facts).toEqual([{ orderId, amount: 500, currency: 'BRL', number: 1, state: 'SUCCEEDED' }]);
    expect(result.told).toContain('14.90 BRL remain, and its days continue');
    const once = { status: 'PAYMENT_SUCCEEDED', refunded: 500, parts: ['SUCCEEDED 500'] };
    expect(await stateOf(orderId)).toEqual({ ...once, books: ['capture 1990', 'part 1 -500'] });
    expect(await expiryOf(shop.db, buyer.uid)).toBe(end);
    const order = await shop.request(endpoints.order, { params: { id: orderId } }, { token: buyer.token });
    expect(order.data).toMatchObject({ status: 'PAYMENT_SUCCEEDED', refunded: { amount: 500, currency: 'BRL' } });
    const mails = (await mailsTo(buyer)).filter((mail) => mail.includes('A part of your money'));
    expect(mails).toEqual([expect.stringMatching(/Your days stay as they are[\s\S]*5[.,]00/)]);

    const repeated = await part(orderId, '5.00');
    expect([repeated.code, repeated.told]).toEqual([1, expect.stringContaining('Add --again')]);
    expect(await stateOf(orderId)).toMatchObject(once);
    expect((await part(orderId, '5', '--again')).code).toBe(0);
    expect((await part(orderId, '9.91')).told).toContain('too much: 9.90 BRL');
    expect((await part(orderId, '9.90')).told).toContain('are refunded');
    expect(await stateOf(orderId)).toEqual({
      status: 'REFUND_SUCCEEDED',
      refunded: 1990,
      books: ['capture 1990', 'part 1 -500', 'part 2 -500', 'refund -990'],
      parts: ['SUCCEEDED 500', 'SUCCEEDED 500'],
    });
    expect(await expiryOf(shop.db, buyer.uid)).toBe(shop.clock.now);
    expect((await part(orderId, '1')).told).toContain('is refunded, or is being refunded');
    const shown = await run('orders', 'show', orderId, '--json');
    expect(shown.facts).toMatchObject([
      { refunds: [{ number: 1, state: 'SUCCEEDED', by: 'shop', ends: false }, { number: 2 }] },
    ]);
    const changes = await shop.db.select().from(auditLog).where(eq(auditLog.subject, orderId)).orderBy(auditLog.at);
    expect(changes).toHaveLength(3);
    expect(changes[0]?.detail).toEqual({ amount: 500, currency: 'BRL', number: 1, ends: false });
  });

  it('ends the days if the operator requests it', async () => {
    const { buyer, orderId } = await aPaidOrder();
    expect((await part(orderId, '10.00', '--end')).told).toContain('its days have ended');
    expect(await expiryOf(operator.shop.db, buyer.uid)).toBe(operator.shop.clock.now);
    const service = await operator.shop.request(endpoints.service, { params: { id: orderId } }, { token: buyer.token });
    expect(service.data?.changes).toMatchObject([{ kind: 'shortened', because: 'refund', orderId }]);
    expect(await stateOf(orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', refunded: 1000 });
    expect((await mailsTo(buyer)).some((mail) => mail.includes('that were left have ended'))).toBe(true);
  });

  it('is refused with a reason and writes nothing if it is not possible', async () => {
    const { orderId } = await aPaidOrder();
    for (const amount of ['5.001', '0', '-1', 'five', '1e2']) {
      const result = await part(orderId, amount);
      expect([amount, result.code, result.told]).toEqual([amount, 2, expect.stringContaining('2 decimals at most')]);
    }
    expect((await operator.run('orders', 'refund', orderId, '--end', reason)).code).toBe(2);
    expect((await part(orderId, '1990')).told).toContain('too much: 19.90 BRL');
    expect((await part((await aPaidOrder(byPix)).orderId, '1')).told).toContain('Nothing was paid');
    expect(await stateOf(orderId)).toEqual({
      status: 'PAYMENT_SUCCEEDED',
      refunded: 0,
      books: ['capture 1990'],
      parts: [],
    });
  });

  it('shows the operator why the bank rejected it, and allows another one', async () => {
    const { orderId } = await aPaidOrder();
    expect((await part(orderId, '4.91')).told).toContain('the bank gives no part of this payment back');
    expect(await stateOf(orderId)).toMatchObject({ refunded: 0, books: ['capture 1990'], parts: ['REJECTED 491'] });
    operator.shop.clock.advance(600_000);
    expect(await refundParts(operator.shop.deps)).toBe(0);
    expect((await part(orderId, '4.90')).code).toBe(0);
    expect(await stateOf(orderId)).toMatchObject({ refunded: 490, books: ['capture 1990', 'part 2 -490'] });
  });

  it('is requested again under the same number after a lost answer, and refunds once', async () => {
    const { orderId } = await aPaidOrder();
    const result = await part(orderId, '4.92');
    expect([result.code, result.told]).toEqual([0, expect.stringContaining('has not refunded 4.92 BRL yet')]);
    expect(await stateOf(orderId)).toMatchObject({ refunded: 0, parts: ['ASKED 492'], books: ['capture 1990'] });
    expect((await part(orderId, '1.00')).told).toContain('are being refunded');
    expect((await operator.run('orders', 'refund', orderId, reason)).told).toContain('the remaining amount is unknown');
    operator.shop.clock.advance(60_000);
    expect(await refundParts(operator.shop.deps)).toBe(1);
    expect(await refundParts(operator.shop.deps)).toBe(0);
    expect(requestedRefunds.map(({ number }) => number)).toEqual([1, 1]);
    expect(await stateOf(orderId)).toMatchObject({ refunded: 492, books: ['capture 1990', 'part 1 -492'] });
  });

  it('is booked once when it succeeds late, and the repeated command reports it', async () => {
    const { orderId, key } = await aPaidOrder();
    await part(orderId, '4.93');
    expect((await part(orderId, '4.93')).told).toContain('has not refunded 4.93 BRL yet');
    operator.shop.clock.advance(60_000);
    const refundNotice = { event: 'refund', stage: 'succeeded', part: { amount: 493, number: 1 } };
    const notice = aNotice(key, refundNotice);
    expect(await sendNotice(operator.shop, notice)).toBe(200);
    expect(await sendNotice(operator.shop, notice)).toBe(200);
    expect(await sendNotice(operator.shop, aNotice(key, refundNotice))).toBe(200);
    await refundParts(operator.shop.deps);
    expect(await stateOf(orderId)).toMatchObject({ refunded: 493, parts: ['SUCCEEDED 493'] });
    expect((await part(orderId, '4.93')).told).toContain('Add --again');
  });

  it('refunds once wherever the process dies and however many processes run', async () => {
    const { orderId } = await aPaidOrder();
    const given: number[] = [];
    interceptRefund = async (one, bank) => {
      await bank(one);
      given.push(one.number);
      throw new Error('killed');
    };
    await expect(part(orderId, '3.00')).rejects.toThrow('killed');
    expect(await stateOf(orderId)).toMatchObject({ refunded: 0, parts: ['ASKED 300'] });
    interceptRefund = async () => {
      throw new Error('killed before');
    };
    operator.shop.clock.advance(60_000);
    expect(await refundParts(operator.shop.deps)).toBe(0);
    interceptRefund = undefined;
    operator.shop.clock.advance(60_000);
    const counts = await Promise.all([1, 2, 3].map(() => refundParts(operator.shop.deps)));
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(1);
    const again = await Promise.all([part(orderId, '2.00'), part(orderId, '2.00')]);
    expect(again.filter(({ code }) => code === 0).length).toBeGreaterThan(0);
    expect(await stateOf(orderId)).toMatchObject({
      refunded: 500,
      books: ['capture 1990', 'part 1 -300', 'part 2 -200'],
    });
  });

  it('is offered only by gateways that can repeat it safely', async () => {
    const { payssion, sandbox } = operator.shop.deps.gateways;
    expect([payssion?.refundPart, typeof sandbox?.refundPart]).toEqual([undefined, 'function']);
  });
});

describe('a partial refund in the dashboard of the provider', () => {
  const dashboardRefund = (stage: string, amount: number, ref: string) => ({
    event: 'refund',
    stage,
    part: { amount, ref },
  });

  it('is booked once whatever the order of its notices, and keeps the days', async () => {
    const { buyer, orderId, key } = await aPaidOrder();
    const notify = (stage: string, amount: number, ref: string) =>
      sendNotice(operator.shop, aNotice(key, dashboardRefund(stage, amount, ref)));
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
    expect(await expiryOf(operator.shop.db, buyer.uid)).toBe(operator.shop.clock.now + month);
    await notify('succeeded', 1690, 're_3');
    expect(await stateOf(orderId)).toMatchObject({ status: 'REFUND_SUCCEEDED', refunded: 1990 });
    expect(await expiryOf(operator.shop.db, buyer.uid)).toBe(operator.shop.clock.now);
  });

  it('is not booked again after the rest was refunded', async () => {
    const { orderId, key } = await aPaidOrder();
    await operator.run('orders', 'refund', orderId, reason);
    await sendNotice(operator.shop, aNotice(key, dashboardRefund('succeeded', 300, 're_9')));
    expect(await stateOf(orderId)).toMatchObject({ refunded: 1990, books: ['capture 1990', 'refund -1990'] });
  });

  it('reduces the refund of a duplicate payment', async () => {
    const { db } = operator.shop;
    const { orderId, key } = await aPaidOrder();
    const id = crypto.randomUUID();
    const [first] = await db.select().from(attempts).where(eq(attempts.id, key));
    if (!first) throw new Error('no attempt');
    await db.insert(attempts).values({ ...first, id, idempotencyKey: id, state: 'PENDING' });
    await sendNotice(operator.shop, aNotice(id, dashboardRefund('succeeded', 300, 're_4')));
    expect(await stateOf(orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', refunded: 0 });
    await db.update(ledger).set({ giveBackAt: null }).where(eq(ledger.attemptId, id));
    await sendNotice(operator.shop, aNotice(id, dashboardRefund('succeeded', 1690, 're_5')));
    expect(await refundDuplicates(operator.shop.deps)).toBe(0);
    expect((await stateOf(orderId)).books).toEqual(['capture 1990', 'capture 1990', 'part 1 -300', 'part 2 -1690']);
  });
});

describe('a dispute after partial refunds', () => {
  const dispute = (key: string, stage: string, amount?: number) =>
    sendNotice(
      operator.shop,
      aNotice(key, { event: 'chargeback', stage, ...(amount && { part: { amount, ref: 'dp_1' } }) }),
    );

  it('charges back the remaining amount, and returns it when it is won', async () => {
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
    expect(await expiryOf(operator.shop.db, buyer.uid)).toBe(operator.shop.clock.now + month);
  });

  it('stops a partial refund of unknown outcome, which is booked if a notice confirms it', async () => {
    const { orderId, key } = await aPaidOrder();
    await part(orderId, '4.92');
    await dispute(key, 'opened');
    operator.shop.clock.advance(60_000);
    expect(await refundParts(operator.shop.deps)).toBe(0);
    expect(requestedRefunds).toHaveLength(1);
    expect(await stateOf(orderId)).toMatchObject({ parts: ['REJECTED 492'] });
    const refundNotice = { event: 'refund', stage: 'succeeded', part: { amount: 492, number: 1 } };
    await sendNotice(operator.shop, aNotice(key, refundNotice));
    expect(await stateOf(orderId)).toMatchObject({ refunded: 492, parts: ['SUCCEEDED 492'] });
  });
});
