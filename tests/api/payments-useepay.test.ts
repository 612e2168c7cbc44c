import { generateKeyPairSync } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PayerField } from '#contract/payer.ts';
import { paymentMethods } from '#server/db/schema/brands.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { failureOf } from '#server/payments/useepay/answers.ts';
import { useepayGateway } from '#server/payments/useepay/gateway.ts';
import type { Shop } from '#tests/builders/a-shop.ts';
import { aShopAtPageProviders, fetchBriefly } from '#tests/builders/page-provider-shop.ts';
import type { PageProvider } from '#tests/fixtures/page-provider.ts';
import { signed, useepayAccess } from '#tests/fixtures/useepay/server.ts';

/** What only UseePay has. What it shares with other providers is tested in payments-pages.test.ts. */
let setup: Awaited<ReturnType<typeof aShopAtPageProviders>>;
let shop: Shop;
let useepay: PageProvider;
beforeAll(async () => {
  setup = await aShopAtPageProviders();
  ({ shop, useepay } = setup);
});
afterEach(() => expect(setup.wrong()).toEqual([]));
afterAll(() => setup.close());

const day = 24 * 60 * 60_000;
const byCard = { planId: '201', methodCode: 'card', currency: 'USD', card: undefined };

describe('the UseePay gateway', () => {
  const account = (changes = {}) => ({
    base: useepay.origin,
    merchantNo: useepayAccess.USEEPAY_MERCHANT_NO,
    appId: useepayAccess.USEEPAY_APP_ID,
    privateKey: useepayAccess.USEEPAY_PRIVATE_KEY,
    publicKey: useepayAccess.USEEPAY_PUBLIC_KEY.replace(/-----[A-Z ]+-----|\s/g, ''),
    authorization: 'cvv' as const,
    send: fetchBriefly,
    ...changes,
  });

  it.each([
    ['51', 'insufficientFunds'],
    ['54', 'cardExpired'],
    ['05', 'rejectedByBank'],
    ['14', 'wrongCardNumber'],
    ['N7', 'wrongCardCode'],
    ['96', 'paymentFailed'],
  ])('reports the reason of a decline (%s)', (issuerResponseCode, failure) => {
    expect(failureOf({ errorCode: '0051', issuerResponse: JSON.stringify({ issuerResponseCode }) })).toBe(failure);
    expect(failureOf({ errorCode: '0053', issuerResponse: 'not JSON' })).toBe('cardRejected');
  });

  it('refuses card data, so that none passes through the server', async () => {
    const card = {
      number: '4242424242424242',
      code: '123',
      expiry: '12/30',
      holderFirstName: 'A',
      holderLastName: 'B',
    };
    const ana = await shop.buyer({ host: setup.host });
    const { errCode } = await ana.pay({ ...byCard, card });
    expect(errCode).toBe(5000);
  });

  it.each([
    [{ firstName: 'Suharto' }, { firstName: 'Suharto', lastName: 'Suharto' }],
    [
      { firstName: 'Ana Maria Souza', lastName: '' },
      { firstName: 'Ana Maria', lastName: 'Souza' },
    ],
    [{ firstName: '3M LTDA' }, { firstName: '3M', lastName: 'LTDA' }],
    [
      { firstName: 'Wei', lastName: '王' },
      { firstName: 'Wei', lastName: '王' },
    ],
  ])('sends a first and a last name for a customer with one name: %j', async (names, sent) => {
    await setup.anOrder({ ...byCard, payer: { ...names, phone: '11987654321' } });
    const request = Object.fromEntries(new URLSearchParams(useepay.asked.at(-1)?.body));
    expect(JSON.parse(request['payerInfo'] ?? '')).toMatchObject({ ...sent, billingAddress: sent });
  });

  it.each([
    { currency: 'SGD', country: 'SG' },
    { currency: 'RUB', country: 'RU' },
    // several countries use this currency
    { currency: 'USD', country: undefined },
  ])('sends complete addresses, with the country of $currency if it is unambiguous', async ({ currency, country }) => {
    const ofMego = and(eq(paymentMethods.brand, 'mego'), eq(paymentMethods.code, 'card'));
    const setFields = async (fields: PayerField[]) => {
      await shop.db.update(paymentMethods).set({ fields }).where(ofMego);
      await shop.deps.catalog.refresh();
    };
    await setFields(['card', 'name', 'address']);
    const address = {
      zipCode: '049483',
      state: 'Central',
      city: 'Singapore',
      street: 'Raffles Place',
      streetNumber: '1',
    };
    await setup.anOrder({ ...byCard, currency, payer: { firstName: 'Wei', lastName: 'Tan', address } });
    await setFields(['card', 'name']);
    const request = Object.fromEntries(new URLSearchParams(useepay.asked.at(-1)?.body));
    const home = { street: 'Raffles Place 1', postalCode: '049483', city: 'Singapore', state: 'Central' };
    const sent: unknown = JSON.parse(request['payerInfo'] ?? '');
    expect(sent).toMatchObject({ billingAddress: { ...home, ...(country !== undefined && { country }) } });
    expect(JSON.stringify(sent).includes('"country"')).toBe(country !== undefined);
  });

  it('sends amounts in minor units, and the id, address and contact of the customer', async () => {
    const { orderId, ana } = await setup.anOrder(byCard);
    const { uid, account } = ana;
    const request = Object.fromEntries(new URLSearchParams(useepay.asked.at(-1)?.body));
    expect(request).toMatchObject({ amount: '499', currency: 'USD', transactionExpirationTime: '30' });
    expect(JSON.parse(request['userInfo'] ?? '')).toEqual({
      userId: uid,
      ip: '127.0.0.1',
      email: account,
      phoneNo: '11987654321',
    });
    expect(JSON.parse(request['payerInfo'] ?? '')).toMatchObject({ paymentMethod: 'credit_card' });
    expect(request['orderInfo']).toContain(orderId);
  });

  it('treats a missing or wrongly signed answer as unknown', async () => {
    const { key } = await setup.anOrder(byCard);
    const gateway = useepayGateway(account(), shop.deps);
    useepay.failNext(/api/, 'silent');
    expect(await gateway.inquire(key)).toEqual({ state: 'unknown' });
    const { publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { format: 'der', type: 'spki' },
      privateKeyEncoding: { format: 'der', type: 'pkcs8' },
    });
    const wrongKey = useepayGateway(account({ publicKey: publicKey.toString('base64') }), shop.deps);
    expect(await wrongKey.inquire(key)).toEqual({ state: 'unknown' });
    const unsigned = await wrongKey.check?.();
    expect([unsigned?.isReachable, unsigned?.says]).toEqual([false, expect.stringContaining('USEEPAY_PUBLIC_KEY')]);
    const wrongMerchant = useepayGateway(account({ merchantNo: '500000000000000' }), shop.deps);
    const unknown = await wrongMerchant.check?.();
    expect([unknown?.isReachable, unknown?.says]).toEqual([false, expect.stringContaining('USEEPAY_MERCHANT_NO')]);
  });

  it('expires a page that UseePay has deleted', async () => {
    const { key, orderId, statusOf } = await setup.anOrder(byCard);
    shop.clock.advance(2 * day);
    await reconcile(shop.deps);
    expect((await shop.books()).attempts.find(({ id }) => id === key)).toMatchObject({ state: 'EXPIRED' });
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    expect(await setup.booked(orderId)).toEqual([]);
  });

  it('refunds a part once by its number, and then the remaining amount', async () => {
    const { key, orderId, statusOf } = await setup.anOrder(byCard);
    await setup.post(useepay.end('paid'));
    const part = { key, number: 1, amount: 99, currency: 'USD', askedAt: shop.clock.now };
    const gateway = shop.deps.gateways.useepay;
    expect([await gateway?.refundPart?.(part), await gateway?.refundPart?.(part)]).toEqual([false, false]);
    expect(useepay.refunds.filter((of) => of === key)).toHaveLength(1);
    expect(await setup.post(useepay.endRefund('done'))).toBe(200);
    expect(await gateway?.refundPart?.(part)).toBe(true);
    expect([await statusOf(), await setup.booked(orderId)]).toEqual([
      'PAYMENT_SUCCEEDED',
      ['capture 499', 'part 1 -99'],
    ]);
    await gateway?.refund(key, 400);
    expect(useepay.asked.at(-1)?.body).toContain('amount=400');
    await setup.post(useepay.endRefund('done'));
    expect(await statusOf()).toBe('REFUND_SUCCEEDED');
  });

  it.each([
    ['another merchant', { merchantNo: '500000000000000' }],
    ['another shop of the same merchant', {}],
    ['a transaction in a currency that is none', { currency: 'dollars' }],
    ['a transaction without a result', { resultCode: '' }],
    ['a transaction of a kind that does not exist yet', { transactionType: 'a_kind_of_2030' }],
    ['nothing', { transactionId: '' }],
  ])('accepts a notice of %s and changes nothing', async (_what, changed) => {
    const known = { transactionId: 'theirs', amount: '499', currency: 'USD', resultCode: 'succeed' };
    const fields = { merchantNo: useepayAccess.USEEPAY_MERCHANT_NO, signType: 'RSA', ...known, ...changed };
    const before = (await shop.books()).ledger.length;
    const body = new URLSearchParams(signed(fields)).toString();
    expect(await setup.post({ url: '/webhooks/useepay', body })).toBe(200);
    expect((await shop.books()).ledger).toHaveLength(before);
  });

  it('books a refund by its notice', async () => {
    const { key, orderId, statusOf } = await setup.anOrder(byCard);
    await setup.post(useepay.end('paid'));
    await shop.deps.gateways.useepay?.refund(key);
    expect(useepay.refunds).toContain(key);
    const whole = useepay.endRefund('done');
    expect(await setup.post(whole)).toBe(200);
    expect(await statusOf()).toBe('REFUND_SUCCEEDED');
    expect(await setup.booked(orderId)).toEqual(['capture 499', 'refund -499']);
  });

  it('refuses a malformed notice about a payment of this installation, so that UseePay sends it again', async () => {
    const { key, orderId } = await setup.anOrder(byCard);
    const known = { transactionId: key, amount: '499', currency: 'dollars', resultCode: 'succeed' };
    const fields = { merchantNo: useepayAccess.USEEPAY_MERCHANT_NO, signType: 'RSA', ...known };
    const body = new URLSearchParams(signed(fields)).toString();
    expect(await setup.post({ url: '/webhooks/useepay', body })).toBe(401);
    expect(await setup.booked(orderId)).toEqual([]);
  });
});
