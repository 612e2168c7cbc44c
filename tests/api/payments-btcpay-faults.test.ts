import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { btcpayGateway } from '#server/payments/btcpay/gateway.ts';
import { byBtcpay } from '#tests/builders/btcpay-shop.ts';
import { coinsOf, inCoins } from '#tests/builders/coin-shop.ts';
import { btcpayAccess } from '#tests/fixtures/btcpay/routes.ts';

/** Failures of the connection to BTCPay Server. Its notices have a file of their own. */
const minute = 60_000;
const capture = 'capture 399 USD';
const setup = byBtcpay();
const { keyOf, gateway, deliverAll, ask, anAddress } = setup;

describe('a connection failure to BTCPay Server', () => {
  it.each(['inside', 'after'] as const)('%s the answer, the one created invoice is found by our key', async (fault) => {
    const ana = await setup.shop.buyer();
    setup.btcpay.failNext(/POST .*\/invoices$/, fault);
    const { data } = await ana.pay(inCoins());
    expect(data).toMatchObject({ status: 'SUBMITTED', next: { type: 'none' } });
    await ask();
    expect(coinsOf(await setup.stories.nextOf(ana, data.orderId)).options).toHaveLength(3);
    const key = await keyOf(data.orderId);
    expect(setup.btcpay.invoices.filter(({ request }) => request.metadata?.orderId === key)).toHaveLength(1);
  });

  it('before the invoice was created, the order can be paid again', async () => {
    const ana = await setup.shop.buyer();
    setup.btcpay.failNext(/POST .*\/invoices$/, 'before');
    const { data } = await ana.pay(inCoins());
    await ask();
    expect((await setup.stories.orderOf(ana, data.orderId)).status).toBe('PAYMENT_FAILED');
    expect((await ana.repay(data.orderId, inCoins())).data).toMatchObject({ next: { type: 'crypto' } });
  });

  it.each([429, 500])('after status %s, nothing is concluded and the request is repeated', async (status) => {
    const { ana, orderId, key } = await anAddress();
    setup.btcpay.failNext(/GET .*\/invoices\//, { status, body: { code: 'busy' } });
    await ask();
    expect((await setup.stories.orderOf(ana, orderId)).status).toBe('PAYMENT_PENDING');
    setup.btcpay.pay(key, { status: 'Settled' });
    setup.btcpay.deliveries.splice(0);
    await ask();
    expect(await setup.stories.booked(orderId)).toEqual([capture]);
  });

  it('for ten minutes, an attempt without a shown address fails', async () => {
    const ana = await setup.shop.buyer();
    setup.btcpay.failNext(/GET .*\/invoices$/, { status: 503 });
    const { data } = await ana.pay(inCoins());
    setup.btcpay.failNext(/GET .*\/invoices$/, { status: 503 });
    setup.shop.clock.advance(10 * minute);
    await reconcile(setup.shop.deps);
    expect((await setup.stories.orderOf(ana, data.orderId)).status).toBe('PAYMENT_FAILED');
  });

  it('without any answer, nothing is concluded', async () => {
    const { key } = await anAddress();
    const send = (request: Request) => fetch(request, { signal: AbortSignal.timeout(50) });
    const store = { url: setup.btcpay.origin, ...btcpayAccess, currencies: ['USD'], confirmations: 1, send };
    setup.btcpay.failNext(/GET .*\/invoices\//, 'silent');
    expect(await btcpayGateway(store, setup.shop.deps).inquire(key)).toEqual({ state: 'unknown' });
  });

  it('an attempt that was authorised twice has several addresses, and any of them pays once', async () => {
    const { orderId, key } = await anAddress();
    await setup.shop.db.update(attempts).set({ providerRef: null }).where(eq(attempts.id, key));
    const wish = { key, brand: 'lumen', merchantName: 'Lumen', methodCode: 'crypto', amount: 399, currency: 'USD' };
    const again = { ...wish, installments: 1, payer: {}, returnUrl: 'http://localhost/', orderLabel: orderId };
    expect((await gateway().authorise(again)).providerRef).toBe(setup.btcpay.invoices.at(-1)?.id);
    const other = structuredClone(setup.btcpay.invoices.at(-1)) ?? expect.fail();
    setup.btcpay.invoices.push({ ...other, id: `${other.id}9` });
    setup.btcpay.pay(key, { status: 'Settled' });
    await deliverAll();
    await deliverAll();
    expect(await setup.stories.booked(orderId)).toEqual([capture]);
  });
});
