import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { paymentMethods } from '#server/db/schema/brands.ts';
import { keyOf, orderIdOf } from '#server/payments/payssion/client.ts';
import { payssionGateway } from '#server/payments/payssion/gateway.ts';
import type { Shop } from '#tests/builders/a-shop.ts';
import { aShopAtPageProviders, fetchBriefly } from '#tests/builders/at-page-providers.ts';
import type { PageProvider } from '#tests/fixtures/page-provider.ts';
import { payssionAccess } from '#tests/fixtures/payssion/server.ts';

/** What only Payssion has; what it shares with other providers is in payments-pages.test.ts. */
let at: Awaited<ReturnType<typeof aShopAtPageProviders>>;
let shop: Shop;
let payssion: PageProvider;
beforeAll(async () => {
  at = await aShopAtPageProviders();
  ({ shop, payssion } = at);
});
afterEach(() => expect(at.wrong()).toEqual([]));
afterAll(() => at.close());

const byWallet = { planId: '201', methodCode: 'yoomoney', currency: 'RUB', card: undefined };

describe('Payssion', () => {
  it('names an order by its attempt, in 32 letters and back', () => {
    const key = crypto.randomUUID();
    expect(orderIdOf(key)).toMatch(/^[\da-f]{32}$/);
    expect(keyOf(orderIdOf(key))).toBe(key);
    expect(keyOf('another shop 17')).toBeUndefined();
  });

  it('is sent amounts in decimals, the way to pay by its own name, and whom to write to', async () => {
    await at.anOrder(byWallet);
    const asked = Object.fromEntries(new URLSearchParams(payssion.asked.at(-1)?.body));
    expect(asked).toMatchObject({ pm_id: 'yamoney', amount: '399.00', currency: 'RUB', payer_name: 'Ana Lima' });
    expect(asked['payer_email']).toContain('@');
  });

  it('books no part of what was asked for, and tells the operator', async () => {
    const { orderId, statusOf } = await at.anOrder(byWallet);
    expect(await at.post(payssion.end('less'))).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    expect(await at.booked(orderId)).toEqual([]);
    expect(at.logged()).toContain('another amount than asked for was paid at Payssion');
    expect(await at.post(payssion.end('paid'))).toBe(200);
    expect(await at.booked(orderId)).toEqual(['capture 39900']);
  });

  it('is asked how a payment stands, whatever its notice says: what is signed of it proves nothing', async () => {
    const { orderId, statusOf } = await at.anOrder(byWallet);
    const early = payssion.end('paid');
    const payment = payssion.payments.at(-1) ?? expect.fail();
    payment.state = 'pending';
    expect(await at.post(early)).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    // and when it cannot be asked, the same notice counts when it comes again
    payment.state = 'completed';
    payssion.failNext(/details/, 'before');
    expect(await at.post(early)).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    expect(await at.post(early)).toBe(200);
    expect(await at.booked(orderId)).toEqual(['capture 39900']);
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
      expect(await at.post({ url: '/webhooks/payssion', body }, 'application/json')).toBe(200);
    }
  });

  it('tells in JSON as well, and of a chargeback', async () => {
    const { orderId, statusOf } = await at.anOrder(byWallet);
    const { url, body } = payssion.end('paid');
    const json = { url, body: JSON.stringify(Object.fromEntries(new URLSearchParams(body))) };
    expect(await at.post(json, 'application/json')).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_SUCCEEDED');
    const payment = payssion.payments.at(-1) ?? expect.fail();
    payment.state = 'chargeback';
    expect(await at.post(payssion.tell(payment))).toBe(200);
    expect(await statusOf()).toBe('CHARGEBACK_SUCCEEDED');
    expect(await at.booked(orderId)).toEqual(['capture 39900', 'chargeback -39900']);
  });

  it('is not offered for a method without its name there, and refuses one that it does not know', async () => {
    const method = eq(paymentMethods.code, 'yoomoney');
    const describeBy = async (details: { pmId?: string }) => {
      await shop.db.update(paymentMethods).set({ details }).where(method);
      await shop.deps.catalog.refresh();
    };
    const ana = await shop.buyer({ host: at.host });
    await describeBy({ pmId: 'a_wallet_of_nobody' });
    expect((await ana.pay(byWallet)).errCode).toBe(-2502);
    await describeBy({});
    const body = { planId: '201', currency: 'RUB' };
    const { data } = await shop.request(endpoints.paymentMethods, { body }, ana);
    expect(data.map(({ code }) => code)).not.toContain('yoomoney');
    await describeBy({ pmId: 'yamoney' });
  });

  it('says which keys it does not know', async () => {
    const account = { base: payssion.origin, apiKey: payssionAccess.PAYSSION_API_KEY, send: fetchBriefly };
    const wrong = payssionGateway({ ...account, secretKey: 'another_secret_key' }, shop.deps);
    const { works, says } = (await wrong.check?.()) ?? expect.fail();
    expect([works, says]).toEqual([false, expect.stringContaining('PAYSSION_SECRET_KEY')]);
    expect(says).not.toContain('another_secret_key');
    payssion.failNext(/details/, 'silent');
    expect(await wrong.check?.()).toMatchObject({ works: false });
  });
});
