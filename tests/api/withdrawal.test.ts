import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { sessions } from '#server/db/schema/users.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { listenTo } from '#tests/builders/a-receiver.ts';
import { withRenewal } from '#tests/builders/a-renewal.ts';
import { aCard, byPix, expiryOf, type Buyer } from '#tests/builders/a-shop.ts';
import { aTransfer } from '#tests/builders/a-transfer.ts';
import { unbalanced } from '#tests/builders/unbalanced-orders.ts';
import { startDemoWithRefunds, type OperatorDemo } from '#tests/builders/an-operator-demo.ts';

const day = 86_400_000;
const reason = '--why=ticket 7';
const desk = 'desk@lumen.example';
let operator: Awaited<ReturnType<typeof startDemoWithRefunds>>;
beforeAll(async () => {
  operator = await startDemoWithRefunds();
  await listenTo(operator.shop, 'lumen', { alerts: { email: desk } });
}, 60_000);
afterAll(() => operator?.close());

async function aPaidOrder(wish: Parameters<Buyer['pay']>[0] = {}) {
  operator.bank.answer = undefined;
  operator.bank.requests = [];
  const ana = await operator.shop.buyer();
  const { orderId } = (await ana.pay(wish)).data;
  const [attempt] = await operator.shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));
  return { ana, orderId, key: attempt?.id ?? '' };
}

const withdraw = (buyer: Buyer, orderId: string) =>
  operator.shop.request(endpoints.withdrawOrder, { body: { orderId } }, buyer);
const orderOf = async (buyer: Buyer, id: string) =>
  (await operator.shop.request(endpoints.order, { params: { id } }, buyer)).data;
const rowOf = async (orderId: string) => {
  const [row] = await operator.shop.db.select().from(orders).where(eq(orders.orderId, orderId));
  return row ?? expect.fail('no order');
};
const booksOf = async (orderId: string) =>
  (await operator.shop.db.select().from(ledger).where(eq(ledger.orderId, orderId))).map(({ kind }) => kind).sort();
const mailsTo = async ({ account }: Pick<Buyer, 'account'>) =>
  operator.shop.db.select().from(outbox).where(eq(outbox.recipient, account));
const subjectsTo = async (buyer: Buyer) => (await mailsTo(buyer)).map(({ subject }) => subject.replace(/ \(.*/, ''));
const byHand = (run: OperatorDemo['run']) => run('withdrawals', 'list', '--json');
const listed = async (orderId: string) => (await byHand(operator.run)).facts.find((one) => one['orderId'] === orderId);

const amount = { amount: 1990, currency: 'BRL' };
const cancelled = 'You cancelled your order';
const refunded = 'Your refund is on its way';

describe('a paid order within the withdrawal period', () => {
  it('shows until when it can be cancelled: the end of the last day in the time zone of the brand', async () => {
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

  it('is cancelled and refunded once, ends its days, and sends one email per step', async () => {
    const { ana, orderId, key } = await aPaidOrder();
    expect((await withdraw(ana, orderId)).data).toMatchObject({
      orderId,
      status: 'REFUND_SUCCEEDED',
      refunded: amount,
    });
    expect(await booksOf(orderId)).toEqual(['capture', 'refund']);
    expect(await expiryOf(operator.shop.db, ana.uid)).toBe(operator.shop.clock.now);
    expect((await subjectsTo(ana)).filter((one) => one === cancelled || one === refunded)).toEqual([
      cancelled,
      refunded,
    ]);
    expect((await withdraw(ana, orderId)).data).toMatchObject({ status: 'REFUND_SUCCEEDED' });
    expect(operator.bank.requests).toEqual([key]);
    expect((await subjectsTo(ana)).filter((one) => one === cancelled)).toEqual([cancelled]);
    expect(unbalanced(await operator.shop.books())).toEqual([]);
  });

  it('is refunded once for several simultaneous requests', async () => {
    const { ana, orderId } = await aPaidOrder();
    const answers = await Promise.all([1, 2, 3, 4].map(() => withdraw(ana, orderId)));
    for (const { data } of answers) expect(data.status).toMatch(/^REFUND_(PENDING|SUCCEEDED)$/);
    expect((await orderOf(ana, orderId)).status).toBe('REFUND_SUCCEEDED');
    expect(await booksOf(orderId)).toEqual(['capture', 'refund']);
    expect((await subjectsTo(ana)).filter((one) => one === cancelled || one === refunded)).toHaveLength(2);
  });

  it('is shown as refunded only after the provider has confirmed it', async () => {
    for (const bankAnswer of [false, 'throws'] as const) {
      const { ana, orderId } = await aPaidOrder();
      operator.bank.answer = bankAnswer;
      const { data } = await withdraw(ana, orderId);
      expect(data).toMatchObject({ status: 'REFUND_PENDING', refunded: null });
      expect(data.withdrawal).toMatchObject({ state: 'requested', amount, byHand: false });
      expect(await subjectsTo(ana)).not.toContain(refunded);
      expect(await expiryOf(operator.shop.db, ana.uid)).toBe(operator.shop.clock.now + 30 * day);
      expect(await listed(orderId)).toMatchObject({ by: 'provider', amount });
      expect((await operator.run('withdrawals', 'refunded', orderId, reason)).told).toContain('could go twice');
      operator.bank.answer = undefined;
      operator.shop.clock.advance(1000);
      expect(await refundDuplicates(operator.shop.deps)).toBe(1);
      expect((await orderOf(ana, orderId)).status).toBe('REFUND_SUCCEEDED');
      expect(await subjectsTo(ana)).toContain(refunded);
    }
  });

  it('can be cancelled by its owner only, and not from a TV', async () => {
    const { ana, orderId } = await aPaidOrder();
    const { ana: other } = await aPaidOrder();
    expect(await withdraw(other, orderId)).toMatchObject({ errCode: 1001 });
    const elsewhere = await operator.shop.buyer({ host: 'mego.localhost' });
    expect(await withdraw(elsewhere, orderId)).toMatchObject({ errCode: 1001 });
    await operator.shop.db.update(sessions).set({ kind: 'box' }).where(eq(sessions.uid, ana.uid));
    expect(await withdraw(ana, orderId)).toMatchObject({ errCode: -24031 });
    expect((await orderOf(ana, orderId)).withdrawal).toBeNull();
    expect((await rowOf(orderId)).status).toBe('PAYMENT_SUCCEEDED');
  });

  it('can be cancelled until the last millisecond', async () => {
    const { ana, orderId } = await aPaidOrder();
    const { ana: late, orderId: tooLate } = await aPaidOrder();
    const { withdrawal } = await orderOf(ana, orderId);
    if (withdrawal?.state !== 'possible') throw new Error('cannot be cancelled');
    operator.shop.clock.advance(withdrawal.until - 1 - operator.shop.clock.now);
    expect((await withdraw(ana, orderId)).data.status).toBe('REFUND_SUCCEEDED');
    operator.shop.clock.advance(1);
    expect(await withdraw(late, tooLate)).toMatchObject({ errCode: 4598 });
    expect((await rowOf(tooLate)).status).toBe('PAYMENT_SUCCEEDED');
  });

  it('cannot be cancelled if it is unpaid or has nothing left to refund', async () => {
    const { ana, orderId } = await aPaidOrder(byPix);
    expect((await orderOf(ana, orderId)).withdrawal).toBeNull();
    expect(await withdraw(ana, orderId)).toMatchObject({ errCode: 4598 });
    const { ana: bia, orderId: partly } = await aPaidOrder();
    await operator.run('orders', 'refund', partly, '--amount=9.90', reason);
    expect((await orderOf(bia, partly)).withdrawal).toMatchObject({ amount: { amount: 1000, currency: 'BRL' } });
    expect((await withdraw(bia, partly)).data).toMatchObject({ status: 'REFUND_SUCCEEDED', refunded: amount });
    expect(unbalanced(await operator.shop.books())).toEqual([]);
  });

  it('turns its renewal off before the refund', async () => {
    const { ana, orderId } = await aPaidOrder({ card: aCard(), renew: true });
    const renewing = await withRenewal(operator.shop, ana);
    expect((await renewing.row()).status).toBe('on');
    operator.bank.answer = false;
    await withdraw(ana, orderId);
    expect((await renewing.row()).status).toBe('off');
    const [mail] = (await mailsTo(ana)).filter(({ subject }) => subject.startsWith(cancelled));
    expect(mail?.text).toContain('Automatic renewal is off, and you won’t be charged again.');
    expect(await renewing.told()).not.toContain('off');
  });
});

describe('a cancelled order without a refund by the provider', () => {
  it('waits for the operator, and is refunded after a manual transfer', async () => {
    const { ana, orderId, key } = await aPaidOrder();
    operator.bank.answer = { permanentFailure: 'its user may not reverse' };
    const { data } = await withdraw(ana, orderId);
    expect(data).toMatchObject({ status: 'REFUND_PENDING', withdrawal: { state: 'requested', byHand: true } });
    expect(await subjectsTo(ana)).not.toContain(refunded);
    expect(await listed(orderId)).toMatchObject({ by: 'hand', why: 'its user may not reverse', brand: 'lumen' });
    operator.bank.requests = [];
    operator.shop.clock.advance(600_000);
    await refundDuplicates(operator.shop.deps);
    expect(operator.bank.requests).not.toContain(key);
    expect(await operator.run('withdrawals', 'refunded', orderId, reason)).toMatchObject({ code: 0 });
    expect((await orderOf(ana, orderId)).status).toBe('REFUND_SUCCEEDED');
    expect([await booksOf(orderId), await listed(orderId)]).toEqual([['capture', 'refund'], undefined]);
    expect(await subjectsTo(ana)).toContain(refunded);
    expect((await operator.run('withdrawals', 'refunded', orderId, reason)).code).not.toBe(0);
    expect(unbalanced(await operator.shop.books())).toEqual([]);
  });

  it('can be refused with a reason, which is shown in the order and an email', async () => {
    const { ana, orderId } = await aPaidOrder();
    operator.bank.answer = { permanentFailure: 'its user may not reverse' };
    await withdraw(ana, orderId);
    operator.shop.clock.advance(2 * day);
    const words = 'This account was used to resell access.';
    expect(await operator.run('withdrawals', 'refuse', orderId, `--words=${words}`, reason)).toMatchObject({ code: 0 });
    const refused = await orderOf(ana, orderId);
    expect(refused).toMatchObject({ status: 'REFUND_REJECTED', withdrawal: { state: 'refused', words } });
    expect(await expiryOf(operator.shop.db, ana.uid)).toBeGreaterThan(operator.shop.clock.now);
    const [mail] = (await mailsTo(ana)).filter(({ subject }) => subject.startsWith('We didn’t refund your order'));
    expect(mail?.text).toContain(words);
    expect(await withdraw(ana, orderId)).toMatchObject({ errCode: 4598 });
    expect(await listed(orderId)).toBeUndefined();
    // an alert when the provider refused, none when the operator did
    expect((await mailsTo({ account: desk })).filter(({ text }) => text.includes(orderId))).toHaveLength(1);
    // the operator can still refund it afterwards
    operator.bank.answer = undefined;
    expect(await operator.run('orders', 'refund', orderId, reason)).toMatchObject({ code: 0 });
    expect((await orderOf(ana, orderId)).status).toBe('REFUND_SUCCEEDED');
  });

  it('stays pending after a late rejection by the provider, and the refund can be requested again', async () => {
    const { ana, orderId, key } = await aPaidOrder();
    operator.bank.answer = false;
    await withdraw(ana, orderId);
    await sendNotice(operator.shop, aNotice(key, { event: 'refund', stage: 'opened' }));
    await sendNotice(operator.shop, aNotice(key, { event: 'refund', stage: 'rejected' }));
    expect(await orderOf(ana, orderId)).toMatchObject({ status: 'REFUND_PENDING', withdrawal: { byHand: true } });
    expect(await listed(orderId)).toMatchObject({ by: 'hand', why: 'the provider has rejected the refund' });
    operator.bank.answer = undefined;
    expect((await operator.run('orders', 'refund', orderId, reason)).told).toContain('are refunded');
    expect((await orderOf(ana, orderId)).status).toBe('REFUND_SUCCEEDED');
    expect(await booksOf(orderId)).toEqual(['capture', 'refund']);
  });

  it('that was paid by transfer is refunded only after the operator has sent the money', async () => {
    const transfer = await aTransfer(operator.shop);
    await transfer.prove();
    await transfer.accept();
    const { data } = await withdraw(transfer.buyer, transfer.orderId);
    expect(data).toMatchObject({ status: 'REFUND_PENDING', withdrawal: { state: 'requested', byHand: true } });
    expect(await subjectsTo(transfer.buyer)).not.toContain(refunded);
    expect(await listed(transfer.orderId)).toMatchObject({ by: 'hand', brand: 'mego' });
    expect(await operator.run('withdrawals', 'refunded', transfer.orderId, reason)).toMatchObject({ code: 0 });
    expect((await orderOf(transfer.buyer, transfer.orderId)).status).toBe('REFUND_SUCCEEDED');
    expect(await subjectsTo(transfer.buyer)).toContain(refunded);
    expect((await operator.run('transfers', 'list')).out.join()).not.toContain(transfer.orderId);
    expect(unbalanced(await operator.shop.books())).toEqual([]);
  });

  it('is closed by a chargeback of the bank', async () => {
    const { ana, orderId, key } = await aPaidOrder();
    operator.bank.answer = { permanentFailure: 'its user may not reverse' };
    await withdraw(ana, orderId);
    await sendNotice(operator.shop, aNotice(key, { event: 'chargeback', stage: 'opened' }));
    expect((await orderOf(ana, orderId)).withdrawal).toBeNull();
    expect(await listed(orderId)).toBeUndefined();
    expect((await operator.run('withdrawals', 'refunded', orderId, reason)).told).toContain(
      'is not waiting for a refund',
    );
  });
});
