import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { paymentMethods } from '#server/db/schema/brands.ts';
import { keyOf, orderIdOf } from '#server/payments/payssion/client.ts';
import { payssionGateway } from '#server/payments/payssion/gateway.ts';
import type { Shop } from '#tests/builders/a-shop.ts';
import { aShopAtPageProviders, fetchBriefly } from '#tests/builders/page-provider-shop.ts';
import type { PageProvider } from '#tests/fixtures/page-provider.ts';
import { payssionAccess } from '#tests/fixtures/payssion/server.ts';

/** What only Payssion has. What it shares with other providers is tested in payments-pages.test.ts. */
let setup: Awaited<ReturnType<typeof aShopAtPageProviders>>;
let shop: Shop;
let payssion: PageProvider;
beforeAll(async () => {
  setup = await aShopAtPageProviders();
  ({ shop, payssion } = setup);
});
afterEach(() => expect(setup.wrong()).toEqual([]));
afterAll(() => setup.close());

const byWallet = { planId: '201', methodCode: 'yoomoney', currency: 'RUB', card: undefined };

describe('the Payssion gateway', () => {
  it('converts an attempt id to an order id of 32 characters and back', () => {
    const key = crypto.randomUUID();
    expect(orderIdOf(key)).toMatch(/^[\da-f]{32}$/);
    expect(keyOf(orderIdOf(key))).toBe(key);
    expect(keyOf('another shop 17')).toBeUndefined();
  });

  it('sends decimal amounts, the method name of Payssion, and the name and email of the payer', async () => {
    await setup.anOrder(byWallet);
    const request = Object.fromEntries(new URLSearchParams(payssion.asked.at(-1)?.body));
    expect(request).toMatchObject({ pm_id: 'yamoney', amount: '399.00', currency: 'RUB', payer_name: 'Ana Lima' });
    expect(request['payer_email']).toContain('@');
  });

  it('books no partial payment, and logs it for the operator', async () => {
    const { orderId, statusOf } = await setup.anOrder(byWallet);
    expect(await setup.post(payssion.end('less'))).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    expect(await setup.booked(orderId)).toEqual([]);
    expect(setup.logged()).toContain('another amount was paid at Payssion');
    expect(await setup.post(payssion.end('paid'))).toBe(200);
    expect(await setup.booked(orderId)).toEqual(['capture 39900']);
  });

  it('queries Payssion after every notice, because the signature does not cover the outcome', async () => {
    const { orderId, statusOf } = await setup.anOrder(byWallet);
    const early = payssion.end('paid');
    const payment = payssion.payments.at(-1) ?? expect.fail();
    payment.state = 'pending';
    expect(await setup.post(early)).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    // after a failed query, the same notice counts when it is repeated
    payment.state = 'completed';
    payssion.failNext(/details/, 'before');
    expect(await setup.post(early)).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    expect(await setup.post(early)).toBe(200);
    expect(await setup.booked(orderId)).toEqual(['capture 39900']);
  });

  it('accepts a notice about another installation of the same app, also without a method', async () => {
    const { PAYSSION_API_KEY: apiKey, PAYSSION_SECRET_KEY: secretKey } = payssionAccess;
    for (const pm_id of ['yamoney', null]) {
      const fields = [pm_id ?? '', '5.00', 'RUB', 'another shop 17', 'a_state_of_2030'];
      const [, amount, currency, order_id, state] = fields;
      const notify_sig = createHash('md5')
        .update([apiKey, ...fields, secretKey].join('|'))
        .digest('hex');
      const body = JSON.stringify({ pm_id, amount, currency, order_id, state, notify_sig });
      expect(await setup.post({ url: '/webhooks/payssion', body }, 'application/json')).toBe(200);
    }
  });

  it('accepts notices in JSON and notices of a chargeback', async () => {
    const { orderId, statusOf } = await setup.anOrder(byWallet);
    const { url, body } = payssion.end('paid');
    const json = { url, body: JSON.stringify(Object.fromEntries(new URLSearchParams(body))) };
    expect(await setup.post(json, 'application/json')).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_SUCCEEDED');
    const payment = payssion.payments.at(-1) ?? expect.fail();
    payment.state = 'chargeback';
    expect(await setup.post(payssion.tell(payment))).toBe(200);
    expect(await statusOf()).toBe('CHARGEBACK_SUCCEEDED');
    expect(await setup.booked(orderId)).toEqual(['capture 39900', 'chargeback -39900']);
  });

  it('is not offered for a method without its Payssion name, and refuses an unknown name', async () => {
    const method = eq(paymentMethods.code, 'yoomoney');
    const describeBy = async (details: { pmId?: string }) => {
      await shop.db.update(paymentMethods).set({ details }).where(method);
      await shop.deps.catalog.refresh();
    };
    const ana = await shop.buyer({ host: setup.host });
    await describeBy({ pmId: 'a_wallet_of_nobody' });
    expect((await ana.pay(byWallet)).errCode).toBe(-2502);
    await describeBy({});
    const body = { planId: '201', currency: 'RUB' };
    const { data } = await shop.request(endpoints.paymentMethods, { body }, ana);
    expect(data.map(({ code }) => code)).not.toContain('yoomoney');
    await describeBy({ pmId: 'yamoney' });
  });

  it('reports an invalid key', async () => {
    const account = { base: payssion.origin, apiKey: payssionAccess.PAYSSION_API_KEY, send: fetchBriefly };
    const wrong = payssionGateway({ ...account, secretKey: 'another_secret_key' }, shop.deps);
    const { isReachable, says } = (await wrong.check?.()) ?? expect.fail();
    expect([isReachable, says]).toEqual([false, expect.stringContaining('PAYSSION_SECRET_KEY')]);
    expect(says).not.toContain('another_secret_key');
    payssion.failNext(/details/, 'silent');
    expect(await wrong.check?.()).toMatchObject({ isReachable: false });
  });
});
