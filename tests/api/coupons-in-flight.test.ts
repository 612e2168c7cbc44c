import { afterEach, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import type { PaymentGateway } from '#server/payments/gateway.ts';
import { aCoupon, usesOf } from '#tests/builders/a-coupon.ts';
import { aShop, byPix, type Buyer, type Shop, type Wish } from '#tests/builders/a-shop.ts';
import { unbalanced } from '#tests/builders/unbalanced-orders.ts';

let shop: Shop;
afterEach(() => shop.close());

/** A shop whose calls to the bank are changed by `wrap`. */
const aShopWith = async (wrap: (bank: PaymentGateway) => Partial<PaymentGateway>) => {
  shop = await aShop(undefined, {
    deps: ({ gateways }) => {
      const { sandbox } = gateways;
      return sandbox ? { gateways: { ...gateways, sandbox: { ...sandbox, ...wrap(sandbox) } } } : {};
    },
  });
  const [ana, discountCode] = [await shop.buyer(), await aCoupon(shop.db)];
  return { ana, discountCode };
};
const newest = async () => (await shop.books()).orders[0]?.orderId ?? '';
const unbind = (ana: Buyer, orderId: string, discountCode: string) =>
  shop.request(endpoints.unbindDiscountCode, { query: { orderId, discountCode } }, ana);

/** Releases the coupon of a payment while the call to the bank is paused before or after it is sent. */
const freedWhilePaying = async (at: 'before' | 'after', wish: Wish) => {
  const resumed = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const pause = async () => {
    reached.resolve();
    await resumed.promise;
  };
  const { ana, discountCode } = await aShopWith((bank) => ({
    authorise: async (request) => {
      if (at === 'before') await pause();
      const answer = await bank.authorise(request);
      if (at === 'after') await pause();
      return answer;
    },
  }));
  const paying = ana.pay({ ...wish, discountCode });
  await reached.promise;
  const freed = await unbind(ana, await newest(), discountCode);
  resumed.resolve();
  const paid = await paying;
  return { freed, paid, uses: await usesOf(shop.db, discountCode), books: await shop.books() };
};

it('a coupon released before the call reaches the bank leaves a closed key there, and nothing is charged', async () => {
  const { freed, paid, uses, books } = await freedWhilePaying('before', {});
  expect([freed.data.status, paid.data.status, uses]).toEqual(['PAYMENT_CANCELLED', 'PAYMENT_CANCELLED', 0]);
  expect([books.ledger, books.charges.map((charge) => charge.status)]).toEqual([[], ['declined']]);
});

it('a coupon released after the bank has created its code closes the code', async () => {
  const { freed, paid, uses, books } = await freedWhilePaying('after', byPix);
  expect([freed.data.status, paid.data.status, uses]).toEqual(['PAYMENT_CANCELLED', 'PAYMENT_CANCELLED', 0]);
  expect([paid.data.next, books.charges.map((charge) => charge.status)]).toEqual([{ type: 'none' }, ['declined']]);
});

it('a coupon released after the bank has charged stays with its order, which is paid', async () => {
  const { freed, paid, uses, books } = await freedWhilePaying('after', {});
  expect([freed.errCode, paid.data.status, uses]).toEqual([1003, 'PAYMENT_SUCCEEDED', 1]);
  expect([books.ledger.length, unbalanced(books)]).toEqual([1, []]);
});

it('a coupon is not released while the bank is unreachable, and nothing changes', async () => {
  const { ana, discountCode } = await aShopWith(() => ({ cancel: async () => ({ state: 'unknown' }) }));
  const { data } = await ana.pay({ ...byPix, discountCode });
  const before = await shop.books();
  expect((await unbind(ana, data.orderId, discountCode)).errCode).toBe(1003);
  expect(await shop.books()).toEqual(before);
  expect(await usesOf(shop.db, discountCode)).toBe(1);
});
