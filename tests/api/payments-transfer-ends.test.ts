import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledger } from '#server/db/schema/ledger.ts';
import { cancelAbandonedOrders, repayGraceMs } from '#server/jobs/start-jobs.ts';
import { reconcile, defaultReconcileAfterMs } from '#server/jobs/reconcile.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { acceptTransfer, transfersToRefund, waitingForReview } from '#server/billing/review-transfer.ts';
import { transferLifetimeMs } from '#server/payments/transfer/transfer-state.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';
import { aPicture, aTransfer, byPayNow, sendFile, uploadStep, type OwedTransfer } from '#tests/builders/a-transfer.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const statusOf = async (owed: OwedTransfer) => (await owed.info()).order.status;
const booked = async ({ orderId }: OwedTransfer) =>
  (await shop.db.select().from(ledger).where(eq(ledger.orderId, orderId))).map(({ kind }) => kind);
const onDesk = async () => (await waitingForReview(shop.db, 'mego')).map(({ orderId }) => orderId);
/** Lets time pass, and the jobs that look after open payments run. */
const pass = async (ms: number) => {
  shop.clock.advance(Math.max(ms, defaultReconcileAfterMs));
  await reconcile(shop.deps);
};

describe('a transfer that nobody makes', () => {
  it('ends after its day, can be paid anew with another reference, and is cancelled a day later', async () => {
    const owed = await aTransfer(shop);
    await pass(transferLifetimeMs);
    expect(await owed.info()).toMatchObject({ order: { status: 'PAYMENT_PENDING' }, next: { type: 'none' } });
    expect((await sendFile(shop, owed.buyer, aPicture)).errCode).toBe(4598);
    const again = await owed.buyer.repay(owed.orderId, byPayNow);
    expect(uploadStep(again.data).reference).not.toBe(owed.step.reference);
    await pass(transferLifetimeMs);
    await pass(repayGraceMs + 1);
    await cancelAbandonedOrders(shop.deps);
    expect(await statusOf(owed)).toBe('PAYMENT_CANCELLED');
  });

  it('does not end while its proof is looked at, however long that takes', async () => {
    const owed = await aTransfer(shop);
    await owed.prove();
    for (const _ of [1, 2, 3]) {
      await pass(transferLifetimeMs);
      await cancelAbandonedOrders(shop.deps);
      const step = uploadStep(await owed.info());
      expect(step.proof).toBe('received');
      expect(step.expiresAt).toBeGreaterThan(shop.clock.now);
    }
    expect((await owed.buyer.repay(owed.orderId, byPayNow)).data.next).toMatchObject({ proof: 'received' });
    expect(await owed.accept()).toBe('paid');
  });

  it('takes a proof that comes a moment late, as long as nobody has ended it', async () => {
    const owed = await aTransfer(shop);
    shop.clock.advance(transferLifetimeMs + 1000);
    expect(uploadStep((await owed.prove()).data).proof).toBe('received');
    await pass(defaultReconcileAfterMs);
    expect(await statusOf(owed)).toBe('PAYMENT_PENDING');
  });

  it('is credited when its money turns up after all, even after the order was cancelled', async () => {
    const owed = await aTransfer(shop);
    await pass(transferLifetimeMs);
    await pass(repayGraceMs + 1);
    await cancelAbandonedOrders(shop.deps);
    expect(await statusOf(owed)).toBe('PAYMENT_CANCELLED');
    expect(await owed.accept()).toBe('paid');
    expect(await statusOf(owed)).toBe('PAYMENT_SUCCEEDED');
    expect(await owed.accept()).toBe('before');
    expect(await booked(owed)).toEqual(['capture']);
  });

  it('stays on the desk when it was cancelled under review, and a no then only puts the proof aside', async () => {
    const owed = await aTransfer(shop);
    await owed.prove();
    const { key } = (await owed.seen()).transfer;
    expect(await shop.deps.gateways['transfer']?.cancel(key)).toMatchObject({
      state: 'failed',
      failure: 'paymentCancelled',
    });
    expect(await onDesk()).toContain(owed.orderId);
    expect(await owed.reject()).toBe('dismissed');
    expect(await onDesk()).not.toContain(owed.orderId);
  });

  it('was never begun: asking for it ends its key, so that a late start cannot open it', async () => {
    const gateway = shop.deps.gateways['transfer'];
    const key = crypto.randomUUID();
    expect(await gateway?.inquire(key)).toMatchObject({ state: 'failed' });
    const request = { key, brand: 'mego', merchantName: 'Mego', methodCode: 'paynow', amount: 670, currency: 'SGD' };
    const rest = { installments: 1, payer: {}, returnUrl: 'http://mego.localhost/', orderLabel: 'ABCDEFGHJKLM' };
    const receiver = { name: 'Mego', account: '201912345K' };
    expect(await gateway?.authorise({ ...request, ...rest, receiver })).toMatchObject({ state: 'failed' });
  });
});

describe('money that comes twice', () => {
  it('is accepted, booked, and noted as money that people have to give back', async () => {
    const owed = await aTransfer(shop);
    const first = await owed.seen();
    await pass(transferLifetimeMs);
    await owed.buyer.repay(owed.orderId, byPayNow);
    await owed.prove();
    expect(await owed.accept()).toBe('paid');
    expect(await acceptTransfer(shop.deps, first.transfer)).toBe('paidTwice');
    expect(await refundDuplicates(shop.deps)).toBe(1);
    expect((await booked(owed)).sort()).toEqual(['capture', 'capture', 'refund']);
    const back = await transfersToRefund(shop.db, shop.clock.now, 'mego');
    expect(back.map(({ orderId }) => orderId)).toContain(owed.orderId);
    expect(await statusOf(owed)).toBe('PAYMENT_SUCCEEDED');
  });
});
