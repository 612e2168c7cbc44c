import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import type { NextStep } from '#contract/next-step.ts';
import { cancelAbandonedOrders, repayGraceMs, sendSlipReminders } from '#server/jobs/start-jobs.ts';
import { reconcile, defaultReconcileAfterMs } from '#server/jobs/reconcile.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { parseBoleto, bankDay, dueDayOf } from '#server/payments/boleto.ts';
import { mailboxOf } from '#tests/builders/a-mailbox.ts';
import { aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const address = { zipCode: '01310-100', state: 'SP', city: 'São Paulo', street: 'Avenida Paulista', streetNumber: '1' };
const bySlip = (firstName = 'Ana') => ({
  methodCode: 'boleto',
  card: undefined,
  payer: { firstName, lastName: 'Lima', document: '52998224725', address },
});
const slipOf = (next: NextStep) => {
  if (next.type !== 'ticket') throw new Error(`no slip but ${next.type}`);
  return next;
};
const aSlip = async () => {
  const ana = await shop.buyer();
  const { data } = await ana.pay(bySlip());
  const slip = slipOf(data.next);
  return { ana, ...data, slip, page: slip.bankUrl ?? '' };
};
const orderOf = async (ana: Buyer, orderId: string) =>
  (await shop.request(endpoints.order, { params: { id: orderId } }, ana)).data;
const nextOf = async (ana: Buyer, orderId: string) =>
  (await shop.request(endpoints.paymentInfo, { body: { orderId } }, ana)).data.next;
const booked = async (orderId: string) =>
  (await shop.books()).ledger
    .filter((entry) => entry.orderId === orderId)
    .map(({ kind, amount }) => `${kind} ${amount}`)
    .toSorted();
const paidSlips = async (orderId: string) => {
  const { attempts, charges } = await shop.books();
  const keys = new Set(attempts.filter((attempt) => attempt.orderId === orderId).map(({ id }) => id));
  return charges.filter(({ key, status }) => keys.has(key) && status === 'paid').length;
};
const pageText = async (page: string) => (await shop.app.request(page)).text();

describe('paying by Boleto', () => {
  it('shows a slip that any bank can read, due in five days by the calendar of Brasília', async () => {
    const { slip, status } = await aSlip();
    expect(status).toBe('PAYMENT_PENDING');
    expect(slip).toMatchObject({
      amount: { amount: 1990, currency: 'BRL' },
      dueDate: '2026-11-26',
      expiresAt: Date.UTC(2026, 10, 27, 3) - 1,
    });
    const read = parseBoleto(slip.line);
    expect(read).toMatchObject({ bank: '999', amount: 1990, barcode: slip.barcode, line: slip.line });
    expect(dueDayOf(read?.factor ?? '', '2026-11-21')).toBe('2026-11-26');
  });

  it('counts the due date from the day in Brasília, not in London', async () => {
    shop.clock.now = Date.UTC(2026, 10, 22, 2, 30);
    expect((await aSlip()).slip.dueDate).toBe('2026-11-26');
    shop.clock.advance(hour);
    expect((await aSlip()).slip.dueDate).toBe('2026-11-27');
  });

  it('succeeds once after the notice of the bank, however often it is sent', async () => {
    const { ana, orderId, page } = await aSlip();
    expect(await pageText(page)).toContain('Pay a slip');
    await shop.press(page, 'pay');
    await shop.press(page, 'pay');
    expect((await orderOf(ana, orderId)).status).toBe('PAYMENT_PENDING');
    await shop.deliver(300);
    await shop.deliver(5000);
    expect(await orderOf(ana, orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', receipt: true, expiresAt: null });
    expect(await booked(orderId)).toEqual(['capture 1990']);
  });

  it('waits for a payment that is scheduled for the next day', async () => {
    const { ana, orderId, page, slip } = await aSlip();
    await shop.press(page, 'pay-tomorrow');
    expect(await pageText(page)).toContain('in a day');
    await shop.deliver(day - 1);
    expect(await nextOf(ana, orderId)).toEqual(slip);
    await shop.deliver(1);
    await shop.deliver(300);
    expect(await orderOf(ana, orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', paidAt: shop.clock.now });
    expect(await booked(orderId)).toEqual(['capture 1990']);
  });

  it('can be continued for days with the same slip and order', async () => {
    const { ana, orderId, slip } = await aSlip();
    shop.clock.advance(4 * day);
    await reconcile(shop.deps);
    expect(await nextOf(ana, orderId)).toEqual(slip);
    expect((await ana.repay(orderId, bySlip())).data).toMatchObject({ orderId, next: slip });
    const own = (await shop.books()).attempts.filter((attempt) => attempt.orderId === orderId);
    expect(own).toHaveLength(1);
  });

  it('requires an address, because a slip states it', async () => {
    const ana = await shop.buyer();
    const { payer, ...rest } = bySlip();
    const refused = await ana.pay({ ...rest, payer: { ...payer, address: undefined } });
    expect(refused).toMatchObject({ errCode: 5000, params: { field: 'payer.address' } });
  });

  it('is neither visible to nor payable by another customer', async () => {
    const { orderId } = await aSlip();
    const bea = await shop.buyer();
    expect((await shop.request(endpoints.paymentInfo, { body: { orderId } }, bea)).errCode).toBe(1001);
    expect((await bea.repay(orderId, bySlip())).errCode).toBe(1001);
  });
});

describe('a connection failure to the bank', () => {
  it('after the slip was created finds that slip and creates no second one', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(bySlip('LOSTANSWER'));
    expect(data).toMatchObject({ status: 'SUBMITTED', next: { type: 'none' } });
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    const slip = slipOf(await nextOf(ana, data.orderId));
    expect(parseBoleto(slip.barcode)?.amount).toBe(1990);
    await shop.press(slip.bankUrl ?? '', 'pay');
    await shop.deliver(300);
    expect((await orderOf(ana, data.orderId)).status).toBe('PAYMENT_SUCCEEDED');
    expect([await booked(data.orderId), await paidSlips(data.orderId)]).toEqual([['capture 1990'], 1]);
  });

  it('before the slip was created fails the attempt, and the same order can be paid with another slip', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(bySlip('OUTAGE'));
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    expect((await orderOf(ana, data.orderId)).status).toBe('PAYMENT_FAILED');
    expect(await booked(data.orderId)).toEqual([]);
    const again = await ana.repay(data.orderId, bySlip());
    expect(again.data).toMatchObject({ orderId: data.orderId, next: { type: 'ticket' } });
  });
});

describe('a slip after its due date', () => {
  it('is shown until the day ends in Brasília, and is replaced by a new one for the same order', async () => {
    const { ana, orderId, slip } = await aSlip();
    shop.clock.now = slip.expiresAt - 1;
    expect(await nextOf(ana, orderId)).toEqual(slip);
    shop.clock.advance(1);
    expect(await nextOf(ana, orderId)).toEqual({ type: 'none' });
    const renewed = await ana.repay(orderId, bySlip());
    expect(renewed.data).toMatchObject({ orderId, status: 'PAYMENT_PENDING' });
    const next = slipOf(renewed.data.next);
    expect(next.barcode).not.toBe(slip.barcode);
    expect(next.expiresAt).toBe(slip.expiresAt + 5 * day);
    expect(bankDay(next.expiresAt)).toBe(next.dueDate);
  });

  it('buys the days if its payment was scheduled on the last day', async () => {
    const { ana, orderId, slip, page } = await aSlip();
    shop.clock.now = slip.expiresAt - hour;
    await shop.press(page, 'pay-tomorrow');
    shop.clock.advance(2 * hour);
    await reconcile(shop.deps);
    expect(await nextOf(ana, orderId)).toEqual({ type: 'none' });
    await shop.deliver(day);
    await shop.deliver(300);
    expect((await orderOf(ana, orderId)).status).toBe('PAYMENT_SUCCEEDED');
    expect(await booked(orderId)).toEqual(['capture 1990']);
  });

  it('cannot be paid by mistake, and is credited if paid anyway, even after the order was cancelled', async () => {
    const { ana, orderId, slip, page } = await aSlip();
    shop.clock.now = slip.expiresAt;
    await reconcile(shop.deps);
    await shop.press(page, 'pay');
    expect(await pageText(page)).toContain('Slip expired');
    shop.clock.advance(repayGraceMs + 1);
    expect(await cancelAbandonedOrders(shop.deps)).toBeGreaterThan(0);
    expect((await orderOf(ana, orderId)).status).toBe('PAYMENT_CANCELLED');
    await shop.press(page, 'pay-late');
    await shop.deliver(300);
    expect(await orderOf(ana, orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', serviceStart: shop.clock.now });
    expect(await booked(orderId)).toEqual(['capture 1990']);
  });

  it('is refunded if the new slip was paid too', async () => {
    const { ana, orderId, slip, page } = await aSlip();
    shop.clock.now = slip.expiresAt;
    const renewed = slipOf((await ana.repay(orderId, bySlip())).data.next);
    await shop.press(renewed.bankUrl ?? '', 'pay');
    await shop.press(page, 'pay-late');
    await shop.deliver(300);
    expect(await booked(orderId)).toEqual(['capture 1990', 'capture 1990']);
    expect(await refundDuplicates(shop.deps)).toBe(1);
    expect(await booked(orderId)).toEqual(['capture 1990', 'capture 1990', 'refund -1990']);
    expect(await paidSlips(orderId)).toBe(1);
    const { serviceStart, serviceEnd } = await orderOf(ana, orderId);
    expect((serviceEnd ?? 0) - (serviceStart ?? 0)).toBe(30 * day);
  });
});

describe('the emails of a Boleto', () => {
  /** newest first, without receipts and mails of cancelled orders */
  const mailsOf = async ({ account }: Buyer) =>
    (await mailboxOf(shop, account)).filter(({ text }) => text.includes('/payment-step'));
  const subjectsOf = async (ana: Buyer) => (await mailsOf(ana)).map(({ subject }) => subject.replace(/ \(.*/, ''));
  const slipOnly = ['Here’s your boleto'];
  const withReminder = ['Your boleto expires soon', ...slipOnly];
  const nineOnTheDayBefore = (dueDate: string) => Date.parse(`${dueDate}T12:00:00Z`) - day;

  it('contain the slip at once, and a reminder in the morning before its last day, each once', async () => {
    const { ana, slip } = await aSlip();
    expect(await subjectsOf(ana)).toEqual(slipOnly);
    expect((await mailsOf(ana))[0]?.text).toContain(slip.line);
    shop.clock.now = nineOnTheDayBefore(slip.dueDate) - 2;
    await reconcile(shop.deps);
    await sendSlipReminders(shop.deps);
    expect(await subjectsOf(ana)).toEqual(slipOnly);
    shop.clock.advance(1);
    await Promise.all([sendSlipReminders(shop.deps), sendSlipReminders(shop.deps)]);
    await reconcile(shop.deps);
    await sendSlipReminders(shop.deps);
    expect(await subjectsOf(ana)).toEqual(withReminder);
    expect((await mailsOf(ana))[0]?.text).toContain(slip.line);
  });

  it('contain no reminder of a slip that is paid or cancelled', async () => {
    const [paid, cancelled] = [await aSlip(), await aSlip()];
    await shop.press(paid.page, 'pay');
    await shop.deliver(5000);
    await shop.request(endpoints.cancelOrder, { body: { orderId: cancelled.orderId } }, cancelled.ana);
    shop.clock.now = nineOnTheDayBefore(cancelled.slip.dueDate) + hour;
    await sendSlipReminders(shop.deps);
    expect(await Promise.all([paid.ana, cancelled.ana].map(subjectsOf))).toEqual([slipOnly, slipOnly]);
  });

  it('contain the new slip of an order that is paid again after its slip expired', async () => {
    const { ana, orderId, slip } = await aSlip();
    shop.clock.now = slip.expiresAt + hour;
    await reconcile(shop.deps);
    await sendSlipReminders(shop.deps);
    await ana.repay(orderId, bySlip());
    expect(await subjectsOf(ana)).toEqual([...slipOnly, ...slipOnly]);
  });
});
