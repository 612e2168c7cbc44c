import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { paymentMethods } from '#server/db/schema/brands.ts';
import { reconcile, defaultReconcileAfterMs } from '#server/jobs/reconcile.ts';
import { btcpayAccess, type BtcpayServer, type Delivery } from '#tests/fixtures/btcpay/routes.ts';
import { btcpayServer } from '#tests/fixtures/btcpay/server.ts';
import { aShop, type Shop } from './a-shop.ts';
import { coinsOf, coinStories, inCoins } from './coin-shop.ts';

/** Gives the tests of a file their own shop, with a simulated BTCPay Server. */
export function byBtcpay() {
  let btcpay: BtcpayServer;
  let shop: Shop;
  let stories: ReturnType<typeof coinStories>;
  const settings = () => ({
    BTCPAY_URL: btcpay.origin,
    BTCPAY_STORE_ID: btcpayAccess.storeId,
    BTCPAY_API_KEY: btcpayAccess.apiKey,
    BTCPAY_WEBHOOK_SECRET: btcpayAccess.webhookSecret,
  });
  beforeAll(async () => {
    btcpay = await btcpayServer();
    shop = await aShop(undefined, { env: settings() });
    btcpay.now = () => shop.clock.now;
    stories = coinStories(shop);
    await shop.db
      .update(paymentMethods)
      .set({ gateway: 'btcpay', currencies: ['USD', 'EUR'] })
      .where(eq(paymentMethods.code, 'crypto'));
    await shop.deps.catalog.refresh();
  });
  afterEach(() => expect(btcpay.wrong).toEqual([]));
  afterAll(async () => {
    await shop.close();
    await btcpay.close();
  });

  const post = ({ headers, body }: Delivery) =>
    shop.app.request('http://localhost/webhooks/btcpay', { method: 'POST', headers, body });
  const keyOf = async (orderId: string): Promise<string> => {
    const [row] = await shop.db.select({ key: attempts.id }).from(attempts).where(eq(attempts.orderId, orderId));
    return row?.key ?? '';
  };
  return {
    get btcpay() {
      return btcpay;
    },
    get shop() {
      return shop;
    },
    get stories() {
      return stories;
    },
    settings,
    post,
    keyOf,
    gateway: () => shop.deps.gateways['btcpay'] ?? expect.fail('no gateway is installed'),
    /** Posts every pending notice and returns the statuses. */
    deliverAll: async (): Promise<number[]> => {
      const statuses: number[] = [];
      for (const delivery of btcpay.deliveries.splice(0)) statuses.push((await post(delivery)).status);
      return statuses;
    },
    ask: async (): Promise<void> => {
      shop.clock.advance(defaultReconcileAfterMs);
      await reconcile(shop.deps);
    },
    /** A customer who chose a coin, with the address to pay to. */
    anAddress: async (coin = 'btc-bitcoin') => {
      const ana = await shop.buyer();
      const { orderId } = (await ana.pay(inCoins())).data;
      const step = coinsOf((await stories.choose(ana, orderId, coin)).data.next);
      if (!step.chosen) throw new Error('no coin was chosen');
      btcpay.deliveries.splice(0);
      return { ana, orderId, expiresAt: step.expiresAt, chosen: step.chosen, key: await keyOf(orderId) };
    },
  };
}
