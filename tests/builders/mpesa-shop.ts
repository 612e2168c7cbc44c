import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { openGateways } from '#server/runtime/wiring/open-gateways.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { paymentMethods } from '#server/db/schema/brands.ts';
import { reconcile, defaultReconcileAfterMs } from '#server/jobs/reconcile.ts';
import { createLog } from '#server/runtime/log.ts';
import { mpesaAccess, mpesaServer, type Callback, type MpesaServer } from '#tests/fixtures/mpesa/server.ts';
import { aShop, type Shop } from './a-shop.ts';
import { sandbox } from '#sandbox/sandbox.ts';

const host = 'baobab.localhost';

/** Gives the tests of a file their own shop, with a simulated M-Pesa and the calls of its customers. */
export function byMpesa() {
  let mpesa: MpesaServer;
  let shop: Shop;
  const lines: string[] = [];

  beforeAll(async () => {
    mpesa = await mpesaServer();
    shop = await aShop(undefined, {
      env: { ...mpesaAccess, MPESA_URL: mpesa.origin },
      deps: (base) => {
        const log = createLog('info', { write: (line) => void lines.push(line) });
        return { log, gateways: openGateways({ ...base, log }, sandbox) };
      },
    });
    mpesa.now = () => shop.clock.now;
    await shop.db.update(paymentMethods).set({ gateway: 'mpesa' }).where(eq(paymentMethods.code, 'mpesa'));
    await shop.deps.catalog.refresh();
  });
  afterEach(() => expect(mpesa.wrong).toEqual([]));
  afterAll(async () => {
    await shop.close();
    await mpesa.close();
  });

  const post = async ({ url, body }: Callback) =>
    (await shop.app.request(url, { method: 'POST', body, headers: { host, 'content-type': 'application/json' } }))
      .status;
  let customers = 0;
  const wish = () => ({
    planId: '501',
    methodCode: 'mpesa',
    currency: 'KES',
    card: undefined,
    payer: { phone: `0712${String((customers += 1)).padStart(6, '0')}` },
  });
  return {
    get mpesa() {
      return mpesa;
    },
    get shop() {
      return shop;
    },
    host,
    lines,
    wish,
    post,
    gateway: () => shop.deps.gateways['mpesa'] ?? expect.fail('no gateway is installed'),
    callBack: (result: string, told?: { amount?: number }) => post(mpesa.end(result, told)),
    ask: async (afterMs = defaultReconcileAfterMs): Promise<void> => {
      shop.clock.advance(afterMs);
      await reconcile(shop.deps);
    },
    /** A customer with an order by M-Pesa, whose request on the phone may have failed. */
    anOrder: async () => {
      const ana = await shop.buyer({ host });
      const { data } = await ana.pay(wish());
      const statusOf = async () =>
        (await shop.request(endpoints.order, { params: { id: data.orderId } }, ana)).data.status;
      return { ana, ...data, statusOf };
    },
    booked: async (orderId: string): Promise<string[]> => {
      const { ledger } = await shop.books();
      const own = ledger.filter((entry) => entry.orderId === orderId);
      return own.map(({ kind, amount }) => `${kind} ${amount}`).toSorted();
    },
    tries: (orderId: string) => shop.db.select().from(attempts).where(eq(attempts.orderId, orderId)),
  };
}
