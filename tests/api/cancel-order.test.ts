import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { orders } from '#server/db/schema/orders.ts';
import { aCoupon, usesOf } from '#tests/builders/a-coupon.ts';
import { aShop, byPix, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { aTransfer } from '#tests/builders/a-transfer.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { unbalanced } from '#tests/builders/unbalanced-orders.ts';

let shop: Shop;
let buyers: Buyer[];
beforeAll(async () => {
  shop = await aShop();
  buyers = await shop.buyers(8);
});
afterAll(() => shop.close());

const aBuyer = () => buyers.pop() ?? expect.fail('too few buyers');
const cancel = (ana: Buyer, orderId: string) => shop.request(endpoints.cancelOrder, { body: { orderId } }, ana);
const statusOf = async (ana: Buyer, id: string) =>
  (await shop.request(endpoints.order, { params: { id } }, ana)).data.status;

const aPixOrder = async (more: { discountCode?: string } = {}) => {
  const ana = aBuyer();
  const { data } = await ana.pay({ ...byPix, ...more });
  if (data.next.type !== 'qr') throw new Error('no code to scan');
  return { ana, orderId: data.orderId, page: data.next.bankUrl ?? '' };
};

describe('an order that its customer cancels', () => {
  it('ends, releases its coupon and leaves the cart; cancelling again changes nothing', async () => {
    const discountCode = await aCoupon(shop.db, { maxUses: 1 });
    const { ana, orderId } = await aPixOrder({ discountCode });
    const answer = { code: 0, data: { orderId, status: 'PAYMENT_CANCELLED' } };
    expect(await cancel(ana, orderId)).toMatchObject(answer);
    expect(await usesOf(shop.db, discountCode)).toBe(0);
    expect(await cancel(ana, orderId)).toMatchObject(answer);
    expect(await usesOf(shop.db, discountCode)).toBe(0);
    expect((await shop.request(endpoints.queryCart, { body: {} }, ana)).data.items).toEqual([]);
  });

  it('ends once for several simultaneous taps', async () => {
    const { ana, orderId } = await aPixOrder();
    const answers = await Promise.all([1, 2, 3].map(() => cancel(ana, orderId)));
    expect(answers.map(({ data }) => data.status)).toEqual(Array(3).fill('PAYMENT_CANCELLED'));
  });

  it('is reported as paid when it was paid just before', async () => {
    const { ana, orderId, page } = await aPixOrder();
    await shop.press(page, 'pay');
    expect((await cancel(ana, orderId)).data.status).toBe('PAYMENT_SUCCEEDED');
    expect(unbalanced(await shop.books())).toEqual([]);
  });

  it('cannot be cancelled by another customer', async () => {
    const { ana, orderId } = await aPixOrder();
    expect(await cancel(aBuyer(), orderId)).toMatchObject({ errCode: 1001 });
    expect(await statusOf(ana, orderId)).toBe('PAYMENT_PENDING');
  });

  it('stays open while its proof of payment is reviewed and while a renewal is charged', async () => {
    const owed = await aTransfer(shop);
    await owed.prove();
    expect(await cancel(owed.buyer, owed.orderId)).toMatchObject({ errCode: 4598 });
    expect(await owed.accept()).toBe('paid');
    const ana = aBuyer();
    const { order } = await anOrder(shop.db, ana, {
      status: 'PAYMENT_PENDING',
      subscriptionId: 'a-renewal',
      period: 1,
    });
    expect(await cancel(ana, order.orderId)).toMatchObject({ errCode: 4598 });
  });

  it('is paid after all by a payment that arrives later', async () => {
    const owed = await aTransfer(shop);
    expect((await cancel(owed.buyer, owed.orderId)).data.status).toBe('PAYMENT_CANCELLED');
    expect(await owed.accept()).toBe('paid');
    const [row] = await shop.db.select().from(orders).where(eq(orders.orderId, owed.orderId));
    expect(row?.status).toBe('PAYMENT_SUCCEEDED');
  });
});
