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
import { startOperatorDemo, type OperatorDemo } from '#tests/builders/a-desk.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { byPix, expiryOf, type Buyer } from '#tests/builders/a-shop.ts';
import { unbalanced } from '#tests/builders/balanced.ts';

type Bank = NonNullable<PaymentGateway['refundPart']>;

let desk: OperatorDemo;
/** stands between the shop and its bank, where a test puts it there */
let between: ((part: PartialRefund, bank: Bank) => ReturnType<Bank>) | undefined;
const asked: PartialRefund[] = [];
beforeAll(async () => {
  desk = await startOperatorDemo({
    deps: ({ gateways }) => {
      const { sandbox } = gateways;
      if (!sandbox?.refundPart) throw new Error('no sandbox');
      const bank: Bank = sandbox.refundPart;
      const refundPart: Bank = async (part) => {
        asked.push(part);
        return between ? between(part, bank) : bank(part);
      };
      return { gateways: { ...gateways, sandbox: { ...sandbox, refundPart } } };
    },
  });
}, 60_000);
afterAll(() => desk?.close());
afterEach(async () => {
  between = undefined;
  asked.length = 0;
  expect(unbalanced(await desk.shop.books())).toEqual([]);
});

const why = '--why=ticket 7';
const part = (orderId: string, amount: string, ...more: string[]) =>
  desk.run('orders', 'refund', orderId, `--amount=${amount}`, why, ...more);

async function aPaidOrder(wish = {}) {
  const buyer = await desk.shop.buyer();
  const { orderId } = (await buyer.pay(wish)).data;
  const [attempt] = await desk.shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));
  return { buyer, orderId, key: attempt?.id ?? '' };
}

async function seen(orderId: string) {
  const { db } = desk.shop;
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
  (await desk.shop.db.select().from(outbox).where(eq(outbox.recipient, account))).map(
    ({ subject, text }) => `${subject}\n${text}`,
  );

const month = 30 * 86_400_000;

describe('a part of a payment that an operator gives back', () => {
  it('leaves the order paid and its days as they are, and tells the customer; all parts together are a refund', async () => {
    const { shop, run } = desk;
    const { buyer, orderId } = await aPaidOrder();
    const end = shop.clock.now + month;
    const said = await part(orderId, '5.00', '--json');
    expect(said, said.told).toMatchObject({ code: 0 });
    expect(said.facts).toEqual([{ orderId, amount: 500, currency: 'BRL', number: 1, state: 'SUCCEEDED' }]);
    expect(said.told).toContain('14.90 BRL are left of it, and its days go on');
    const once = { status: 'PAYMENT_SUCCEEDED', refunded: 500, parts: ['SUCCEEDED 500'] };
    expect(await seen(orderId)).toEqual({ ...once, books: ['capture 1990', 'part 1 -500'] });
    expect(await expiryOf(shop.db, buyer.uid)).toBe(end);
    const order = await shop.request(endpoints.order, { params: { id: orderId } }, { token: buyer.token });
    expect(order.data).toMatchObject({ status: 'PAYMENT_SUCCEEDED', refunded: { amount: 500, currency: 'BRL' } });
    const mails = (await mailsTo(buyer)).filter((mail) => mail.includes('A part of your money'));
    expect(mails).toEqual([expect.stringMatching(/Your days stay as they are[\s\S]*5[.,]00/)]);

    const repeated = await part(orderId, '5.00');
    expect([repeated.code, repeated.told]).toEqual([1, expect.stringContaining('Add --again')]);
    expect(await seen(orderId)).toMatchObject(once);
    expect((await part(orderId, '5', '--again')).code).toBe(0);
    expect((await part(orderId, '9.91')).told).toContain('too much: 9.90 BRL');
    expect((await part(orderId, '9.90')).told).toContain('are given back');
    expect(await seen(orderId)).toEqual({
      status: 'REFUND_SUCCEEDED',
      refunded: 1990,
      books: ['capture 1990', 'part 1 -500', 'part 2 -500', 'refund -990'],
      parts: ['SUCCEEDED 500', 'SUCCEEDED 500'],
    });
    expect(await expiryOf(shop.db, buyer.uid)).toBe(shop.clock.now);
    expect((await part(orderId, '1')).told).toContain('given back, or on its way');
    const shown = await run('orders', 'show', orderId, '--json');
    expect(shown.facts).toMatchObject([
      { refunds: [{ number: 1, state: 'SUCCEEDED', by: 'shop', ends: false }, { number: 2 }] },
    ]);
    const changes = await shop.db.select().from(auditLog).where(eq(auditLog.subject, orderId)).orderBy(auditLog.at);
    expect(changes).toHaveLength(3);
    expect(changes[0]?.detail).toEqual({ amount: 500, currency: 'BRL', number: 1, ends: false });
  });

  it('ends the days where the operator says so', async () => {
    const { buyer, orderId } = await aPaidOrder();
    expect((await part(orderId, '10.00', '--end')).told).toContain('its days have ended');
    expect(await expiryOf(desk.shop.db, buyer.uid)).toBe(desk.shop.clock.now);
    const service = await desk.shop.request(endpoints.service, { params: { id: orderId } }, { token: buyer.token });
    expect(service.data?.changes).toMatchObject([{ kind: 'shortened', because: 'refund', orderId }]);
    expect(await seen(orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', refunded: 1000 });
    expect((await mailsTo(buyer)).some((mail) => mail.includes('that were left have ended'))).toBe(true);
  });

  it('is refused in words, and nothing is written, where it cannot be', async () => {
    const { orderId } = await aPaidOrder();
    for (const amount of ['5.001', '0', '-1', 'five', '1e2']) {
      const said = await part(orderId, amount);
      expect([amount, said.code, said.told]).toEqual([amount, 2, expect.stringContaining('2 decimals at most')]);
    }
    expect((await desk.run('orders', 'refund', orderId, '--end', why)).code).toBe(2);
    expect((await part(orderId, '1990')).told).toContain('too much: 19.90 BRL');
    expect((await part((await aPaidOrder(byPix)).orderId, '1')).told).toContain('Nothing was paid');
    expect(await seen(orderId)).toEqual({
      status: 'PAYMENT_SUCCEEDED',
      refunded: 0,
      books: ['capture 1990'],
      parts: [],
    });
  });

  it('that the bank refuses for ever is told with why, and another one may be asked for', async () => {
    const { orderId } = await aPaidOrder();
    expect((await part(orderId, '4.91')).told).toContain('the bank gives no part of this payment back');
    expect(await seen(orderId)).toMatchObject({ refunded: 0, books: ['capture 1990'], parts: ['REJECTED 491'] });
    desk.shop.clock.advance(600_000);
    expect(await refundParts(desk.shop.deps)).toBe(0);
    expect((await part(orderId, '4.90')).code).toBe(0);
    expect(await seen(orderId)).toMatchObject({ refunded: 490, books: ['capture 1990', 'part 2 -490'] });
  });

  it('whose answer is lost is asked for again by the same number, and given once', async () => {
    const { orderId } = await aPaidOrder();
    const said = await part(orderId, '4.92');
    expect([said.code, said.told]).toEqual([0, expect.stringContaining('has not given 4.92 BRL back yet')]);
    expect(await seen(orderId)).toMatchObject({ refunded: 0, parts: ['ASKED 492'], books: ['capture 1990'] });
    expect((await part(orderId, '1.00')).told).toContain('on their way back');
    expect((await desk.run('orders', 'refund', orderId, why)).told).toContain('the remaining amount is unknown');
    desk.shop.clock.advance(60_000);
    expect(await refundParts(desk.shop.deps)).toBe(1);
    expect(await refundParts(desk.shop.deps)).toBe(0);
    expect(asked.map(({ number }) => number)).toEqual([1, 1]);
    expect(await seen(orderId)).toMatchObject({ refunded: 492, books: ['capture 1990', 'part 1 -492'] });
  });

  it('that comes late is booked once, by its notice or by asking, and the operator who repeats the command meets it', async () => {
    const { orderId, key } = await aPaidOrder();
    await part(orderId, '4.93');
    expect((await part(orderId, '4.93')).told).toContain('has not given 4.93 BRL back yet');
    desk.shop.clock.advance(60_000);
    const told = { event: 'refund', stage: 'succeeded', part: { amount: 493, number: 1 } };
    const notice = aNotice(key, told);
    expect(await sendNotice(desk.shop, notice)).toBe(200);
    expect(await sendNotice(desk.shop, notice)).toBe(200);
    expect(await sendNotice(desk.shop, aNotice(key, told))).toBe(200);
    await refundParts(desk.shop.deps);
    expect(await seen(orderId)).toMatchObject({ refunded: 493, parts: ['SUCCEEDED 493'] });
    expect((await part(orderId, '4.93')).told).toContain('Add --again');
  });

  it('goes back once wherever the shop dies, and however many processes ask', async () => {
    const { orderId } = await aPaidOrder();
    const given: number[] = [];
    between = async (one, bank) => {
      await bank(one);
      given.push(one.number);
      throw new Error('killed');
    };
    await expect(part(orderId, '3.00')).rejects.toThrow('killed');
    expect(await seen(orderId)).toMatchObject({ refunded: 0, parts: ['ASKED 300'] });
    between = async () => {
      throw new Error('killed before');
    };
    desk.shop.clock.advance(60_000);
    expect(await refundParts(desk.shop.deps)).toBe(0);
    between = undefined;
    desk.shop.clock.advance(60_000);
    const counts = await Promise.all([1, 2, 3].map(() => refundParts(desk.shop.deps)));
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(1);
    const again = await Promise.all([part(orderId, '2.00'), part(orderId, '2.00')]);
    expect(again.filter(({ code }) => code === 0).length).toBeGreaterThan(0);
    expect(await seen(orderId)).toMatchObject({ refunded: 500, books: ['capture 1990', 'part 1 -300', 'part 2 -200'] });
  });

  it('is promised by no gateway that could not give it safely', async () => {
    const { payssion, sandbox } = desk.shop.deps.gateways;
    expect([payssion?.refundPart, typeof sandbox?.refundPart]).toEqual([undefined, 'function']);
  });
});

describe("a part that is given at the provider's own desk", () => {
  const desksWord = (stage: string, amount: number, ref: string) => ({ event: 'refund', stage, part: { amount, ref } });

  it('is booked once, whatever order its notices come in, and leaves the days', async () => {
    const { buyer, orderId, key } = await aPaidOrder();
    const tell = (stage: string, amount: number, ref: string) =>
      sendNotice(desk.shop, aNotice(key, desksWord(stage, amount, ref)));
    await tell('succeeded', 300, 're_1');
    await tell('opened', 300, 're_1');
    await tell('opened', 400, 're_2');
    await tell('rejected', 400, 're_2');
    await tell('succeeded', 300, 're_1');
    expect(await seen(orderId)).toEqual({
      status: 'PAYMENT_SUCCEEDED',
      refunded: 300,
      books: ['capture 1990', 'part 1 -300'],
      parts: ['SUCCEEDED 300', 'REJECTED 400'],
    });
    expect(await expiryOf(desk.shop.db, buyer.uid)).toBe(desk.shop.clock.now + month);
    await tell('succeeded', 1690, 're_3');
    expect(await seen(orderId)).toMatchObject({ status: 'REFUND_SUCCEEDED', refunded: 1990 });
    expect(await expiryOf(desk.shop.db, buyer.uid)).toBe(desk.shop.clock.now);
  });

  it('that is told of after the rest went back is in the books already', async () => {
    const { orderId, key } = await aPaidOrder();
    await desk.run('orders', 'refund', orderId, why);
    await sendNotice(desk.shop, aNotice(key, desksWord('succeeded', 300, 're_9')));
    expect(await seen(orderId)).toMatchObject({ refunded: 1990, books: ['capture 1990', 'refund -1990'] });
  });

  it('lowers what the job gives back of a second payment', async () => {
    const { db } = desk.shop;
    const { orderId, key } = await aPaidOrder();
    const id = crypto.randomUUID();
    const [first] = await db.select().from(attempts).where(eq(attempts.id, key));
    if (!first) throw new Error('no attempt');
    await db.insert(attempts).values({ ...first, id, idempotencyKey: id, state: 'PENDING' });
    await sendNotice(desk.shop, aNotice(id, desksWord('succeeded', 300, 're_4')));
    expect(await seen(orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', refunded: 0 });
    await db.update(ledger).set({ giveBackAt: null }).where(eq(ledger.attemptId, id));
    await sendNotice(desk.shop, aNotice(id, desksWord('succeeded', 1690, 're_5')));
    expect(await refundDuplicates(desk.shop.deps)).toBe(0);
    expect((await seen(orderId)).books).toEqual(['capture 1990', 'capture 1990', 'part 1 -300', 'part 2 -1690']);
  });
});

describe('a dispute beside parts', () => {
  const dispute = (key: string, stage: string, amount?: number) =>
    sendNotice(
      desk.shop,
      aNotice(key, { event: 'chargeback', stage, ...(amount && { part: { amount, ref: 'dp_1' } }) }),
    );

  it('takes what is left, and brings that back when it is won', async () => {
    const { orderId, key } = await aPaidOrder();
    await part(orderId, '5.00');
    await dispute(key, 'opened');
    expect((await part(orderId, '1.00')).told).toContain('could go twice');
    await dispute(key, 'rejected');
    expect((await seen(orderId)).books).toEqual(['capture 1990', 'chargeback -1490', 'part 1 -500', 'return 1490']);
  });

  it('of a part that is lost leaves the days that the rest pays for', async () => {
    const { buyer, orderId, key } = await aPaidOrder();
    await dispute(key, 'succeeded', 700);
    expect(await seen(orderId)).toMatchObject({
      status: 'CHARGEBACK_SUCCEEDED',
      books: ['capture 1990', 'chargeback -700'],
    });
    expect(await expiryOf(desk.shop.db, buyer.uid)).toBe(desk.shop.clock.now + month);
  });

  it('stops a part whose outcome is not known; one that was given all the same is booked when it is told of', async () => {
    const { orderId, key } = await aPaidOrder();
    await part(orderId, '4.92');
    await dispute(key, 'opened');
    desk.shop.clock.advance(60_000);
    expect(await refundParts(desk.shop.deps)).toBe(0);
    expect(asked).toHaveLength(1);
    expect(await seen(orderId)).toMatchObject({ parts: ['REJECTED 492'] });
    const told = { event: 'refund', stage: 'succeeded', part: { amount: 492, number: 1 } };
    await sendNotice(desk.shop, aNotice(key, told));
    expect(await seen(orderId)).toMatchObject({ refunded: 492, parts: ['SUCCEEDED 492'] });
  });
});
