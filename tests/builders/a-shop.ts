import { eq } from 'drizzle-orm';
import type { InferInput } from 'valibot';
import * as endpoints from '#contract/index.ts';
import type { PaymentAnswer } from '#contract/billing.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import { users } from '#server/db/schema/users.ts';
import { sandboxCharges } from '#sandbox/schema.ts';
import { noticeSecret } from '#sandbox/gateway/protocol.ts';
import { deliverNotices } from '#sandbox/bank/deliver-notices.ts';
import { insertCustomers } from './a-customer.ts';
import { testApp, type Answer, type TestApp, type TestAppOptions } from './test-app.ts';

type PayBody = InferInput<typeof endpoints.pay.body>;
export type Wish = Partial<Omit<PayBody, 'quoteId'>>;
type Result = Promise<Answer<PaymentAnswer>>;

export interface Buyer {
  readonly uid: string;
  readonly account: string;
  readonly token: string;
  /** the host of the customer's brand */
  readonly host: string;
  /** quotes the wish and returns the body of its payment; by card by default */
  body(wish?: Wish, orderId?: string): Promise<PayBody>;
  /** quotes and pays, with a new idempotency key unless one is given */
  pay(wish?: Wish, key?: string): Result;
  repay(orderId: string, wish?: Wish, key?: string): Result;
}

export interface Shop extends TestApp {
  /** a new customer, of Lumen unless the host of another brand is given */
  buyer(options?: { host?: string }): Promise<Buyer>;
  /** customers of Lumen that are inserted without a sign-up */
  buyers(count: number): Promise<Buyer[]>;
  /** advances the clock and delivers every notice that is due; returns the number of sent notices */
  deliver(afterMs?: number): Promise<number>;
  /** presses a button on a page of the bank */
  press(page: string, action: string): Promise<Response>;
  books(): Promise<Books>;
}

/** All rows about money. */
export interface Books {
  readonly orders: (typeof orders.$inferSelect)[];
  readonly attempts: (typeof attempts.$inferSelect)[];
  readonly ledger: (typeof ledger.$inferSelect)[];
  readonly charges: (typeof sandboxCharges.$inferSelect)[];
}

/** The whole server with the sandbox bank. */
export async function aShop(db?: Database, options: TestAppOptions = {}): Promise<Shop> {
  const app = await testApp({ ...options, ...(db && { db }) });
  const { deps } = app;
  return {
    ...app,
    buyer: async ({ host = 'localhost' } = {}) => aBuyer(app, { ...(await app.customer({ host })), host }),
    buyers: async (count) => {
      const customers = await insertCustomers(deps.db, 'lumen', count, app.clock.now);
      return customers.map((customer) => aBuyer(app, { ...customer, host: 'localhost' }));
    },
    deliver: (afterMs = 0) => {
      app.clock.advance(afterMs);
      const delivery = { secret: noticeSecret(deps.env), origin: 'http://localhost' };
      return deliverNotices(deps, { ...delivery, deliver: async (request) => app.app.request(request) });
    },
    press: async (page, action) =>
      app.app.request(page, { method: 'POST', body: new URLSearchParams({ action }), redirect: 'manual' }),
    books: async () => ({
      orders: await deps.db.select().from(orders),
      attempts: await deps.db.select().from(attempts),
      ledger: await deps.db.select().from(ledger),
      charges: await deps.db.select().from(sandboxCharges),
    }),
  };
}

function aBuyer(app: TestApp, { uid, account, token, host }: Pick<Buyer, 'uid' | 'account' | 'token' | 'host'>): Buyer {
  const body = async (wish: Wish = {}, orderId?: string): Promise<PayBody> => {
    const full = { ...aWish(), ...wish };
    const { planId, methodCode, currency, discountCode } = full;
    const quote = await app.request(
      endpoints.goodsValuation,
      {
        body: {
          planId,
          methodCode,
          currency,
          ...(discountCode !== undefined && { discountCode }),
          ...(orderId && { orderId }),
        },
      },
      { token, host },
    );
    return { ...full, quoteId: quote.data.quoteId };
  };
  return {
    uid,
    account,
    token,
    host,
    body,
    pay: async (wish, idempotencyKey = crypto.randomUUID()) =>
      app.request(endpoints.pay, { body: await body(wish) }, { token, host, idempotencyKey }),
    repay: async (orderId, wish, idempotencyKey = crypto.randomUUID()) =>
      app.request(
        endpoints.repay,
        { body: { ...(await body(wish, orderId)), orderId } },
        { token, host, idempotencyKey },
      ),
  };
}

function aWish() {
  return {
    planId: '101',
    methodCode: 'card',
    currency: 'BRL',
    installments: 1,
    card: aCard(),
    payer: { firstName: 'Ana', lastName: 'Lima', document: '52998224725', phone: '11987654321' },
    returnUrl: '/paymentResult',
    source: 'WEB' as const,
  } satisfies Omit<PayBody, 'quoteId'> & { discountCode?: string };
}

export function aCard(number = '4242424242424242', code = '123') {
  return { number, code, expiry: '12/30', holderFirstName: 'Ana', holderLastName: 'Lima' };
}

export const byPix = { methodCode: 'pix', card: undefined };

/** The end of the customer's service in the database. */
export async function expiryOf(db: Database, uid: string): Promise<number | null | undefined> {
  const [user] = await db.select({ at: users.expiredTime }).from(users).where(eq(users.uid, uid));
  return user?.at;
}

/** Pays at Mego with a method whose page the payer has to visit. */
export async function payAtPage(shop: Shop, wish: Wish) {
  const ana = await shop.buyer({ host: 'mego.localhost' });
  const { data } = await ana.pay({ planId: '201', ...wish });
  if (data.next.type !== 'redirect') throw new Error('no page of a provider');
  return { ana, ...data, next: data.next, page: data.next.url };
}
