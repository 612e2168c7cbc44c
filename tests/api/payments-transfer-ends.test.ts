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

const statusOf = async (transfer: OwedTransfer) => (await transfer.info()).order.status;
const booked = async ({ orderId }: OwedTransfer) =>
  (await shop.db.select().from(ledger).where(eq(ledger.orderId, orderId))).map(({ kind }) => kind);
const underReview = async () => (await waitingForReview(shop.db, 'mego')).map(({ orderId }) => orderId);
/** Advances the clock and runs the job that reconciles open payments. */
const pass = async (ms: number) => {
  shop.clock.advance(Math.max(ms, defaultReconcileAfterMs));
  await reconcile(shop.deps);
};

describe('a transfer that does not arrive', () => {
  it('expires after a day, can be requested again, and is cancelled another day later', async () => {
    const transfer = await aTransfer(shop);
    await pass(transferLifetimeMs);
    expect(await transfer.info()).toMatchObject({ order: { status: 'PAYMENT_PENDING' }, next: { type: 'none' } });
    expect((await sendFile(shop, transfer.buyer, aPicture)).errCode).toBe(4598);
    const again = await transfer.buyer.repay(transfer.orderId, byPayNow);
    expect(uploadStep(again.data).reference).not.toBe(transfer.step.reference);
    await pass(transferLifetimeMs);
    await pass(repayGraceMs + 1);
    await cancelAbandonedOrders(shop.deps);
    expect(await statusOf(transfer)).toBe('PAYMENT_CANCELLED');
  });

  it('does not expire while its proof of payment is under review', async () => {
    const transfer = await aTransfer(shop);
    await transfer.prove();
    for (const _ of [1, 2, 3]) {
      await pass(transferLifetimeMs);
      await cancelAbandonedOrders(shop.deps);
      const step = uploadStep(await transfer.info());
      expect(step.proof).toBe('received');
      expect(step.expiresAt).toBeGreaterThan(shop.clock.now);
    }
    expect((await transfer.buyer.repay(transfer.orderId, byPayNow)).data.next).toMatchObject({ proof: 'received' });
    expect(await transfer.accept()).toBe('paid');
  });

  it('accepts a late proof of payment until the attempt has expired', async () => {
    const transfer = await aTransfer(shop);
    shop.clock.advance(transferLifetimeMs + 1000);
    expect(uploadStep((await transfer.prove()).data).proof).toBe('received');
    await pass(defaultReconcileAfterMs);
    expect(await statusOf(transfer)).toBe('PAYMENT_PENDING');
  });

  it('is credited if the money arrives after all, even after the order was cancelled', async () => {
    const transfer = await aTransfer(shop);
    await pass(transferLifetimeMs);
    await pass(repayGraceMs + 1);
    await cancelAbandonedOrders(shop.deps);
    expect(await statusOf(transfer)).toBe('PAYMENT_CANCELLED');
    expect(await transfer.accept()).toBe('paid');
    expect(await statusOf(transfer)).toBe('PAYMENT_SUCCEEDED');
    expect(await transfer.accept()).toBe('before');
    expect(await booked(transfer)).toEqual(['capture']);
  });

  it('stays in the review list if it was cancelled under review, and a rejection then dismisses the proof', async () => {
    const transfer = await aTransfer(shop);
    await transfer.prove();
    const { key } = (await transfer.seen()).transfer;
    expect(await shop.deps.gateways['transfer']?.cancel(key)).toMatchObject({
      state: 'failed',
      failure: 'paymentCancelled',
    });
    expect(await underReview()).toContain(transfer.orderId);
    expect(await transfer.reject()).toBe('dismissed');
    expect(await underReview()).not.toContain(transfer.orderId);
  });

  it('with an unknown key is closed by a query, so that a late request cannot start it', async () => {
    const gateway = shop.deps.gateways['transfer'];
    const key = crypto.randomUUID();
    expect(await gateway?.inquire(key)).toMatchObject({ state: 'failed' });
    const request = { key, brand: 'mego', merchantName: 'Mego', methodCode: 'paynow', amount: 670, currency: 'SGD' };
    const rest = { installments: 1, payer: {}, returnUrl: 'http://mego.localhost/', orderLabel: 'ABCDEFGHJKLM' };
    const receiver = { name: 'Mego', account: '201912345K' };
    expect(await gateway?.authorise({ ...request, ...rest, receiver })).toMatchObject({ state: 'failed' });
  });
});

describe('a duplicate transfer', () => {
  it('is accepted, booked, and listed for a refund by the operator', async () => {
    const transfer = await aTransfer(shop);
    const first = await transfer.seen();
    await pass(transferLifetimeMs);
    await transfer.buyer.repay(transfer.orderId, byPayNow);
    await transfer.prove();
    expect(await transfer.accept()).toBe('paid');
    expect(await acceptTransfer(shop.deps, first.transfer)).toBe('paidTwice');
    expect(await refundDuplicates(shop.deps)).toBe(1);
    expect((await booked(transfer)).sort()).toEqual(['capture', 'capture', 'refund']);
    const back = await transfersToRefund(shop.db, shop.clock.now, 'mego');
    expect(back.map(({ orderId }) => orderId)).toContain(transfer.orderId);
    expect(await statusOf(transfer)).toBe('PAYMENT_SUCCEEDED');
  });
});
