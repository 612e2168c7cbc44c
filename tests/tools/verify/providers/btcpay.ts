import { attempts } from '#server/db/schema/attempts.ts';
import { coinsOf, inCoins } from '#tests/builders/coin-shop.ts';
import type { Proof } from '../verify-provider.ts';

/**
 * Verifies a store of a BTCPay Server on testnet or regtest: creates an invoice, finds it by our key, shows its coins
 * and cancels it. With `BTCPAY_PAY=1` it waits ten minutes for coins that are sent by hand.
 */
export const proof = {
  needs: ['BTCPAY_URL', 'BTCPAY_STORE_ID', 'BTCPAY_API_KEY', 'BTCPAY_WEBHOOK_SECRET'],
  prove: async ({ env, shop: open, see, wait }) => {
    const shop = await open({ gateway: 'btcpay', methodCode: 'crypto', currency: 'USD' });
    const gateway = shop.deps.gateways['btcpay'];
    if (!gateway) throw new Error('no gateway is installed');
    const checked = await gateway.check?.();
    see(`the store answers: ${checked?.says}`, checked?.isReachable === true);
    const ana = await shop.buyer();
    const { data } = await ana.pay(inCoins());
    const step = coinsOf(data.next);
    see(`an invoice offers ${step.options.map(({ coin }) => coin).join(', ')}`, step.options.length > 0);
    const coin = step.options[0]?.coin ?? '';
    const [row] = await shop.db.select({ key: attempts.id }).from(attempts);
    const key = row?.key ?? '';
    const chosen = await gateway.chooseCoin?.(key, coin);
    const shown = chosen?.next?.type === 'crypto' ? chosen.next.chosen : null;
    see(`${shown?.amount} ${shown?.asset} go to ${shown?.address}`, shown !== null);
    await shop.db.update(attempts).set({ providerRef: null });
    see('the invoice is found by our key alone', (await gateway.inquire(key)).providerRef === chosen?.providerRef);
    for (let tries = 0; env['BTCPAY_PAY'] === '1' && tries < 60; tries += 1) {
      const { state } = await gateway.inquire(key);
      if (state === 'succeeded') return see('the coins have arrived', true);
      await wait(10);
    }
    see('an unpaid invoice is cancelled', (await gateway.cancel(key)).state === 'failed');
    see('and remains cancelled', (await gateway.inquire(key)).state === 'failed');
  },
} satisfies Proof;
