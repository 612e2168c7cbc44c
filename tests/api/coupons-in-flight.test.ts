import { afterEach, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import type { PaymentGateway } from '#server/payments/gateway.ts';
import { aCoupon, usesOf } from '#tests/builders/a-coupon.ts';
import { aShop, byPix, type Buyer, type Shop, type Wish } from '#tests/builders/a-shop.ts';
import { unbalanced } from '#tests/builders/balanced.ts';

let shop: Shop;
afterEach(() => shop.close());

/** A shop between which and its bank something happens. */
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

/** Pays, frees the coupon while the call to the bank is held `at` that moment, and lets it go on. */
const freedWhilePaying = async (at: 'before' | 'after', wish: Wish) => {
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const hold = async () => {
    reached.resolve();
    await held.promise;
  };
  const { ana, discountCode } = await aShopWith((bank) => ({
    authorise: async (request) => {
      if (at === 'before') await hold();
      const answer = await bank.authorise(request);
      if (at === 'after') await hold();
      return answer;
    },
  }));
  const paying = ana.pay({ ...wish, discountCode });
  await reached.promise;
  const freed = await unbind(ana, await newest(), discountCode);
  held.resolve();
  const paid = await paying;
  return { freed, paid, uses: await usesOf(shop.db, discountCode), books: await shop.books() };
};

it('a coupon freed before the call reached the bank leaves a closed key there: nothing is taken', async () => {
  const { freed, paid, uses, books } = await freedWhilePaying('before', {});
  expect([freed.data.status, paid.data.status, uses]).toEqual(['PAYMENT_CANCELLED', 'PAYMENT_CANCELLED', 0]);
  expect([books.ledger, books.charges.map((charge) => charge.status)]).toEqual([[], ['declined']]);
});

it('a coupon freed after the bank has made its code closes the code', async () => {
  const { freed, paid, uses, books } = await freedWhilePaying('after', byPix);
  expect([freed.data.status, paid.data.status, uses]).toEqual(['PAYMENT_CANCELLED', 'PAYMENT_CANCELLED', 0]);
  expect([paid.data.next, books.charges.map((charge) => charge.status)]).toEqual([{ type: 'none' }, ['declined']]);
});

it('a coupon freed after the bank has taken the money stays with its order, which is paid', async () => {
  const { freed, paid, uses, books } = await freedWhilePaying('after', {});
  expect([freed.errCode, paid.data.status, uses]).toEqual([1003, 'PAYMENT_SUCCEEDED', 1]);
  expect([books.ledger.length, unbalanced(books)]).toEqual([1, []]);
});

it('a coupon is not freed while the bank cannot be reached, and nothing is changed', async () => {
  const { ana, discountCode } = await aShopWith(() => ({ cancel: async () => ({ state: 'unknown' }) }));
  const { data } = await ana.pay({ ...byPix, discountCode });
  const before = await shop.books();
  expect((await unbind(ana, data.orderId, discountCode)).errCode).toBe(1003);
  expect(await shop.books()).toEqual(before);
  expect(await usesOf(shop.db, discountCode)).toBe(1);
});
