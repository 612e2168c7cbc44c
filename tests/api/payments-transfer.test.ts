import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { paymentMethods } from '#server/db/schema/brands.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { rejectProof, waitingForReview } from '#server/billing/review-transfer.ts';
import { transferLifetimeMs } from '#server/payments/transfer/transfer-state.ts';
import { crc16, parseTlv } from '#server/payments/br-code.ts';
import { linkOf, mailboxOf } from '#tests/builders/a-mailbox.ts';
import { aBrand } from '#tests/builders/a-brand.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';
import { inCoins } from '#tests/builders/coin-shop.ts';
import {
  aPicture,
  aTransfer,
  byPayNow,
  byCaishen,
  handIn,
  sendFile,
  uploadStep,
  type OwedTransfer,
} from '#tests/builders/a-transfer.ts';

const day = 86_400_000;
let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const statusOf = async (pending: OwedTransfer) => (await pending.info()).order.status;
const booked = async ({ orderId }: OwedTransfer) =>
  (await shop.db.select().from(ledger).where(eq(ledger.orderId, orderId))).map(({ kind }) => kind);
const underReview = async () => (await waitingForReview(shop.db, 'mego')).map(({ orderId }) => orderId);

describe('paying by transfer', () => {
  it('shows a PayNow code with the price, the receiver and a unique reference, for a day', async () => {
    const pending = await aTransfer(shop);
    const { step } = pending;
    expect(step).toMatchObject({
      flavour: 'paynow',
      receiver: { name: 'Mego Media Pte Ltd', account: '201912345K' },
      amount: { amount: 670, currency: 'SGD' },
      proof: 'none',
      expiresAt: shop.clock.now + transferLifetimeMs,
    });
    const payload = step.payload ?? '';
    expect(crc16(payload.slice(0, -4))).toBe(payload.slice(-4));
    const fields = parseTlv(payload);
    expect(fields?.get('54')).toBe('6.70');
    expect(parseTlv(fields?.get('62') ?? '')?.get('01')).toBe(step.reference);
    expect((await pending.info()).next).toEqual(step);
    expect(step.reference).not.toBe((await aTransfer(shop)).step.reference);
  });

  it('shows a link that the Caishen app reads', async () => {
    const { step } = await aTransfer(shop, byCaishen);
    const link = new URL(step.payload ?? '');
    expect(link.protocol).toBe('caishen:');
    expect(Object.fromEntries(link.searchParams)).toEqual({
      account: 'mego-caishen-8801',
      amount: '35.00',
      currency: 'CNY',
      reference: step.reference,
    });
  });

  it('is refused before an order is created if the method has no receiver', async () => {
    const ofCaishen = and(eq(paymentMethods.brand, 'mego'), eq(paymentMethods.code, 'caishen'));
    const [method] = await shop.db.select().from(paymentMethods).where(ofCaishen);
    await shop.db.update(paymentMethods).set({ details: {} }).where(ofCaishen);
    const without = await aShop(shop.db);
    const buyer = await without.buyer({ host: 'mego.localhost' });
    expect((await buyer.pay(byCaishen)).errCode).toBe(-2602);
    expect((await shop.books()).orders.filter(({ uid }) => uid === buyer.uid)).toEqual([]);
    await shop.db
      .update(paymentMethods)
      .set({ details: method?.details ?? {} })
      .where(ofCaishen);
  });
});

describe('a proof of payment', () => {
  it('is reviewed, and its acceptance pays the order at once, with the days and a receipt', async () => {
    const pending = await aTransfer(shop);
    expect((await pending.prove()).data).toMatchObject({ status: 'PAYMENT_PENDING', next: { proof: 'received' } });
    expect((await pending.info()).order.underReview).toBe(true);
    expect(await underReview()).toContain(pending.orderId);
    expect(await pending.accept()).toBe('paid');
    const { order, next } = await pending.info();
    const service = { serviceEnd: shop.clock.now + 30 * day, receipt: true };
    expect(order).toMatchObject({ status: 'PAYMENT_SUCCEEDED', ...service, underReview: false });
    expect(next).toEqual({ type: 'none' });
    expect(await underReview()).not.toContain(pending.orderId);
    expect(await booked(pending)).toEqual(['capture']);
  });

  it('that is rejected can be replaced within a day, and the new one pays', async () => {
    const pending = await aTransfer(shop);
    await pending.prove();
    shop.clock.advance(20 * 60 * 60_000);
    expect(await pending.reject()).toBe('rejected');
    const { next, order } = await pending.info();
    const step = uploadStep({ next });
    expect(step).toMatchObject({ proof: 'rejected', expiresAt: shop.clock.now + transferLifetimeMs });
    expect(step.reference).toBe(pending.step.reference);
    expect(step.payload).not.toBe(pending.step.payload);
    expect(order).toMatchObject({ expiresAt: step.expiresAt, underReview: false });
    expect(await underReview()).not.toContain(pending.orderId);
    expect(await pending.reject()).toBe('nothing');
    expect(uploadStep((await pending.prove()).data).proof).toBe('received');
    expect(await pending.accept()).toBe('paid');
  });

  it('that is rejected is reported by email, with the reference and a link to the order', async () => {
    const pending = await aTransfer(shop);
    await pending.prove();
    await pending.reject();
    const mails = await mailboxOf(shop, pending.buyer.account, 'mego.localhost');
    const rejectionMail = mails.find(
      ({ subject }) => subject === `We couldn’t accept your proof of payment (${pending.orderId})`,
    );
    expect(rejectionMail?.text).toContain(pending.step.reference);
    expect(linkOf(rejectionMail ?? { text: '' }).url.search).toBe(`?orderId=${pending.orderId}`);
  });

  it('that is rejected shows the reason and message as text on the order, its page and in the email', async () => {
    const pending = await aTransfer(shop);
    await pending.prove();
    const rejection = { reason: 'otherAmount', words: '<b>6,70</b> SGD, please' } as const;
    await pending.reject(rejection);
    const { order, next } = await pending.info();
    expect(order.rejection).toEqual(rejection);
    expect(uploadStep({ next }).rejection).toEqual(rejection);
    const mails = await mailboxOf(shop, pending.buyer.account, 'mego.localhost');
    const rejectionMail = mails.find(({ subject }) => subject.startsWith('We couldn’t accept your proof'));
    expect(rejectionMail?.text).toContain('The amount on your proof of payment doesn’t match this order.');
    const sent = await shop.db.select().from(outbox).where(eq(outbox.recipient, pending.buyer.account));
    expect(sent.map(({ html }) => html).join()).toContain('&lt;b&gt;6,70&lt;/b&gt; SGD, please');
    expect(uploadStep((await pending.prove()).data).rejection).toBeUndefined();
    expect((await pending.info()).order.rejection).toBeNull();
  });

  it('sent twice is stored once, and another one waits for its review', async () => {
    const pending = await aTransfer(shop);
    const [{ objectId }, kept] = [
      await sendFile(shop, pending.buyer, aPicture),
      await sendFile(shop, pending.buyer, aPicture),
    ];
    const once = await handIn(shop, pending.buyer, pending.orderId, objectId);
    expect(await handIn(shop, pending.buyer, pending.orderId, objectId)).toMatchObject({ code: 0, data: once.data });
    expect(await sendFile(shop, pending.buyer, aPicture)).toMatchObject({ status: 422, errCode: 4598 });
    const other = await handIn(shop, pending.buyer, pending.orderId, kept.objectId);
    expect(other).toMatchObject({ errCode: 4598, params: { orderId: pending.orderId } });
    expect((await pending.seen()).transfer.objectId).toBe(objectId);
  });

  it('is not rejected by a late rejection of the previous one', async () => {
    const pending = await aTransfer(shop);
    await pending.prove();
    const first = await pending.seen();
    await pending.reject();
    await pending.prove();
    expect(await rejectProof(shop.deps, first.transfer)).toBe('nothing');
    expect(uploadStep(await pending.info()).proof).toBe('received');
  });

  it('accepted by two reviewers at once pays once', async () => {
    const pending = await aTransfer(shop);
    await pending.prove();
    expect((await Promise.all([pending.accept(), pending.accept()])).sort()).toEqual(['before', 'paid']);
    expect(await pending.reject()).toBe('nothing');
    expect(await booked(pending)).toEqual(['capture']);
  });

  it('is accepted only from its sender and for their own order', async () => {
    const [pending, other] = [await aTransfer(shop), await aTransfer(shop)];
    const { objectId } = await sendFile(shop, pending.buyer, aPicture);
    expect(await handIn(shop, other.buyer, other.orderId, objectId)).toMatchObject({
      errCode: 5000,
      params: { field: 'objectId' },
    });
    const otherUpload = await sendFile(shop, other.buyer, aPicture);
    const body = { orderId: pending.orderId, objectId: otherUpload.objectId };
    expect((await shop.request(endpoints.orderUpload, { body }, other.buyer)).errCode).toBe(1001);
    expect(uploadStep(await pending.info()).proof).toBe('none');
  });

  it('for a paid order or another method changes nothing', async () => {
    const pending = await aTransfer(shop);
    const [first, second] = [
      await sendFile(shop, pending.buyer, aPicture),
      await sendFile(shop, pending.buyer, aPicture),
    ];
    await handIn(shop, pending.buyer, pending.orderId, first.objectId);
    await pending.accept();
    const late = await handIn(shop, pending.buyer, pending.orderId, second.objectId);
    expect(late.data).toMatchObject({ status: 'PAYMENT_SUCCEEDED', next: { type: 'none' } });
    const coins = await pending.buyer.pay({ ...inCoins(), planId: '201' });
    expect((await handIn(shop, pending.buyer, coins.data.orderId, second.objectId)).errCode).toBe(4598);
  });
});

describe('a webhook for transfers', () => {
  it('does not exist, because no provider sends notices', async () => {
    const response = await shop.app.request('http://mego.localhost/webhooks/transfer', { method: 'POST', body: '{}' });
    expect(response.status).toBe(404);
  });
});

describe('the sandbox page for reviews', () => {
  const reviewPage = 'http://mego.localhost/sandbox/desk';
  const press = (verdict: string, { reference, objectId }: { reference: string; objectId: string | null }) =>
    shop.app.request(reviewPage, {
      method: 'POST',
      body: new URLSearchParams({ reference, objectId: objectId ?? '', verdict }),
      redirect: 'manual',
    });

  it('lists the transfers of its brand, and accepts or rejects a proof of payment', async () => {
    const pending = await aTransfer(shop);
    await pending.prove();
    const { transfer } = await pending.seen();
    expect(await (await shop.app.request(reviewPage)).text()).toContain(pending.orderId);
    expect(await (await shop.app.request('http://localhost/sandbox/desk')).text()).not.toContain(pending.orderId);
    expect((await press('reject', { ...transfer, objectId: 'another' })).status).toBe(303);
    expect(uploadStep(await pending.info()).proof).toBe('received');
    await press('reject', transfer);
    expect(uploadStep(await pending.info()).proof).toBe('rejected');
    await pending.prove();
    await press('accept', (await pending.seen()).transfer);
    expect(await statusOf(pending)).toBe('PAYMENT_SUCCEEDED');
  });

  it('does not exist without the sandbox, unlike transfers', async () => {
    const { host } = await aBrand(shop.db);
    const real = await aShop(shop.db, { env: { SANDBOX: 'false' } });
    expect((await real.app.request(reviewPage)).status).toBe(404);
    expect((await real.app.request(`http://${host}/sandbox/desk`)).status).toBe(404);
    const pending = await aTransfer(real, byPayNow, host);
    expect(pending.step.flavour).toBe('paynow');
  });
});
