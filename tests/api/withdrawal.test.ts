import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { sessions } from '#server/db/schema/users.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import type { PaymentGateway } from '#server/payments/gateway.ts';
import { startOperatorDemo, type OperatorDemo } from '#tests/builders/a-desk.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { withRenewal } from '#tests/builders/a-renewal.ts';
import { aCard, byPix, expiryOf, type Buyer } from '#tests/builders/a-shop.ts';
import { aTransfer } from '#tests/builders/a-transfer.ts';
import { unbalanced } from '#tests/builders/balanced.ts';

const day = 86_400_000;
const why = '--why=ticket 7';
let desk: OperatorDemo;
/** what the bank answers to a refund before it is asked; undefined lets it answer by itself */
let answerOfBank: Awaited<ReturnType<PaymentGateway['refund']>> | 'throws' | undefined;
let asked: string[] = [];
beforeAll(async () => {
  desk = await startOperatorDemo({
    deps: ({ gateways }) => {
      const { sandbox } = gateways;
      if (!sandbox) throw new Error('no sandbox');
      const refund: PaymentGateway['refund'] = async (key, left) => {
        asked.push(key);
        if (answerOfBank === 'throws') throw new Error('the connection was lost');
        return answerOfBank ?? sandbox.refund(key, left);
      };
      return { gateways: { ...gateways, sandbox: { ...sandbox, refund } } };
    },
  });
}, 60_000);
afterAll(() => desk?.close());

async function aPaidOrder(wish: Parameters<Buyer['pay']>[0] = {}) {
  answerOfBank = undefined;
  asked = [];
  const ana = await desk.shop.buyer();
  const { orderId } = (await ana.pay(wish)).data;
  const [attempt] = await desk.shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));
  return { ana, orderId, key: attempt?.id ?? '' };
}

const withdraw = (buyer: Buyer, orderId: string) =>
  desk.shop.request(endpoints.withdrawOrder, { body: { orderId } }, buyer);
const orderOf = async (buyer: Buyer, id: string) =>
  (await desk.shop.request(endpoints.order, { params: { id } }, buyer)).data;
const rowOf = async (orderId: string) => {
  const [row] = await desk.shop.db.select().from(orders).where(eq(orders.orderId, orderId));
  return row ?? expect.fail('no order');
};
const booksOf = async (orderId: string) =>
  (await desk.shop.db.select().from(ledger).where(eq(ledger.orderId, orderId))).map(({ kind }) => kind).sort();
const mailsTo = async ({ account }: Buyer) => desk.shop.db.select().from(outbox).where(eq(outbox.recipient, account));
const subjectsTo = async (buyer: Buyer) => (await mailsTo(buyer)).map(({ subject }) => subject.replace(/ \(.*/, ''));
const byHand = (run: OperatorDemo['run']) => run('withdrawals', 'list', '--json');
const listed = async (orderId: string) => (await byHand(desk.run)).facts.find((one) => one['orderId'] === orderId);

const amount = { amount: 1990, currency: 'BRL' };
const cancelled = 'You cancelled your order';
const refunded = 'Your money is on its way back';

describe('a paid order within the days to withdraw', () => {
  it('says until when it can be cancelled: to the end of the last day of the brand', async () => {
    const { ana, orderId } = await aPaidOrder();
    const { withdrawal, paidAt } = await orderOf(ana, orderId);
    if (withdrawal?.state !== 'possible') throw new Error('cannot be cancelled');
    expect(withdrawal.amount).toEqual(amount);
    const left = withdrawal.until - (paidAt ?? 0);
    expect(left).toBeGreaterThan(7 * day);
    expect(left).toBeLessThanOrEqual(8 * day);
    // midnight in São Paulo
    expect(new Date(withdrawal.until).toISOString()).toMatch(/T03:00:00.000Z$/);
  });

  it('is cancelled and refunded once, ends its days, and each step has one email', async () => {
    const { ana, orderId, key } = await aPaidOrder();
    expect((await withdraw(ana, orderId)).data).toMatchObject({
      orderId,
      status: 'REFUND_SUCCEEDED',
      refunded: amount,
    });
    expect(await booksOf(orderId)).toEqual(['capture', 'refund']);
    expect(await expiryOf(desk.shop.db, ana.uid)).toBe(desk.shop.clock.now);
    expect((await subjectsTo(ana)).filter((one) => one === cancelled || one === refunded)).toEqual([
      cancelled,
      refunded,
    ]);
    expect((await withdraw(ana, orderId)).data).toMatchObject({ status: 'REFUND_SUCCEEDED' });
    expect(asked).toEqual([key]);
    expect((await subjectsTo(ana)).filter((one) => one === cancelled)).toEqual([cancelled]);
    expect(unbalanced(await desk.shop.books())).toEqual([]);
  });

  it('is refunded once, however many taps and tabs send the request at the same moment', async () => {
    const { ana, orderId } = await aPaidOrder();
    const answers = await Promise.all([1, 2, 3, 4].map(() => withdraw(ana, orderId)));
    for (const { data } of answers) expect(data.status).toMatch(/^REFUND_(PENDING|SUCCEEDED)$/);
    expect((await orderOf(ana, orderId)).status).toBe('REFUND_SUCCEEDED');
    expect(await booksOf(orderId)).toEqual(['capture', 'refund']);
    expect((await subjectsTo(ana)).filter((one) => one === cancelled || one === refunded)).toHaveLength(2);
  });

  it('is called refunded only when the provider says so, and waits as long as that takes', async () => {
    for (const silence of [false, 'throws'] as const) {
      const { ana, orderId } = await aPaidOrder();
      answerOfBank = silence;
      const { data } = await withdraw(ana, orderId);
      expect(data).toMatchObject({ status: 'REFUND_PENDING', refunded: null });
      expect(data.withdrawal).toMatchObject({ state: 'requested', amount, byHand: false });
      expect(await subjectsTo(ana)).not.toContain(refunded);
      expect(await expiryOf(desk.shop.db, ana.uid)).toBe(desk.shop.clock.now + 30 * day);
      expect(await listed(orderId)).toMatchObject({ by: 'provider', amount });
      expect((await desk.run('withdrawals', 'refunded', orderId, why)).told).toContain('could pay the customer twice');
      answerOfBank = undefined;
      desk.shop.clock.advance(1000);
      expect(await refundDuplicates(desk.shop.deps)).toBe(1);
      expect((await orderOf(ana, orderId)).status).toBe('REFUND_SUCCEEDED');
      expect(await subjectsTo(ana)).toContain(refunded);
    }
  });

  it('is its owner’s alone to cancel, and not from a TV', async () => {
    const { ana, orderId } = await aPaidOrder();
    const { ana: other } = await aPaidOrder();
    expect(await withdraw(other, orderId)).toMatchObject({ errCode: 1001 });
    const elsewhere = await desk.shop.buyer({ host: 'mego.localhost' });
    expect(await withdraw(elsewhere, orderId)).toMatchObject({ errCode: 1001 });
    await desk.shop.db.update(sessions).set({ kind: 'box' }).where(eq(sessions.uid, ana.uid));
    expect(await withdraw(ana, orderId)).toMatchObject({ errCode: -24031 });
    expect((await orderOf(ana, orderId)).withdrawal).toBeNull();
    expect((await rowOf(orderId)).status).toBe('PAYMENT_SUCCEEDED');
  });

  it('can be cancelled until the last millisecond, and no later', async () => {
    const { ana, orderId } = await aPaidOrder();
    const { ana: late, orderId: tooLate } = await aPaidOrder();
    const { withdrawal } = await orderOf(ana, orderId);
    if (withdrawal?.state !== 'possible') throw new Error('cannot be cancelled');
    desk.shop.clock.advance(withdrawal.until - 1 - desk.shop.clock.now);
    expect((await withdraw(ana, orderId)).data.status).toBe('REFUND_SUCCEEDED');
    desk.shop.clock.advance(1);
    expect(await withdraw(late, tooLate)).toMatchObject({ errCode: 4598 });
    expect((await rowOf(tooLate)).status).toBe('PAYMENT_SUCCEEDED');
  });

  it('that is not paid, or has nothing left to refund, has no such right', async () => {
    const { ana, orderId } = await aPaidOrder(byPix);
    expect((await orderOf(ana, orderId)).withdrawal).toBeNull();
    expect(await withdraw(ana, orderId)).toMatchObject({ errCode: 4598 });
    const { ana: bia, orderId: partly } = await aPaidOrder();
    await desk.run('orders', 'refund', partly, '--amount=9.90', why);
    expect((await orderOf(bia, partly)).withdrawal).toMatchObject({ amount: { amount: 1000, currency: 'BRL' } });
    expect((await withdraw(bia, partly)).data).toMatchObject({ status: 'REFUND_SUCCEEDED', refunded: amount });
    expect(unbalanced(await desk.shop.books())).toEqual([]);
  });

  it('turns its renewal off when it is cancelled, before the money is back', async () => {
    const { ana, orderId } = await aPaidOrder({ card: aCard(), renew: true });
    const renewing = await withRenewal(desk.shop, ana);
    expect((await renewing.row()).status).toBe('on');
    answerOfBank = false;
    await withdraw(ana, orderId);
    expect((await renewing.row()).status).toBe('off');
    const [mail] = (await mailsTo(ana)).filter(({ subject }) => subject.startsWith(cancelled));
    expect(mail?.text).toContain('Automatic renewal is off, and your card is not charged again.');
    expect(await renewing.told()).not.toContain('off');
  });
});

describe('a cancelled order that no provider refunds', () => {
  it('waits for the operator, and is refunded when they have sent the money', async () => {
    const { ana, orderId, key } = await aPaidOrder();
    answerOfBank = { never: 'its user may not reverse' };
    const { data } = await withdraw(ana, orderId);
    expect(data).toMatchObject({ status: 'REFUND_PENDING', withdrawal: { state: 'requested', byHand: true } });
    expect(await subjectsTo(ana)).not.toContain(refunded);
    expect(await listed(orderId)).toMatchObject({ by: 'hand', why: 'its user may not reverse', brand: 'lumen' });
    asked = [];
    desk.shop.clock.advance(600_000);
    await refundDuplicates(desk.shop.deps);
    expect(asked).not.toContain(key);
    expect(await desk.run('withdrawals', 'refunded', orderId, why)).toMatchObject({ code: 0 });
    expect((await orderOf(ana, orderId)).status).toBe('REFUND_SUCCEEDED');
    expect([await booksOf(orderId), await listed(orderId)]).toEqual([['capture', 'refund'], undefined]);
    expect(await subjectsTo(ana)).toContain(refunded);
    expect((await desk.run('withdrawals', 'refunded', orderId, why)).code).not.toBe(0);
    expect(unbalanced(await desk.shop.books())).toEqual([]);
  });

  it('can be refused with a reason, which its customer reads in the order and in an email', async () => {
    const { ana, orderId } = await aPaidOrder();
    answerOfBank = { never: 'its user may not reverse' };
    await withdraw(ana, orderId);
    const words = 'This account was used to resell access.';
    expect(await desk.run('withdrawals', 'refuse', orderId, `--words=${words}`, why)).toMatchObject({ code: 0 });
    const refused = await orderOf(ana, orderId);
    expect(refused).toMatchObject({ status: 'REFUND_REJECTED', withdrawal: { state: 'refused', words } });
    expect(await expiryOf(desk.shop.db, ana.uid)).toBeGreaterThan(desk.shop.clock.now);
    const [mail] = (await mailsTo(ana)).filter(({ subject }) => subject.startsWith('We did not refund your order'));
    expect(mail?.text).toContain(words);
    expect(await withdraw(ana, orderId)).toMatchObject({ errCode: 4598 });
    expect(await listed(orderId)).toBeUndefined();
    // and be refunded all the same, when the operator thinks again
    answerOfBank = undefined;
    expect(await desk.run('orders', 'refund', orderId, why)).toMatchObject({ code: 0 });
    expect((await orderOf(ana, orderId)).status).toBe('REFUND_SUCCEEDED');
  });

  it('stays pending when the provider rejects it later, and can be asked for there once more', async () => {
    const { ana, orderId, key } = await aPaidOrder();
    answerOfBank = false;
    await withdraw(ana, orderId);
    await sendNotice(desk.shop, aNotice(key, { event: 'refund', stage: 'opened' }));
    await sendNotice(desk.shop, aNotice(key, { event: 'refund', stage: 'rejected' }));
    expect(await orderOf(ana, orderId)).toMatchObject({ status: 'REFUND_PENDING', withdrawal: { byHand: true } });
    expect(await listed(orderId)).toMatchObject({ by: 'hand', why: 'the provider has rejected the refund' });
    answerOfBank = undefined;
    expect((await desk.run('orders', 'refund', orderId, why)).told).toContain('are refunded');
    expect((await orderOf(ana, orderId)).status).toBe('REFUND_SUCCEEDED');
    expect(await booksOf(orderId)).toEqual(['capture', 'refund']);
  });

  it('was paid by a transfer: it is refunded when the operator has sent it back, and not before', async () => {
    const owed = await aTransfer(desk.shop);
    await owed.prove();
    await owed.accept();
    const { data } = await withdraw(owed.buyer, owed.orderId);
    expect(data).toMatchObject({ status: 'REFUND_PENDING', withdrawal: { state: 'requested', byHand: true } });
    expect(await subjectsTo(owed.buyer)).not.toContain(refunded);
    expect(await listed(owed.orderId)).toMatchObject({ by: 'hand', brand: 'mego' });
    expect(await desk.run('withdrawals', 'refunded', owed.orderId, why)).toMatchObject({ code: 0 });
    expect((await orderOf(owed.buyer, owed.orderId)).status).toBe('REFUND_SUCCEEDED');
    expect(await subjectsTo(owed.buyer)).toContain(refunded);
    expect((await desk.run('transfers', 'list')).told).not.toContain(owed.orderId);
    expect(unbalanced(await desk.shop.books())).toEqual([]);
  });

  it('is not kept waiting by a bank that takes the money itself', async () => {
    const { ana, orderId, key } = await aPaidOrder();
    answerOfBank = { never: 'its user may not reverse' };
    await withdraw(ana, orderId);
    await sendNotice(desk.shop, aNotice(key, { event: 'chargeback', stage: 'opened' }));
    expect((await orderOf(ana, orderId)).withdrawal).toBeNull();
    expect(await listed(orderId)).toBeUndefined();
    expect((await desk.run('withdrawals', 'refunded', orderId, why)).told).toContain('is not waiting for a refund');
  });
});
