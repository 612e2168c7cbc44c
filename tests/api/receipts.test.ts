import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { users } from '#server/db/schema/users.ts';
import { mailboxOf } from '#tests/builders/a-mailbox.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { aRenewing, advanceDays } from '#tests/builders/a-renewal.ts';
import { aShop, byPix, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { testNow } from '#tests/builders/test-app.ts';

const minute = 60_000;
const year = 365 * 24 * 60 * minute;
let shop: Shop;
let waiting: Buyer[];
beforeAll(async () => {
  shop = await aShop();
  waiting = await shop.buyers(18);
});
afterAll(() => shop.close());

const aBuyer = () => waiting.pop() ?? expect.fail('too few buyers');
const receiptsOf = async (ana: Buyer, page = 1, size = 50) =>
  (await shop.request(endpoints.receipts, { body: { page, size } }, ana)).data;
const mailReceipt = (ana: Buyer, orderId: string, language = 'en') =>
  shop.request(endpoints.mailReceipt, { body: { orderId } }, { ...ana, headers: { Language: language } });
const paid = { status: 'PAYMENT_SUCCEEDED' } as const;

describe('the receipts of a customer', () => {
  it('exist for every paid order, also a refunded one, latest payment first', async () => {
    const ana = aBuyer();
    const { order: old } = await anOrder(shop.db, ana, { ...paid, paidAt: testNow - year });
    const { order: back } = await anOrder(shop.db, ana, { status: 'REFUND_SUCCEEDED', paidAt: testNow - 1 });
    const { order: last } = await anOrder(shop.db, ana, { ...paid, createdAt: testNow - year - 1 });
    await anOrder(shop.db, ana, { status: 'PAYMENT_FAILED' });
    await anOrder(shop.db, aBuyer(), paid);
    const { items, total } = await receiptsOf(ana);
    expect(items.map(({ orderId }) => orderId)).toEqual([last.orderId, back.orderId, old.orderId]);
    expect(items.every(({ receipt }) => receipt)).toBe(true);
    expect(total).toBe(3);
    expect((await receiptsOf(ana, 2, 2)).items.map(({ orderId }) => orderId)).toEqual([old.orderId]);
  });
});

describe('the seller and the buyer on a receipt', () => {
  const partiesOf = (ana: Buyer, id: string) => shop.request(endpoints.receiptParties, { params: { id } }, ana);

  it('are those at the time of payment, and are visible only to the customer', async () => {
    const ana = aBuyer();
    const { data } = await ana.pay();
    const buyer = { name: 'Ana Lima', document: '•••.982.247-••' };
    const { data: parties } = await partiesOf(ana, data.orderId);
    expect(parties.buyer).toEqual(buyer);
    expect(parties.seller).toMatchObject({ legalName: 'Lumen Mídia do Brasil Ltda.', taxNumber: '11.222.333/0001-81' });
    const { data: order } = await shop.request(endpoints.order, { params: { id: data.orderId } }, ana);
    expect(order.cardLast4).toBe('4242');
    expect(await partiesOf(aBuyer(), data.orderId)).toMatchObject({ errCode: 1001 });
    const { order: old } = await anOrder(shop.db, ana, paid);
    expect((await partiesOf(ana, old.orderId)).data).toEqual({ seller: null, buyer: null, refunds: [], invoices: [] });
    const { data: open } = await ana.pay(byPix);
    expect(await partiesOf(ana, open.orderId)).toMatchObject({ errCode: 4598 });
  });

  it('include the buyer of a saved card and of a renewal', async () => {
    const ana = await aRenewing(shop);
    const buyer = { name: 'Ana Lima', document: '•••.982.247-••' };
    const { data: cards } = await shop.request(endpoints.listCard, { body: {} }, ana);
    const withSavedCard = { card: undefined, cardId: cards[0]?.cardId, cardCode: '123', payer: {} };
    const { data } = await ana.pay(withSavedCard);
    expect((await partiesOf(ana, data.orderId)).data.buyer).toEqual(buyer);
    await advanceDays(shop, 60);
    const [renewed] = await ana.charges();
    expect((await partiesOf(ana, renewed?.orderId ?? '')).data.buyer).toEqual(buyer);
  });

  it('are in a one-page PDF, in the language of the request and in any script', async () => {
    const ana = aBuyer();
    const { order } = await anOrder(shop.db, ana, {
      ...paid,
      seller: { legalName: 'Люмен Медиа, ООО', address: 'ул. Ленина 1' },
      buyer: { name: 'Анна Łukasz-Nguyễn 小明 محمد', document: null },
    });
    const file = () =>
      shop.request(endpoints.receiptFile, { params: { id: order.orderId } }, { ...ana, headers: { Language: 'es' } });
    const { data } = await file();
    expect(data.name).toBe(`Recibo ${order.orderId}.pdf`);
    const pdf = Buffer.from(data.content, 'base64').toString('latin1');
    expect(pdf.startsWith('%PDF-1.')).toBe(true);
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
    expect(pdf.length).toBeLessThan(80_000);
    expect(pdf).toMatch(/NotoSansSC[^]*NotoSansArabic|NotoSansArabic[^]*NotoSansSC/);
    expect(await shop.request(endpoints.receiptFile, { params: { id: order.orderId } }, aBuyer())).toMatchObject({
      errCode: 1001,
    });
  });

  it('are in the email too, with the last digits of the card', async () => {
    const ana = aBuyer();
    await ana.pay();
    const [receipt] = await mailboxOf(shop, ana.account);
    expect(receipt?.text).toContain('•••• 4242');
    expect(receipt?.text).toContain('Lumen Mídia do Brasil Ltda., 11.222.333/0001-81');
  });
});

describe('a receipt that is sent again', () => {
  it('goes to the address of the customer in the language of the request, and returns it masked', async () => {
    const ana = aBuyer();
    const { data } = await ana.pay();
    await mailboxOf(shop, ana.account);
    const sent = await mailReceipt(ana, data.orderId, 'es');
    expect(sent.data.sentTo).toBe(`${ana.account[0]}***@example.com`);
    const mails = (await mailboxOf(shop, ana.account)).filter(({ text }) =>
      text.includes(`/receipt?orderId=${data.orderId}`),
    );
    expect(mails.map(({ subject }) => subject)).toContainEqual(expect.stringContaining(data.orderId));
    expect(mails.some(({ text }) => text.includes('Gracias'))).toBe(true);
  });

  it('is limited to one a minute and three a day per order', async () => {
    const ana = aBuyer();
    const { order } = await anOrder(shop.db, ana, paid);
    expect((await mailReceipt(ana, order.orderId)).code).toBe(0);
    expect(await mailReceipt(ana, order.orderId)).toMatchObject({ errCode: -3031, params: { waitSeconds: 60 } });
    for (let time = 0; time < 2; time += 1) {
      shop.clock.advance(minute);
      expect((await mailReceipt(ana, order.orderId)).code).toBe(0);
    }
    shop.clock.advance(minute);
    const { errCode, params } = await mailReceipt(ana, order.orderId);
    expect(errCode).toBe(-3031);
    expect(params.waitSeconds).toBeGreaterThan(23 * 60 * 60);
    const { order: another } = await anOrder(shop.db, ana, paid);
    expect((await mailReceipt(ana, another.orderId)).code).toBe(0);
  });

  it('is refused for an unpaid order, an account without an email address, and another customer', async () => {
    const ana = aBuyer();
    const { data } = await ana.pay(byPix);
    expect((await mailReceipt(ana, data.orderId)).errCode).toBe(4598);
    const { order } = await anOrder(shop.db, ana, paid);
    expect((await mailReceipt(aBuyer(), order.orderId)).errCode).toBe(1001);
    await shop.db.update(users).set({ email: null }).where(eq(users.uid, ana.uid));
    // the storefront then offers to add an address
    expect(await mailReceipt(ana, order.orderId)).toMatchObject({ errCode: 4598, params: { field: 'email' } });
  });
});
