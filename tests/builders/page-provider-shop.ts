import { eq } from 'drizzle-orm';
import * as endpoints from '#contract/index.ts';
import { openGateways } from '#server/runtime/wiring/open-gateways.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { createLog } from '#server/runtime/log.ts';
import type { Notice } from '#tests/fixtures/page-provider.ts';
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
        .map(({ kind, amount }) => `${kind} ${amount}`),
    close: async () => {
      await shop.close();
      await Promise.all([useepay.close(), payssion.close()]);
    },
  };
}

/** A fetch with a short time limit, for a provider that does not answer. */
export const fetchBriefly = (request: Request) => fetch(request, { signal: AbortSignal.timeout(100) });
