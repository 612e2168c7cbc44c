import { sha256 } from '@noble/hashes/sha2.js';
import { bech32, createBase58check, hex } from '@scure/base';
import { afterAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { reconcile, defaultReconcileAfterMs } from '#server/jobs/reconcile.ts';
import { ethereumAddress } from '#server/payments/br-code.ts';
import { aCoinShop, coinsOf, coinStories, inCoins } from '#tests/builders/coin-shop.ts';

const minute = 60_000;
const capture = 'capture 399 USD';
const shop = await aCoinShop();
const { anAddress, anOrder, booked, chargeOf, choose, chosenOf, confirm, nextOf, orderOf, pageText } =
  coinStories(shop);
afterAll(() => shop.close());

describe('choosing a coin', () => {
  it('is the first step, shows all coins and is valid for an hour', async () => {
    const { step, status } = await anOrder();
    expect(status).toBe('PAYMENT_PENDING');
    expect(step).toMatchObject({
      chosen: null,
      amount: { amount: 399, currency: 'USD' },
      expiresAt: shop.clock.now + 60 * minute,
    });
    const sold = ['usdt-tron', 'usdt-ethereum', 'btc-bitcoin', 'eth-ethereum'];
    expect(step.options.map(({ coin }) => coin)).toEqual(sold);
    expect(await pageText(step.page)).toContain('Choose a coin in the shop first');
    await shop.press(step.page, 'all');
    expect(await shop.deliver(300)).toBe(0);
  });

  it('shows the exact amount, the address and the payment URI that wallets of its network read', async () => {
    const { ana, orderId, chosen: onTron } = await anAddress('usdt-tron');
    expect(onTron).toMatchObject({ asset: 'USDT', network: 'TRON', amount: '3.99', received: '0', missing: '3.99' });
    expect(onTron.uri).toBe(onTron.address);
    expect(onTron.address).toMatch(/^T/);
    expect(createBase58check(sha256).decode(onTron.address)).toHaveLength(21);

    const onEthereum = coinsOf((await choose(ana, orderId, 'usdt-ethereum')).data.next).chosen;
    const { address = '' } = onEthereum ?? {};
    expect(ethereumAddress(hex.decode(address.slice(2).toLowerCase()))).toBe(address);
    expect(onEthereum?.uri).toBe(
      `ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=${address}&uint256=3990000`,
    );

    const inBitcoin = coinsOf((await choose(ana, orderId, 'btc-bitcoin')).data.next).chosen;
    expect(inBitcoin).toMatchObject({ asset: 'BTC', network: 'Bitcoin', amount: '0.00006139' });
    expect(bech32.decodeUnsafe(inBitcoin?.address ?? '')).toMatchObject({ prefix: 'bc', words: { length: 33 } });
    expect(inBitcoin?.uri).toBe(`bitcoin:${inBitcoin?.address}?amount=0.00006139&label=Lumen`);

    const ether = coinsOf((await choose(ana, orderId, 'eth-ethereum')).data.next).chosen;
    expect(ether?.uri).toBe(`ethereum:${ether?.address}@1?value=1596000000000000`);
  });

  it('can be repeated, and the previous coin has its previous address', async () => {
    const { ana, orderId, chosen } = await anAddress('usdt-tron');
    const other = await choose(ana, orderId, 'btc-bitcoin');
    expect(coinsOf(other.data.next).chosen?.address).not.toBe(chosen.address);
    const back = await choose(ana, orderId, 'usdt-tron');
    expect(coinsOf(back.data.next).chosen).toEqual(chosen);
    expect(await choose(ana, orderId, 'usdt-tron')).toMatchObject({ code: 0 });
    expect((await shop.books()).attempts.filter((attempt) => attempt.orderId === orderId)).toHaveLength(1);
  });

  it('on two screens at once results in the same coin on both', async () => {
    const { ana, orderId } = await anOrder();
    const both = await Promise.all([choose(ana, orderId, 'usdt-tron'), choose(ana, orderId, 'btc-bitcoin')]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    expect((await chosenOf(ana, orderId))?.coin).toBe((await chargeOf(orderId)).details.coin);
  });

  it('is refused for an unknown coin and for the order of another customer', async () => {
    const { ana, orderId } = await anOrder();
    expect((await choose(ana, orderId, 'doge-dogecoin')).errCode).toBe(4598);
    expect((await choose(ana, orderId, 'USDT')).errCode).toBe(5000);
    expect((await choose(await shop.buyer(), orderId, 'usdt-tron')).errCode).toBe(1001);
    const visitor = await shop.request(endpoints.paymentCrypto, { body: { orderId, coin: 'usdt-tron' } });
    expect(visitor.errCode).toBe(21);
    expect(await chosenOf(ana, orderId)).toBeNull();
  });

  it('is refused for another method, and reports an order that is already paid', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay({ methodCode: 'pix', card: undefined });
    expect((await choose(ana, data.orderId, 'usdt-tron')).errCode).toBe(4598);
    const { ana: bea, orderId, page } = await anAddress();
    await shop.press(page, 'all');
    await confirm();
    expect((await choose(bea, orderId, 'btc-bitcoin')).data).toMatchObject({
      status: 'PAYMENT_SUCCEEDED',
      next: { type: 'none' },
    });
  });

  it('is possible in US dollars only', async () => {
    const ana = await shop.buyer();
    const body = { planId: '101', methodCode: 'crypto', currency: 'BRL' };
    expect((await shop.request(endpoints.goodsValuation, { body }, ana)).errCode).toBe(-2502);
  });
});

describe('sending the coins', () => {
  it('shows each confirmation and succeeds once at the third', async () => {
    const { ana, orderId, page } = await anAddress();
    expect(await pageText(page)).toContain('3.99 USDT');
    await shop.press(page, 'all');
    for (const confirmations of [0, 1, 2]) {
      await shop.deliver(confirmations === 0 ? 300 : 2000);
      expect(await chosenOf(ana, orderId)).toMatchObject({ received: '3.99', missing: '0', confirmations });
      expect(await booked(orderId)).toEqual([]);
    }
    expect(await pageText(page)).toContain('Confirmations: 2 of 3');
    await shop.press(page, 'all');
    await shop.deliver(2000);
    await shop.deliver(300);
    expect(await orderOf(ana, orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', receipt: true });
    while ((await shop.deliver(5000)) > 0);
    expect(await booked(orderId)).toEqual([capture]);
  });

  it('in two parts shows what is missing, and does not allow another coin', async () => {
    const { ana, orderId, page, chosen } = await anAddress('btc-bitcoin');
    await shop.press(page, 'half');
    await shop.deliver(300);
    const half = await chosenOf(ana, orderId);
    expect(half).toEqual({ ...chosen, received: '0.00003069', missing: '0.0000307' });
    const other = await choose(ana, orderId, 'usdt-tron');
    expect(other).toMatchObject({ errCode: 4598, params: { orderId } });
    expect((await choose(ana, orderId, 'btc-bitcoin')).code).toBe(0);
    expect(await chosenOf(ana, orderId)).toEqual(half);
    await shop.press(page, 'missing');
    await confirm();
    expect((await orderOf(ana, orderId)).status).toBe('PAYMENT_SUCCEEDED');
    expect(await booked(orderId)).toEqual([capture]);
  });

  it('twice at the same time counts only what was sent', async () => {
    const { orderId, page } = await anAddress();
    await Promise.all([shop.press(page, 'half'), shop.press(page, 'half')]);
    expect(['1995000', '3990000']).toContain((await chargeOf(orderId)).details.received);
    await shop.press(page, 'missing');
    expect((await chargeOf(orderId)).details.received).toBe('3990000');
    await confirm();
    expect(await booked(orderId)).toEqual([capture]);
  });

  it('of too much succeeds, and the price is booked', async () => {
    const { ana, orderId, page } = await anAddress('eth-ethereum');
    await shop.press(page, 'half');
    await shop.press(page, 'all');
    await shop.deliver(300);
    expect(await chosenOf(ana, orderId)).toMatchObject({ amount: '0.001596', received: '0.002394', missing: '0' });
    await confirm();
    expect(await booked(orderId)).toEqual([capture]);
  });

  it('in the last second is confirmed after the hour, and no second payment is requested', async () => {
    const { ana, orderId, expiresAt, page } = await anAddress();
    shop.clock.now = expiresAt - 1000;
    await shop.press(page, 'all');
    await shop.deliver(3000);
    expect(await nextOf(ana, orderId)).toMatchObject({ type: 'crypto', chosen: { missing: '0' } });
    const repaid = await ana.repay(orderId, inCoins());
    expect(repaid.data.next).toMatchObject({ type: 'crypto', chosen: { missing: '0' } });
    await confirm();
    expect((await orderOf(ana, orderId)).status).toBe('PAYMENT_SUCCEEDED');
    expect(await booked(orderId)).toEqual([capture]);
  });
});
