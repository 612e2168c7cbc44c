import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { applyGatewayResult } from '#server/billing/apply-gateway-result.ts';
import { findPurchase } from '#server/db/purchase-rows.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { orders } from '#server/db/schema/orders.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { aCoupon, usesOf } from '#tests/builders/a-coupon.ts';
import { aCard, aShop, byPix, type Buyer, type Shop, type Wish } from '#tests/builders/a-shop.ts';
import { unbalanced } from '#tests/builders/unbalanced-orders.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const declined = aCard('4000000000000002');

/** The provider captures an attempt that it had reported as failed or expired. */
const captureLate = async (orderId: string, attempt: { amount: number }) => {
  const { attempts } = await shop.books();
  const earlier = attempts.find((one) => one.orderId === orderId && one.amount === attempt.amount);
  const purchase = await findPurchase(shop.db, earlier?.id ?? '');
  if (!purchase) throw new Error('the order has no such attempt');
  await applyGatewayResult(shop.deps, purchase, { state: 'succeeded' });
};

const orderOf = async (buyer: Buyer, id: string) =>
  (await shop.request(endpoints.order, { params: { id } }, buyer)).data;

/** An order with a declined first attempt with the terms `first` and a second attempt with the terms `second`. */
const anOrderPaidAgain = async (first: Wish, second: Wish) => {
  const buyer = await shop.buyer();
  const refused = await buyer.pay({ card: declined, ...first });
  const orderId = String(refused.params?.orderId);
  await buyer.repay(orderId, second);
  return { buyer, orderId };
};

describe('a late payment of an earlier attempt', () => {
  it('counts the coupon of that attempt, so that a single-use coupon is used up', async () => {
    const discountCode = await aCoupon(shop.db, { value: 90 });
    const { buyer, orderId } = await anOrderPaidAgain({ discountCode }, byPix);
    expect(await usesOf(shop.db, discountCode)).toBe(0);
    await captureLate(orderId, { amount: 199 });
    expect(await orderOf(buyer, orderId)).toMatchObject({
      status: 'PAYMENT_SUCCEEDED',
      discountCode,
      total: { amount: 199 },
    });
    expect(await usesOf(shop.db, discountCode)).toBe(1);
    const next = await shop.buyer();
    const body = { ...(await next.body()), discountCode };
    const refused = await shop.request(endpoints.pay, { body }, { ...next, idempotencyKey: crypto.randomUUID() });
    expect(refused.errCode).toBe(9003);
  });

  it('releases the coupon that a later attempt reserves', async () => {
    const [first, second] = [await aCoupon(shop.db, { value: 90 }), await aCoupon(shop.db)];
    const { orderId } = await anOrderPaidAgain({ discountCode: first }, { ...byPix, discountCode: second });
    expect([await usesOf(shop.db, first), await usesOf(shop.db, second)]).toEqual([0, 1]);
    await captureLate(orderId, { amount: 199 });
    expect([await usesOf(shop.db, first), await usesOf(shop.db, second)]).toEqual([1, 0]);
  });

  it('counts a coupon once if both attempts use it', async () => {
    const discountCode = await aCoupon(shop.db);
    const { orderId } = await anOrderPaidAgain({ discountCode }, { ...byPix, discountCode });
    await captureLate(orderId, { amount: 995 });
    expect(await usesOf(shop.db, discountCode)).toBe(1);
  });

  it('releases the coupon of a later attempt if the earlier one had none', async () => {
    const discountCode = await aCoupon(shop.db);
    const { buyer, orderId } = await anOrderPaidAgain({}, { ...byPix, discountCode });
    await captureLate(orderId, { amount: 1990 });
    expect(await usesOf(shop.db, discountCode)).toBe(0);
    expect(await orderOf(buyer, orderId)).toMatchObject({ discountCode: null, total: { amount: 1990 } });
  });

  it('is shown as paid even if its attempt has no stored terms', async () => {
    const { buyer, orderId } = await anOrderPaidAgain({}, { currency: 'USD', methodCode: 'paypal', card: undefined });
    const ofOrder = and(eq(attempts.orderId, orderId), eq(attempts.currency, 'BRL'));
    const [card] = await shop.db.update(attempts).set({ terms: null }).where(ofOrder).returning();
    await captureLate(orderId, card ?? expect.fail('no attempt'));
    const total = { amount: 1990, currency: 'BRL' };
    expect(await orderOf(buyer, orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', methodCode: 'card', total });
    expect(unbalanced(await shop.books())).toEqual([]);
  });

  describe('of an attempt without terms', () => {
    /** A declined Pix purchase, retried by card, whose first attempt was created before terms were stored. */
    const anOldAttempt = async (first: Wish, second: Wish) => {
      const buyer = await shop.buyer();
      const { data } = await buyer.pay({ ...byPix, ...first });
      await buyer.repay(data.orderId, { card: declined, ...second });
      const isPix = and(eq(attempts.orderId, data.orderId), eq(attempts.methodCode, 'pix'));
      const [pix] = await shop.db.update(attempts).set({ terms: null }).where(isPix).returning();
      return { buyer, orderId: data.orderId, pix: pix ?? expect.fail('no attempt') };
    };
    const captureOf = async ({ buyer, orderId, pix }: Awaited<ReturnType<typeof anOldAttempt>>) => {
      const purchase = (await findPurchase(shop.db, pix.id)) ?? expect.fail('no purchase');
      await applyGatewayResult(shop.deps, purchase, { state: 'succeeded' });
      const [row] = await shop.db.select().from(orders).where(eq(orders.orderId, orderId));
      const mails = await shop.db.select().from(outbox).where(eq(outbox.recipient, buyer.account));
      return { row: row ?? expect.fail('no order'), view: await orderOf(buyer, orderId), mail: mails.at(-1)?.text };
    };

    it('names the paid method and its flow if the total differs', async () => {
      const discountCode = await aCoupon(shop.db, { value: 10 });
      const { row, view, mail } = await captureOf(await anOldAttempt({ discountCode }, {}));
      expect(view).toMatchObject({
        status: 'PAYMENT_SUCCEEDED',
        methodCode: 'pix',
        methodName: 'Pix',
        total: { amount: 1701 },
      });
      expect(row).toMatchObject({ flow: 'qr', original: 1701, discount: 0, discountCode: null });
      expect(mail).toContain('Pix');
    });

    it('names the paid method and its flow if the total is the same', async () => {
      const old = await anOldAttempt({}, {});
      const total = old.pix.amount;
      await shop.db.update(orders).set({ total, discount: 100 }).where(eq(orders.orderId, old.orderId));
      const { row, view, mail } = await captureOf(old);
      expect(view).toMatchObject({
        status: 'PAYMENT_SUCCEEDED',
        methodCode: 'pix',
        methodName: 'Pix',
        total: { amount: total },
      });
      expect(row).toMatchObject({ flow: 'qr', original: 1990, discount: 100 });
      expect(mail).toContain('Pix');
    });

    it('names the method by its code if the brand no longer has it', async () => {
      const old = await anOldAttempt({}, {});
      await shop.db.update(attempts).set({ methodCode: 'oldpix' }).where(eq(attempts.id, old.pix.id));
      const { view } = await captureOf(old);
      expect(view).toMatchObject({ methodCode: 'oldpix', methodName: 'oldpix' });
    });
  });

  it('shows currency, method, price and installments of that attempt on order, receipt and email', async () => {
    const { buyer, orderId } = await anOrderPaidAgain(
      { planId: '103', installments: 3 },
      { planId: '103', currency: 'USD', methodCode: 'paypal', card: undefined },
    );
    const { attempts } = await shop.books();
    const card = attempts.find((one) => one.orderId === orderId && one.currency === 'BRL') ?? expect.fail('no attempt');
    await captureLate(orderId, card);
    const total = { amount: card.amount, currency: 'BRL' };
    expect(await orderOf(buyer, orderId)).toMatchObject({ methodCode: 'card', installments: 3, total });
    const receipts = await shop.request(endpoints.receipts, { body: { page: 1, size: 10 } }, buyer);
    expect(receipts.data.items).toMatchObject([{ orderId, methodCode: 'card', total }]);
    const mails = await shop.db.select().from(outbox).where(eq(outbox.recipient, buyer.account));
    expect(mails.at(-1)?.text).toContain('R$');
    expect(unbalanced(await shop.books())).toEqual([]);
  });
});
