import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PayerField } from '../../src/contract/billing.ts';
import * as endpoints from '../../src/contract/index.ts';
import { openGateways } from '../../src/server/composition/open-gateways.ts';
import { attempts } from '../../src/server/db/schema/attempts.ts';
import { paymentMethods } from '../../src/server/db/schema/brands.ts';
import { reconcile } from '../../src/server/jobs/reconcile.ts';
import { keyOf, orderIdOf } from '../../src/server/payments/payssion/client.ts';
import { payssionGateway } from '../../src/server/payments/payssion/gateway.ts';
import { failureCodeOf } from '../../src/server/payments/useepay/answers.ts';
import { useepayGateway } from '../../src/server/payments/useepay/gateway.ts';
import { createLog } from '../../src/server/process/log.ts';
import { aShop, type Shop } from '../builders/a-shop.ts';
import type { Notice, PageProvider } from '../fixtures/page-provider.ts';
import { payssionAccess, payssionServer } from '../fixtures/payssion/server.ts';
import { signed, useepayAccess, useepayServer } from '../fixtures/useepay/server.ts';

/** What only one of UseePay and Payssion has; what both have is in payments-pages.test.ts. */
const host = 'mego.localhost';
const day = 24 * 60 * 60_000;
const lines: string[] = [];
let useepay: PageProvider;
let payssion: PageProvider;
let shop: Shop;
beforeAll(async () => {
  [useepay, payssion] = await Promise.all([useepayServer(), payssionServer()]);
  const env = { ...useepayAccess, ...payssionAccess, USEEPAY_URL: useepay.origin, PAYSSION_URL: payssion.origin };
  shop = await aShop(undefined, {
    env,
    deps: (base) => {
      const log = createLog('info', { write: (line) => void lines.push(line) });
      return { log, gateways: openGateways({ ...base, log }) };
    },
  });
});
afterEach(() => expect([...useepay.wrong, ...payssion.wrong]).toEqual([]));
afterAll(async () => {
  await shop.close();
  await Promise.all([useepay.close(), payssion.close()]);
});

const byCard = { planId: '201', methodCode: 'card', currency: 'USD', card: undefined };
const byWallet = { planId: '201', methodCode: 'yoomoney', currency: 'RUB', card: undefined };
async function anOrder(wish: typeof byCard & { payer?: object }) {
  const ana = await shop.buyer({ host });
  const { data } = await ana.pay(wish);
  const [attempt] = await shop.db.select().from(attempts).where(eq(attempts.orderId, data.orderId));
  const statusOf = async () => (await shop.request(endpoints.order, { params: { id: data.orderId } }, ana)).data.status;
  return { ana, ...data, key: attempt?.id ?? '', statusOf };
}
const post = async ({ url, body }: Notice, type = 'application/x-www-form-urlencoded') =>
  (await shop.app.request(url, { method: 'POST', body, headers: { host, 'content-type': type } })).status;
const booked = async (orderId: string) =>
  (await shop.books()).ledger
    .filter((entry) => entry.orderId === orderId)
    .map(({ kind, amount }) => `${kind} ${amount}`);
const impatient = (request: Request) => fetch(request, { signal: AbortSignal.timeout(100) });

describe('UseePay', () => {
  const account = (changes = {}) => ({
    base: useepay.origin,
    merchantNo: useepayAccess.USEEPAY_MERCHANT_NO,
    appId: useepayAccess.USEEPAY_APP_ID,
    privateKey: useepayAccess.USEEPAY_PRIVATE_KEY,
    publicKey: useepayAccess.USEEPAY_PUBLIC_KEY.replace(/-----[A-Z ]+-----|\s/g, ''),
    authorization: 'cvv' as const,
    send: impatient,
    ...changes,
  });

  it.each([
    ['51', 302],
    ['54', 309],
    ['05', 5015],
    ['14', 314],
    ['N7', 315],
    ['96', 2003],
  ])('tells why a bank has refused (%s)', (issuerResponseCode, code) => {
    expect(failureCodeOf({ errorCode: '0051', issuerResponse: JSON.stringify({ issuerResponseCode }) })).toBe(code);
    expect(failureCodeOf({ errorCode: '0053', issuerResponse: 'not JSON' })).toBe(301);
  });

  it('refuses a card that is sent all the same, so that none passes the shop', async () => {
    const card = {
      number: '4242424242424242',
      code: '123',
      expiry: '12/30',
      holderFirstName: 'A',
      holderLastName: 'B',
    };
    const ana = await shop.buyer({ host });
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
  ])('is sent a first and a last name of a customer with one name: %j', async (names, sent) => {
    await anOrder({ ...byCard, payer: { ...names, phone: '11987654321' } });
    const asked = Object.fromEntries(new URLSearchParams(useepay.asked.at(-1)?.body));
    expect(JSON.parse(asked['payerInfo'] ?? '')).toMatchObject({ ...sent, billingAddress: sent });
  });

  it.each([
    { currency: 'SGD', country: 'SG' },
    { currency: 'RUB', country: 'RU' },
    // many countries pay with it
    { currency: 'USD', country: undefined },
  ])('is sent whole addresses, with the country that $currency tells of', async ({ currency, country }) => {
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
    await anOrder({ ...byCard, currency, payer: { firstName: 'Wei', lastName: 'Tan', address } });
    await setFields(['card', 'name']);
    const asked = Object.fromEntries(new URLSearchParams(useepay.asked.at(-1)?.body));
    const home = { street: 'Raffles Place 1', postalCode: '049483', city: 'Singapore', state: 'Central' };
    const sent: unknown = JSON.parse(asked['payerInfo'] ?? '');
    expect(sent).toMatchObject({ billingAddress: { ...home, ...(country !== undefined && { country }) } });
    expect(JSON.stringify(sent).includes('"country"')).toBe(country !== undefined);
  });

  it('is sent amounts as its currencies count them, and who pays from where', async () => {
    const { orderId, ana } = await anOrder(byCard);
    const { uid, account } = ana;
    const asked = Object.fromEntries(new URLSearchParams(useepay.asked.at(-1)?.body));
    expect(asked).toMatchObject({ amount: '499', currency: 'USD', transactionExpirationTime: '30' });
    expect(JSON.parse(asked['userInfo'] ?? '')).toEqual({
      userId: uid,
      ip: '127.0.0.1',
      email: account,
      phoneNo: '11987654321',
    });
    expect(JSON.parse(asked['payerInfo'] ?? '')).toMatchObject({ paymentMethod: 'credit_card' });
    expect(asked['orderInfo']).toContain(orderId);
  });

  it('that says nothing, or signs with another key, is not believed', async () => {
    const { key } = await anOrder(byCard);
    const gateway = useepayGateway(account(), shop.deps);
    useepay.failNext(/api/, 'silent');
    expect(await gateway.inquire(key)).toEqual({ state: 'unknown' });
    const { publicKey } = (await import('node:crypto')).generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { format: 'der', type: 'spki' },
      privateKeyEncoding: { format: 'der', type: 'pkcs8' },
    });
    const strange = useepayGateway(account({ publicKey: publicKey.toString('base64') }), shop.deps);
    expect(await strange.inquire(key)).toEqual({ state: 'unknown' });
    const unsigned = await strange.check?.();
    expect([unsigned?.works, unsigned?.says]).toEqual([false, expect.stringContaining('USEEPAY_PUBLIC_KEY')]);
    const nobody = useepayGateway(account({ merchantNo: '500000000000000' }), shop.deps);
    const unknown = await nobody.check?.();
    expect([unknown?.works, unknown?.says]).toEqual([false, expect.stringContaining('USEEPAY_MERCHANT_NO')]);
  });

  it('lets a page end that it has forgotten', async () => {
    const { key, orderId, statusOf } = await anOrder(byCard);
    shop.clock.advance(2 * day);
    await reconcile(shop.deps);
    expect((await shop.books()).attempts.find(({ id }) => id === key)).toMatchObject({ state: 'EXPIRED' });
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    expect(await booked(orderId)).toEqual([]);
  });

  it('gives a part back once by its name, tells of it, and then gives what is left', async () => {
    const { key, orderId, statusOf } = await anOrder(byCard);
    await post(useepay.end('paid'));
    const part = { key, number: 1, amount: 99, currency: 'USD', askedAt: shop.clock.now };
    const gateway = shop.deps.gateways.useepay;
    expect([await gateway?.refundPart?.(part), await gateway?.refundPart?.(part)]).toEqual([false, false]);
    expect(useepay.refunds.filter((of) => of === key)).toHaveLength(1);
    expect(await post(useepay.endRefund('done'))).toBe(200);
    expect(await gateway?.refundPart?.(part)).toBe(true);
    expect([await statusOf(), await booked(orderId)]).toEqual(['PAYMENT_SUCCEEDED', ['capture 499', 'part 1 -99']]);
    await gateway?.refund(key, 400);
    expect(useepay.asked.at(-1)?.body).toContain('amount=400');
    await post(useepay.endRefund('done'));
    expect(await statusOf()).toBe('REFUND_SUCCEEDED');
  });

  it.each([
    ['another merchant', { merchantNo: '500000000000000' }],
    ['another shop of the same merchant', {}],
    ['a transaction in a currency that is none', { currency: 'dollars' }],
    ['a transaction without a result', { resultCode: '' }],
    ['a transaction of a kind that does not exist yet', { transactionType: 'a_kind_of_2030' }],
    ['nothing', { transactionId: '' }],
  ])('tells of %s, which is accepted and changes nothing', async (_what, changed) => {
    const known = { transactionId: 'theirs', amount: '499', currency: 'USD', resultCode: 'succeed' };
    const fields = { merchantNo: useepayAccess.USEEPAY_MERCHANT_NO, signType: 'RSA', ...known, ...changed };
    const before = (await shop.books()).ledger.length;
    const body = new URLSearchParams(signed(fields)).toString();
    expect(await post({ url: '/webhooks/useepay', body })).toBe(200);
    expect((await shop.books()).ledger).toHaveLength(before);
  });

  it('tells of a refund', async () => {
    const { key, orderId, statusOf } = await anOrder(byCard);
    await post(useepay.end('paid'));
    await shop.deps.gateways.useepay?.refund(key);
    expect(useepay.refunds).toContain(key);
    const whole = useepay.endRefund('done');
    expect(await post(whole)).toBe(200);
    expect(await statusOf()).toBe('REFUND_SUCCEEDED');
    expect(await booked(orderId)).toEqual(['capture 499', 'refund -499']);
  });
});

describe('Payssion', () => {
  it('names an order by its attempt, in 32 letters and back', () => {
    const key = crypto.randomUUID();
    expect(orderIdOf(key)).toMatch(/^[\da-f]{32}$/);
    expect(keyOf(orderIdOf(key))).toBe(key);
    expect(keyOf('another shop 17')).toBeUndefined();
  });

  it('is sent amounts in decimals, the way to pay by its own name, and whom to write to', async () => {
    await anOrder(byWallet);
    const asked = Object.fromEntries(new URLSearchParams(payssion.asked.at(-1)?.body));
    expect(asked).toMatchObject({ pm_id: 'yamoney', amount: '399.00', currency: 'RUB', payer_name: 'Ana Lima' });
    expect(asked['payer_email']).toContain('@');
  });

  it('books no part of what was asked for, and tells the operator', async () => {
    const { orderId, statusOf } = await anOrder(byWallet);
    expect(await post(payssion.end('less'))).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    expect(await booked(orderId)).toEqual([]);
    expect(lines.join('')).toContain('another amount than asked for was paid at Payssion');
    expect(await post(payssion.end('paid'))).toBe(200);
    expect(await booked(orderId)).toEqual(['capture 39900']);
  });

  it('is asked how a payment stands, whatever its notice says: what is signed of it proves nothing', async () => {
    const { orderId, statusOf } = await anOrder(byWallet);
    const early = payssion.end('paid');
    const payment = payssion.payments.at(-1) ?? expect.fail();
    payment.state = 'pending';
    expect(await post(early)).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    // and when it cannot be asked, the same notice counts when it comes again
    payment.state = 'completed';
    payssion.failNext(/details/, 'before');
    expect(await post(early)).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    expect(await post(early)).toBe(200);
    expect(await booked(orderId)).toEqual(['capture 39900']);
  });

  it('tells of a payment of this shop in a way that cannot be read, which is refused and sent again', async () => {
    const [attempt] = (await shop.books()).attempts;
    const { id: transactionId } = attempt ?? expect.fail('no attempt');
    const known = { transactionId, amount: '499', currency: 'dollars', resultCode: 'succeed' };
    const fields = { merchantNo: useepayAccess.USEEPAY_MERCHANT_NO, signType: 'RSA', ...known };
    const body = new URLSearchParams(signed(fields)).toString();
    expect(await post({ url: '/webhooks/useepay', body })).toBe(401);
  });

  it('tells of a payment of another shop on the same app, which is accepted, also without a way to pay', async () => {
    const { PAYSSION_API_KEY: apiKey, PAYSSION_SECRET_KEY: secretKey } = payssionAccess;
    for (const pm_id of ['yamoney', null]) {
      const fields = [pm_id ?? '', '5.00', 'RUB', 'another shop 17', 'a_state_of_2030'];
      const [, amount, currency, order_id, state] = fields;
      const notify_sig = createHash('md5')
        .update([apiKey, ...fields, secretKey].join('|'))
        .digest('hex');
      const body = JSON.stringify({ pm_id, amount, currency, order_id, state, notify_sig });
      expect(await post({ url: '/webhooks/payssion', body }, 'application/json')).toBe(200);
    }
  });

  it('tells in JSON as well, and of a chargeback', async () => {
    const { orderId, statusOf } = await anOrder(byWallet);
    const { url, body } = payssion.end('paid');
    const json = { url, body: JSON.stringify(Object.fromEntries(new URLSearchParams(body))) };
    expect(await post(json, 'application/json')).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_SUCCEEDED');
    const payment = payssion.payments.at(-1) ?? expect.fail();
    payment.state = 'chargeback';
    expect(await post(payssion.tell(payment))).toBe(200);
    expect(await statusOf()).toBe('CHARGEBACK_SUCCEEDED');
    expect(await booked(orderId)).toEqual(['capture 39900', 'chargeback -39900']);
  });

  it('is not offered for a method without its name there, and refuses one that it does not know', async () => {
    const method = eq(paymentMethods.code, 'yoomoney');
    const describeBy = async (details: { pmId?: string }) => {
      await shop.db.update(paymentMethods).set({ details }).where(method);
      await shop.deps.catalog.refresh();
    };
    const ana = await shop.buyer({ host });
    await describeBy({ pmId: 'a_wallet_of_nobody' });
    expect((await ana.pay(byWallet)).errCode).toBe(-2502);
    await describeBy({});
    const body = { planId: '201', currency: 'RUB' };
    const { data } = await shop.request(endpoints.paymentMethods, { body }, ana);
    expect(data.map(({ code }) => code)).not.toContain('yoomoney');
    await describeBy({ pmId: 'yamoney' });
  });

  it('says which keys it does not know', async () => {
    const account = { base: payssion.origin, apiKey: payssionAccess.PAYSSION_API_KEY, send: impatient };
    const wrong = payssionGateway({ ...account, secretKey: 'another_secret_key' }, shop.deps);
    const { works, says } = (await wrong.check?.()) ?? expect.fail();
    expect([works, says]).toEqual([false, expect.stringContaining('PAYSSION_SECRET_KEY')]);
    expect(says).not.toContain('another_secret_key');
    payssion.failNext(/details/, 'silent');
    expect(await wrong.check?.()).toMatchObject({ works: false });
  });
});
