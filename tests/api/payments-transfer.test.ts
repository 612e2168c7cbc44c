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
import { inCoins } from '#tests/builders/in-coins.ts';
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

const statusOf = async (owed: OwedTransfer) => (await owed.info()).order.status;
const booked = async ({ orderId }: OwedTransfer) =>
  (await shop.db.select().from(ledger).where(eq(ledger.orderId, orderId))).map(({ kind }) => kind);
const onDesk = async () => (await waitingForReview(shop.db, 'mego')).map(({ orderId }) => orderId);

describe('paying by transfer', () => {
  it('shows a PayNow code with the price, the receiver and a reference of its own, for a day', async () => {
    const owed = await aTransfer(shop);
    const { step } = owed;
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
    expect((await owed.info()).next).toEqual(step);
    expect(step.reference).not.toBe((await aTransfer(shop)).step.reference);
  });

  it('shows what the app of caishen reads', async () => {
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

  it('is refused before anything is written where nobody would receive it', async () => {
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

describe('a proof', () => {
  it('is looked at, and a yes pays the order at once, with its days and a receipt', async () => {
    const owed = await aTransfer(shop);
    expect((await owed.prove()).data).toMatchObject({ status: 'PAYMENT_PENDING', next: { proof: 'received' } });
    expect((await owed.info()).order.underReview).toBe(true);
    expect(await onDesk()).toContain(owed.orderId);
    expect(await owed.accept()).toBe('paid');
    const { order, next } = await owed.info();
    const service = { serviceEnd: shop.clock.now + 30 * day, receipt: true };
    expect(order).toMatchObject({ status: 'PAYMENT_SUCCEEDED', ...service, underReview: false });
    expect(next).toEqual({ type: 'none' });
    expect(await onDesk()).not.toContain(owed.orderId);
    expect(await booked(owed)).toEqual(['capture']);
  });

  it('that is none is told so, with a day for another one, and that one pays', async () => {
    const owed = await aTransfer(shop);
    await owed.prove();
    shop.clock.advance(20 * 60 * 60_000);
    expect(await owed.reject()).toBe('rejected');
    const { next, order } = await owed.info();
    const step = uploadStep({ next });
    expect(step).toMatchObject({ proof: 'rejected', expiresAt: shop.clock.now + transferLifetimeMs });
    expect(step.reference).toBe(owed.step.reference);
    expect(step.payload).not.toBe(owed.step.payload);
    expect(order).toMatchObject({ expiresAt: step.expiresAt, underReview: false });
    expect(await onDesk()).not.toContain(owed.orderId);
    expect(await owed.reject()).toBe('nothing');
    expect(uploadStep((await owed.prove()).data).proof).toBe('received');
    expect(await owed.accept()).toBe('paid');
  });

  it('that is none is told by a mail, too, with what another one needs and the way back to the order', async () => {
    const owed = await aTransfer(shop);
    await owed.prove();
    await owed.reject();
    const mails = await mailboxOf(shop, owed.buyer.account, 'mego.localhost');
    const news = mails.find(({ subject }) => subject === `We could not accept your proof of payment (${owed.orderId})`);
    expect(news?.text).toContain(owed.step.reference);
    expect(linkOf(news ?? { text: '' }).url.search).toBe(`?orderId=${owed.orderId}`);
  });

  it('that is none is told with its reason and the shop’s own words, on the order, at its page and in the mail, as text', async () => {
    const owed = await aTransfer(shop);
    await owed.prove();
    const rejection = { reason: 'otherAmount', words: '<b>6,70</b> SGD, please' } as const;
    await owed.reject(rejection);
    const { order, next } = await owed.info();
    expect(order.rejection).toEqual(rejection);
    expect(uploadStep({ next }).rejection).toEqual(rejection);
    const mails = await mailboxOf(shop, owed.buyer.account, 'mego.localhost');
    const news = mails.find(({ subject }) => subject.startsWith('We could not accept your proof'));
    expect(news?.text).toContain('The amount on your picture is not the amount of this order.');
    const sent = await shop.db.select().from(outbox).where(eq(outbox.recipient, owed.buyer.account));
    expect(sent.map(({ html }) => html).join()).toContain('&lt;b&gt;6,70&lt;/b&gt; SGD, please');
    expect(uploadStep((await owed.prove()).data).rejection).toBeUndefined();
    expect((await owed.info()).order.rejection).toBeNull();
  });

  it('sent twice is the same proof; another one has to wait for the first to be looked at', async () => {
    const owed = await aTransfer(shop);
    const [{ objectId }, kept] = [
      await sendFile(shop, owed.buyer, aPicture),
      await sendFile(shop, owed.buyer, aPicture),
    ];
    const once = await handIn(shop, owed.buyer, owed.orderId, objectId);
    expect(await handIn(shop, owed.buyer, owed.orderId, objectId)).toMatchObject({ code: 0, data: once.data });
    expect(await sendFile(shop, owed.buyer, aPicture)).toMatchObject({ status: 422, errCode: 4598 });
    const other = await handIn(shop, owed.buyer, owed.orderId, kept.objectId);
    expect(other).toMatchObject({ errCode: 4598, params: { orderId: owed.orderId } });
    expect((await owed.seen()).transfer.objectId).toBe(objectId);
  });

  it('that was rejected is not the one that came since', async () => {
    const owed = await aTransfer(shop);
    await owed.prove();
    const first = await owed.seen();
    await owed.reject();
    await owed.prove();
    expect(await rejectProof(shop.deps, first.transfer)).toBe('nothing');
    expect(uploadStep(await owed.info()).proof).toBe('received');
  });

  it('is looked at by two people at once, and pays once', async () => {
    const owed = await aTransfer(shop);
    await owed.prove();
    expect((await Promise.all([owed.accept(), owed.accept()])).sort()).toEqual(['before', 'paid']);
    expect(await owed.reject()).toBe('nothing');
    expect(await booked(owed)).toEqual(['capture']);
  });

  it('must be one that its sender has sent, for an order of their own', async () => {
    const [owed, other] = [await aTransfer(shop), await aTransfer(shop)];
    const { objectId } = await sendFile(shop, owed.buyer, aPicture);
    expect(await handIn(shop, other.buyer, other.orderId, objectId)).toMatchObject({
      errCode: 5000,
      params: { field: 'objectId' },
    });
    const theirs = await sendFile(shop, other.buyer, aPicture);
    const body = { orderId: owed.orderId, objectId: theirs.objectId };
    expect((await shop.request(endpoints.orderUpload, { body }, other.buyer)).errCode).toBe(1001);
    expect(uploadStep(await owed.info()).proof).toBe('none');
  });

  it('for an order that is paid, or that waits for something else, changes nothing', async () => {
    const owed = await aTransfer(shop);
    const [first, second] = [await sendFile(shop, owed.buyer, aPicture), await sendFile(shop, owed.buyer, aPicture)];
    await handIn(shop, owed.buyer, owed.orderId, first.objectId);
    await owed.accept();
    const late = await handIn(shop, owed.buyer, owed.orderId, second.objectId);
    expect(late.data).toMatchObject({ status: 'PAYMENT_SUCCEEDED', next: { type: 'none' } });
    const coins = await owed.buyer.pay({ ...inCoins(), planId: '201' });
    expect((await handIn(shop, owed.buyer, coins.data.orderId, second.objectId)).errCode).toBe(4598);
  });
});

describe('a webhook in the name of transfers', () => {
  it('is refused, because nobody tells of them', async () => {
    const told = await shop.app.request('http://mego.localhost/webhooks/transfer', { method: 'POST', body: '{}' });
    expect(told.status).toBe(404);
  });
});

describe('the desk of the sandbox', () => {
  const desk = 'http://mego.localhost/sandbox/desk';
  const press = (verdict: string, { reference, objectId }: { reference: string; objectId: string | null }) =>
    shop.app.request(desk, {
      method: 'POST',
      body: new URLSearchParams({ reference, objectId: objectId ?? '', verdict }),
      redirect: 'manual',
    });

  it('lists what waits at this brand and takes a yes or a no, so that the shop can be tried without a shell', async () => {
    const owed = await aTransfer(shop);
    await owed.prove();
    const { transfer } = await owed.seen();
    expect(await (await shop.app.request(desk)).text()).toContain(owed.orderId);
    expect(await (await shop.app.request('http://localhost/sandbox/desk')).text()).not.toContain(owed.orderId);
    expect((await press('reject', { ...transfer, objectId: 'another' })).status).toBe(303);
    expect(uploadStep(await owed.info()).proof).toBe('received');
    await press('reject', transfer);
    expect(uploadStep(await owed.info()).proof).toBe('rejected');
    await owed.prove();
    await press('accept', (await owed.seen()).transfer);
    expect(await statusOf(owed)).toBe('PAYMENT_SUCCEEDED');
  });

  it('is not there where the sandbox is off, and transfers are', async () => {
    const { host } = await aBrand(shop.db);
    const real = await aShop(shop.db, { env: { SANDBOX: 'false' } });
    expect((await real.app.request(desk)).status).toBe(404);
    expect((await real.app.request(`http://${host}/sandbox/desk`)).status).toBe(404);
    const owed = await aTransfer(real, byPayNow, host);
    expect(owed.step.flavour).toBe('paynow');
  });
});
