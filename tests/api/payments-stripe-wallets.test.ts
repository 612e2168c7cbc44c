import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { mountPageRoutes } from '#server/http/pages/page-routes.ts';
import { paymentMethods } from '#server/db/schema/brands.ts';
import { aStripeShop, byCard, cardsOf, closeAndVerify, pageAt, type StripeShop } from '#tests/builders/stripe-shop.ts';

const policyOf = async (shop: StripeShop) => {
  const page = await shop.app.request('/help');
  return page.headers.get('content-security-policy') ?? '';
};

let shop: StripeShop;
let policyWithoutWallets: string;
beforeAll(async () => {
  shop = await aStripeShop();
  mountPageRoutes(shop.app, shop.deps, async () => ({ status: 200, html: '', policy: "connect-src 'self'" }));
  policyWithoutWallets = await policyOf(shop);
  await offerWallets(shop);
});
afterAll(() => closeAndVerify(shop));

/** Adds Apple Pay and Google Pay to Lumen, as an operator would. */
async function offerWallets({ db, deps }: StripeShop): Promise<void> {
  const [card] = await db.select().from(paymentMethods).where(eq(paymentMethods.code, 'card'));
  if (!card) throw new Error('no card method');
  const method = { ...card, brand: 'lumen', gateway: 'stripe', icon: 'wallet', fields: [], savesCard: true };
  await db.insert(paymentMethods).values([
    { ...method, code: 'applepay', names: { en: 'Apple Pay' }, currencies: ['BRL'] },
    { ...method, code: 'googlepay', names: { en: 'Google Pay' }, currencies: ['BRL'] },
  ]);
  await deps.catalog.refresh();
}

it.each([
  ['applepay', 'applePay'],
  ['googlepay', 'googlePay'],
])(
  '%s is offered to devices that have it, is paid at the page of Stripe and renews by its card',
  async (code, wallet) => {
    const ana = await shop.buyer();
    const body = { planId: '101', currency: 'BRL' };
    const { data: methods } = await shop.request(endpoints.paymentMethods, { body }, ana);
    const offered = methods.find((method) => method.code === code);
    expect(offered).toMatchObject({ wallet, flow: 'redirect', fields: [], renews: true, savesCard: false });
    expect(methods.find((method) => method.code === 'card')?.wallet).toBeUndefined();
    const { data } = await ana.pay({ ...byCard, methodCode: code, renew: true });
    const page = [...shop.stripe.account.pages.values()].at(-1);
    expect(page?.asked).toMatchObject({ amount: 1990, currency: 'brl', types: ['card'], keeps: true });
    shop.stripe.payAt(pageAt(data.next));
    expect((await shop.back(data)).data).toMatchObject({ status: 'PAYMENT_SUCCEEDED' });
    expect(await shop.booked(data.orderId)).toEqual(['capture']);
    expect(await cardsOf(shop, ana)).toMatchObject([{ methodCode: code, last4: '4242' }]);
    expect((await shop.request(endpoints.renewInfo, {}, ana)).data).toMatchObject({ status: 'on' });
  },
);

it('saves no card without a renewal, whatever the request says', async () => {
  const ana = await shop.buyer();
  const { data } = await ana.pay({ ...byCard, methodCode: 'applepay', saveCard: true });
  shop.stripe.payAt(pageAt(data.next));
  await shop.hear();
  expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
  expect(await cardsOf(shop, ana)).toEqual([]);
});

it('lets the pages of a brand with Google Pay ask Google whether the device has it, and no other page', async () => {
  expect(policyWithoutWallets).toBe("connect-src 'self'");
  expect(await policyOf(shop)).toBe(
    "connect-src 'self' https://google.com https://www.google.com https://pay.google.com",
  );
});
