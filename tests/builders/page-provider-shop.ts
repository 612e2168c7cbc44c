import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { openGateways } from '#server/runtime/wiring/open-gateways.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { defaultReconcileAfterMs, reconcile } from '#server/jobs/reconcile.ts';
import { createLog } from '#server/runtime/log.ts';
import type { Notice, Outcome, PagePayment, PageProvider } from '#tests/fixtures/page-provider.ts';
import { payssionAccess, payssionServer } from '#tests/fixtures/payssion/server.ts';
import { useepayAccess, useepayServer } from '#tests/fixtures/useepay/server.ts';
import { aShop, type Shop, type Wish } from './a-shop.ts';
import { sandbox } from '#sandbox/sandbox.ts';

const host = 'mego.localhost';

/** A shop with simulated providers: cards are paid on a page of UseePay, wallets on a page of Payssion. */
export async function aShopAtPageProviders() {
  const lines: string[] = [];
  const [useepay, payssion] = await Promise.all([useepayServer(), payssionServer()]);
  const env = { ...useepayAccess, ...payssionAccess, USEEPAY_URL: useepay.origin, PAYSSION_URL: payssion.origin };
  const shop: Shop = await aShop(undefined, {
    env,
    deps: (base) => {
      const log = createLog('info', { write: (line) => void lines.push(line) });
      return { log, gateways: openGateways({ ...base, log }, sandbox) };
    },
  });
  return {
    shop,
    useepay,
    payssion,
    host,
    logged: () => lines.join(''),
    /** the requests that the real providers would reject */
    wrong: () => [...useepay.wrong, ...payssion.wrong],
    anOrder: async (wish: Wish) => {
      const ana = await shop.buyer({ host });
      const { data } = await ana.pay(wish);
      const [attempt] = await shop.db.select().from(attempts).where(eq(attempts.orderId, data.orderId));
      const params = { id: data.orderId };
      const statusOf = async () => (await shop.request(endpoints.order, { params }, ana)).data.status;
      return { ana, ...data, key: attempt?.id ?? '', statusOf };
    },
    post: async ({ url, body }: Notice, type = 'application/x-www-form-urlencoded') =>
      (await shop.app.request(url, { method: 'POST', body, headers: { host, 'content-type': type } })).status,
    booked: async (orderId: string) =>
      (await shop.books()).ledger
        .filter((entry) => entry.orderId === orderId)
        .map(({ kind, amount }) => `${kind} ${amount}`)
        // a table has no order
        .toSorted(),
    close: async () => {
      await shop.close();
      await Promise.all([useepay.close(), payssion.close()]);
    },
  };
}

/** A fetch with a short time limit, for a provider that does not answer. */
export const fetchBriefly = (request: Request) => fetch(request, { signal: AbortSignal.timeout(100) });

const hostedPages = {
  useepay: {
    env: useepayAccess,
    wish: { planId: '201', methodCode: 'card', currency: 'USD', card: undefined },
    price: 499,
    refused: 302,
    page: 'https://checkout1.uat.useepay.com/',
    open: /POST \/cashier/,
    ask: /POST \/api/,
    create: endpoints.useepayCreate,
    confirm: endpoints.useepayConfirm,
    /** must not be logged */
    secrets: [useepayAccess.USEEPAY_PRIVATE_KEY],
  },
  payssion: {
    env: payssionAccess,
    wish: { planId: '201', methodCode: 'yoomoney', currency: 'RUB', card: undefined },
    price: 39_900,
    refused: 5015,
    page: 'https://sandbox.payssion.com/',
    open: /payment\/create/,
    ask: /payment\/details/,
    create: endpoints.payssionCreate,
    confirm: endpoints.payssionConfirm,
    secrets: [payssionAccess.PAYSSION_SECRET_KEY],
  },
} as const;

/** Gives the tests of a file a shop with the hosted payment page of a provider, whose requests are all checked. */
export function hostedPage(name: keyof typeof hostedPages) {
  const hosted = hostedPages[name];
  let setup: Awaited<ReturnType<typeof aShopAtPageProviders>>;
  beforeAll(async () => {
    setup = await aShopAtPageProviders();
  });
  afterEach(() => expect(setup.wrong()).toEqual([]));
  afterAll(async () => {
    for (const secret of hosted.secrets) expect(setup.logged()).not.toContain(secret);
    await setup.close();
  });
  const post = (notice: Notice) => setup.post(notice);
  return {
    ...hosted,
    get shop() {
      return setup.shop;
    },
    get provider(): PageProvider {
      return setup[name];
    },
    logged: () => setup.logged(),
    gateway: () => setup.shop.deps.gateways[name] ?? expect.fail('no gateway is installed'),
    post,
    endPayment: (outcome: Outcome, of?: PagePayment) => post(setup[name].end(outcome, of)),
    /** advances the clock and queries the provider about its open payments */
    reconcile: async (afterMs = defaultReconcileAfterMs) => {
      setup.shop.clock.advance(afterMs);
      await reconcile(setup.shop.deps);
    },
    tries: (orderId: string) => setup.shop.db.select().from(attempts).where(eq(attempts.orderId, orderId)),
    anOrder: () => setup.anOrder(hosted.wish),
    booked: (orderId: string) => setup.booked(orderId),
    /** the ledger of an order that was paid once */
    paid: [`capture ${hosted.price}`],
  };
}
