import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { openGateways } from '#server/runtime/wiring/open-gateways.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { readSettings } from '#server/env.ts';
import { btcpayGateway } from '#server/payments/btcpay/gateway.ts';
import { byBtcpay } from '#tests/builders/by-btcpay.ts';
import { coinsOf, inCoins } from '#tests/builders/in-coins.ts';
import { btcpayAccess } from '#tests/fixtures/btcpay/routes.ts';
import { sandbox } from '#sandbox/sandbox.ts';

/** Paying in coins by BTCPay Server. What it tells by itself, and what goes wrong, has files of its own. */
const minute = 60_000;
const capture = 'capture 399 USD';
const story = byBtcpay();
const { settings, keyOf, gateway, deliverAll, ask, anAddress } = story;

describe('paying in coins by BTCPay Server', () => {
  it('shows the coins of the store first, then amount and address, and is paid when the network has confirmed', async () => {
    const ana = await story.shop.buyer();
    const { data } = await ana.pay(inCoins());
    const step = coinsOf(data.next);
    expect(data).toMatchObject({ status: 'PAYMENT_PENDING', next: { chosen: null, amount: { amount: 399 } } });
    expect(step.expiresAt).toBe(story.shop.clock.now + 60 * minute);
    expect(step.options.map(({ coin }) => coin)).toEqual(['btc-bitcoin', 'btc-lightning', 'ltc-litecoin']);
    const { orderId } = data;
    const { chosen } = coinsOf((await story.stories.choose(ana, orderId, 'btc-bitcoin')).data.next);
    expect(chosen).toMatchObject({ asset: 'BTC', network: 'Bitcoin', amount: '0.00006139', received: '0' });
    expect(chosen?.uri).toBe(`bitcoin:${chosen?.address}?amount=0.00006139`);

    story.btcpay.pay(await keyOf(orderId));
    expect(await deliverAll()).toEqual([200, 200, 200]);
    expect(await story.stories.chosenOf(ana, orderId)).toMatchObject({
      received: '0.00006139',
      missing: '0',
      confirmations: 0,
    });
    expect(await story.stories.booked(orderId)).toEqual([]);
    story.btcpay.confirm(await keyOf(orderId));
    expect(await deliverAll()).toEqual([200, 200]);
    expect(await story.stories.orderOf(ana, orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', receipt: true });
    expect(await story.stories.booked(orderId)).toEqual([capture]);
  });

  it('tells the server what is paid and to whom, and never the customer', async () => {
    const { ana, orderId, key } = await anAddress();
    const sent = story.btcpay.asked.findLast(({ method, path }) => method === 'POST' && path.endsWith('/invoices'));
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      amount: '3.99',
      currency: 'USD',
      metadata: { orderId: key },
      checkout: { speedPolicy: 'MediumSpeed' },
      additionalSearchTerms: [orderId],
    });
    // the tolerance is the store's own setting
    expect(sent?.body).not.toContain('paymentTolerance');
    expect(sent?.body).not.toContain(ana.account);
    expect(sent?.body).not.toContain('Lima');
  });

  it('shows an invoice of Lightning whole', async () => {
    const { chosen } = await anAddress('btc-lightning');
    expect(chosen.address.length).toBeGreaterThan(300);
    expect(chosen.uri).toBe(`lightning:${chosen.address}`);
  });

  it('has nothing to choose where the store has one wallet, and says so where it has none', async () => {
    story.btcpay.wallets = ['BTC-CHAIN'];
    const ana = await story.shop.buyer();
    expect(coinsOf((await ana.pay(inCoins())).data.next).chosen?.coin).toBe('btc-bitcoin');
    story.btcpay.wallets = [];
    expect((await (await story.shop.buyer()).pay(inCoins())).errCode).toBe(-2602);
    story.btcpay.wallets = ['BTC-CHAIN', 'BTC-LN', 'BTC-LNURL', 'LTC-CHAIN'];
  });

  it('in two goes says what is missing, and keeps to the coin', async () => {
    const { ana, orderId, key } = await anAddress();
    story.btcpay.pay(key, { part: 0.5 });
    await deliverAll();
    expect(await story.stories.chosenOf(ana, orderId)).toMatchObject({ received: '0.0000307', missing: '0.00003069' });
    expect((await story.stories.choose(ana, orderId, 'ltc-litecoin')).errCode).toBe(4598);
    story.btcpay.pay(key, { part: 0.5 });
    story.btcpay.confirm(key);
    await deliverAll();
    expect(await story.stories.booked(orderId)).toEqual([capture]);
  });

  it('that the network takes back waits again, and asks for all of it', async () => {
    const { ana, orderId, key } = await anAddress();
    story.btcpay.pay(key);
    await deliverAll();
    const [payment] = story.btcpay.invoices.at(-1)?.payments ?? [];
    if (payment) payment.status = 'Invalid';
    story.btcpay.look();
    await ask();
    expect(await story.stories.chosenOf(ana, orderId)).toMatchObject({ received: '0', missing: '0.00006139' });
  });

  it('of too much is paid, and the price is what is booked', async () => {
    const { orderId, key } = await anAddress();
    story.btcpay.pay(key, { part: 2, status: 'Settled' });
    await deliverAll();
    expect(await story.stories.booked(orderId)).toEqual([capture]);
  });

  it('is refused by the server for a currency without a rate, and not offered in one that is not configured', async () => {
    const ana = await story.shop.buyer();
    const body = { planId: '101', methodCode: 'crypto', currency: 'BRL' };
    expect((await story.shop.request(endpoints.goodsValuation, { body }, ana)).errCode).toBe(-2502);
    const wish = { key: await keyOf((await anAddress()).orderId), methodCode: 'crypto', currency: 'EUR' };
    await story.shop.db.update(attempts).set({ currency: 'EUR', providerRef: null }).where(eq(attempts.id, wish.key));
    const invoice = story.btcpay.invoices.pop();
    expect(invoice?.request.metadata?.orderId).toBe(wish.key);
    const rest = { brand: 'lumen', merchantName: 'Lumen', amount: 399, installments: 1, payer: {}, returnUrl: '' };
    expect(await gateway().authorise({ ...wish, ...rest, orderLabel: 'X' })).toEqual({
      state: 'failed',
      failure: 'currencyUnsupported',
    });
  });
});

describe('a payment in coins that the shop calls off', () => {
  it('ends where nothing has come, and coins that come all the same are credited', async () => {
    const { orderId, key } = await anAddress();
    expect(await gateway().cancel(key)).toMatchObject({ state: 'failed', failure: 'paymentCancelled' });
    expect(story.btcpay.invoices.at(-1)).toMatchObject({ status: 'Invalid', additionalStatus: 'Marked' });
    story.btcpay.pay(key, { status: 'Settled' });
    await deliverAll();
    expect(await story.stories.booked(orderId)).toEqual([capture]);
  });

  it('goes on where something has come', async () => {
    const { key } = await anAddress();
    story.btcpay.pay(key, { part: 0.5 });
    expect(await gateway().cancel(key)).toMatchObject({ state: 'pending' });
    story.btcpay.pay(key, { part: 0.5, status: 'Settled' });
    story.btcpay.confirm(key);
    expect(await gateway().cancel(key)).toMatchObject({ state: 'succeeded' });
    story.btcpay.deliveries.splice(0);
  });
});

describe('the settings of BTCPay Server', () => {
  it('are complete or none, and open the gateway', () => {
    expect(
      Object.keys(
        openGateways({ ...story.shop.deps, env: { ...story.shop.deps.env, BTCPAY_URL: undefined } }, sandbox),
      ),
    ).not.toContain('btcpay');
    const { BTCPAY_API_KEY: _, ...rest } = settings();
    expect(() => readSettings({ NODE_ENV: 'test', ...rest })).toThrow(/BTCPAY_URL: must be set together with/);
  });

  it('are tried without a sale, and the operator is told what is missing', async () => {
    expect(await gateway().check?.()).toMatchObject({ works: true });
    story.btcpay.permissions = ['btcpay.store.canviewinvoices'];
    expect((await gateway().check?.())?.says).toContain('cancreateinvoice');
    const send = (request: Request) => fetch(request);
    const store = {
      url: story.btcpay.origin,
      ...btcpayAccess,
      apiKey: 'another-key-than-the-real-one',
      currencies: [],
      confirmations: 1,
      send,
    };
    expect((await btcpayGateway(store, story.shop.deps).check?.())?.says).toContain('BTCPAY_API_KEY is not known');
  });
});
