import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { openGateways } from '#server/runtime/wiring/open-gateways.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { readSettings } from '#server/env.ts';
import { btcpayGateway } from '#server/payments/btcpay/gateway.ts';
import { byBtcpay } from '#tests/builders/btcpay-shop.ts';
import { coinsOf, inCoins } from '#tests/builders/coin-shop.ts';
import { btcpayAccess } from '#tests/fixtures/btcpay/routes.ts';
import { sandbox } from '#sandbox/sandbox.ts';

/** Paying with coins by BTCPay Server. Its notices and failures have files of their own. */
const minute = 60_000;
const capture = 'capture 399 USD';
const setup = byBtcpay();
const { settings, keyOf, gateway, deliverAll, ask, anAddress } = setup;

describe('paying with coins by BTCPay Server', () => {
  it('shows the coins, then the amount and address, and succeeds once the network has confirmed', async () => {
    const ana = await setup.shop.buyer();
    const { data } = await ana.pay(inCoins());
    const step = coinsOf(data.next);
    expect(data).toMatchObject({ status: 'PAYMENT_PENDING', next: { chosen: null, amount: { amount: 399 } } });
    expect(step.expiresAt).toBe(setup.shop.clock.now + 60 * minute);
    expect(step.options.map(({ coin }) => coin)).toEqual(['btc-bitcoin', 'btc-lightning', 'ltc-litecoin']);
    const { orderId } = data;
    const { chosen } = coinsOf((await setup.stories.choose(ana, orderId, 'btc-bitcoin')).data.next);
    expect(chosen).toMatchObject({ asset: 'BTC', network: 'Bitcoin', amount: '0.00006139', received: '0' });
    expect(chosen?.uri).toBe(`bitcoin:${chosen?.address}?amount=0.00006139`);

    setup.btcpay.pay(await keyOf(orderId));
    expect(await deliverAll()).toEqual([200, 200, 200]);
    expect(await setup.stories.chosenOf(ana, orderId)).toMatchObject({
      received: '0.00006139',
      missing: '0',
      confirmations: 0,
    });
    expect(await setup.stories.booked(orderId)).toEqual([]);
    setup.btcpay.confirm(await keyOf(orderId));
    expect(await deliverAll()).toEqual([200, 200]);
    expect(await setup.stories.orderOf(ana, orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', receipt: true });
    expect(await setup.stories.booked(orderId)).toEqual([capture]);
  });

  it('sends the amount and the order to the server, and no customer data', async () => {
    const { ana, orderId, key } = await anAddress();
    const sent = setup.btcpay.asked.findLast(({ method, path }) => method === 'POST' && path.endsWith('/invoices'));
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      amount: '3.99',
      currency: 'USD',
      metadata: { orderId: key },
      checkout: { speedPolicy: 'MediumSpeed' },
      additionalSearchTerms: [orderId],
    });
    // the store configures the tolerance
    expect(sent?.body).not.toContain('paymentTolerance');
    expect(sent?.body).not.toContain(ana.account);
    expect(sent?.body).not.toContain('Lima');
  });

  it('shows a Lightning invoice in full', async () => {
    const { chosen } = await anAddress('btc-lightning');
    expect(chosen.address.length).toBeGreaterThan(300);
    expect(chosen.uri).toBe(`lightning:${chosen.address}`);
  });

  it('skips the choice if the store has one wallet, and is refused if it has none', async () => {
    setup.btcpay.wallets = ['BTC-CHAIN'];
    const ana = await setup.shop.buyer();
    expect(coinsOf((await ana.pay(inCoins())).data.next).chosen?.coin).toBe('btc-bitcoin');
    setup.btcpay.wallets = [];
    expect((await (await setup.shop.buyer()).pay(inCoins())).errCode).toBe(-2602);
    setup.btcpay.wallets = ['BTC-CHAIN', 'BTC-LN', 'BTC-LNURL', 'LTC-CHAIN'];
  });

  it('in two parts shows what is missing, and does not allow another coin', async () => {
    const { ana, orderId, key } = await anAddress();
    setup.btcpay.pay(key, { part: 0.5 });
    await deliverAll();
    expect(await setup.stories.chosenOf(ana, orderId)).toMatchObject({ received: '0.0000307', missing: '0.00003069' });
    expect((await setup.stories.choose(ana, orderId, 'ltc-litecoin')).errCode).toBe(4598);
    setup.btcpay.pay(key, { part: 0.5 });
    setup.btcpay.confirm(key);
    await deliverAll();
    expect(await setup.stories.booked(orderId)).toEqual([capture]);
  });

  it('waits for the whole amount again after the network has dropped the transaction', async () => {
    const { ana, orderId, key } = await anAddress();
    setup.btcpay.pay(key);
    await deliverAll();
    const [payment] = setup.btcpay.invoices.at(-1)?.payments ?? [];
    if (payment) payment.status = 'Invalid';
    setup.btcpay.look();
    await ask();
    expect(await setup.stories.chosenOf(ana, orderId)).toMatchObject({ received: '0', missing: '0.00006139' });
  });

  it('of too much succeeds, and the price is booked', async () => {
    const { orderId, key } = await anAddress();
    setup.btcpay.pay(key, { part: 2, status: 'Settled' });
    await deliverAll();
    expect(await setup.stories.booked(orderId)).toEqual([capture]);
  });

  it('is refused by the server without a rate, and is offered only in configured currencies', async () => {
    const ana = await setup.shop.buyer();
    const body = { planId: '101', methodCode: 'crypto', currency: 'BRL' };
    expect((await setup.shop.request(endpoints.goodsValuation, { body }, ana)).errCode).toBe(-2502);
    const wish = { key: await keyOf((await anAddress()).orderId), methodCode: 'crypto', currency: 'EUR' };
    await setup.shop.db.update(attempts).set({ currency: 'EUR', providerRef: null }).where(eq(attempts.id, wish.key));
    const invoice = setup.btcpay.invoices.pop();
    expect(invoice?.request.metadata?.orderId).toBe(wish.key);
    const rest = { brand: 'lumen', merchantName: 'Lumen', amount: 399, installments: 1, payer: {}, returnUrl: '' };
    expect(await gateway().authorise({ ...wish, ...rest, orderLabel: 'X' })).toEqual({
      state: 'failed',
      failure: 'currencyUnsupported',
    });
  });
});

describe('cancelling a payment with coins', () => {
  it('ends it if nothing has arrived, and later coins are credited', async () => {
    const { orderId, key } = await anAddress();
    expect(await gateway().cancel(key)).toMatchObject({ state: 'failed', failure: 'paymentCancelled' });
    expect(setup.btcpay.invoices.at(-1)).toMatchObject({ status: 'Invalid', additionalStatus: 'Marked' });
    setup.btcpay.pay(key, { status: 'Settled' });
    await deliverAll();
    expect(await setup.stories.booked(orderId)).toEqual([capture]);
  });

  it('has no effect if something has arrived', async () => {
    const { key } = await anAddress();
    setup.btcpay.pay(key, { part: 0.5 });
    expect(await gateway().cancel(key)).toMatchObject({ state: 'pending' });
    setup.btcpay.pay(key, { part: 0.5, status: 'Settled' });
    setup.btcpay.confirm(key);
    expect(await gateway().cancel(key)).toMatchObject({ state: 'succeeded' });
    setup.btcpay.deliveries.splice(0);
  });
});

describe('the settings of BTCPay Server', () => {
  it('are all set or all missing, and enable the gateway', () => {
    expect(
      Object.keys(
        openGateways({ ...setup.shop.deps, env: { ...setup.shop.deps.env, BTCPAY_URL: undefined } }, sandbox),
      ),
    ).not.toContain('btcpay');
    const { BTCPAY_API_KEY: _, ...rest } = settings();
    expect(() => readSettings({ NODE_ENV: 'test', ...rest })).toThrow(/BTCPAY_URL: must be set together with/);
  });

  it('are checked without a sale, and the operator sees what is missing', async () => {
    expect(await gateway().check?.()).toMatchObject({ isReachable: true });
    setup.btcpay.permissions = ['btcpay.store.canviewinvoices'];
    expect((await gateway().check?.())?.says).toContain('cancreateinvoice');
    const send = (request: Request) => fetch(request);
    const store = {
      url: setup.btcpay.origin,
      ...btcpayAccess,
      apiKey: 'another-key-than-the-real-one',
      currencies: [],
      confirmations: 1,
      send,
    };
    expect((await btcpayGateway(store, setup.shop.deps).check?.())?.says).toContain('BTCPAY_API_KEY is not known');
  });
});
