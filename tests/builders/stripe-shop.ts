import { and, desc, eq, inArray } from 'drizzle-orm';
import { pino } from 'pino';
import { Stripe } from 'stripe';
import { expect } from 'vitest';
import * as endpoints from '#contract/index.ts';
import type { PaymentAnswer } from '#contract/billing.ts';
import type { NextStep } from '#contract/next-step.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { paymentMethods } from '#server/db/schema/brands.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { openGateways } from '#server/runtime/wiring/open-gateways.ts';
import { reconcile, defaultReconcileAfterMs } from '#server/jobs/reconcile.ts';
import {
  startStripe,
  webhookSecret,
  type Fault,
  type StripeFaultRule,
  type StripeStandIn,
} from '#tests/fixtures/stripe/stand-in.ts';
import { aShop, type Buyer, type Shop } from './a-shop.ts';
import type { TestAppOptions } from './test-app.ts';
import { sandbox } from '#sandbox/sandbox.ts';

export interface StripeShop extends Shop {
  readonly stripe: StripeStandIn;
  /** everything that the shop logged, as text */
  logged(): string;
  /** delivers the events of Stripe, oldest first, and returns the statuses */
  hear(order?: (bodies: string[]) => string[]): Promise<number[]>;
  /** posts a body like Stripe, signed at a time in epoch milliseconds */
  post(body: string, signed?: { at?: number; secret?: string }): Promise<number>;
  /** returns from Stripe's page: the call of the return page */
  back(payment: Pick<PaymentAnswer, 'resultToken'>): ReturnType<typeof confirm>;
  /** runs the reconciliation of open payments when it is due */
  reconciled(): Promise<number>;
  statusOf(buyer: Buyer, orderId: string): Promise<string>;
  /** the newest attempt of an order */
  tryOf(orderId: string): Promise<typeof attempts.$inferSelect>;
  /** the kinds of the ledger entries of an order */
  booked(orderId: string): Promise<string[]>;
}

const confirm = (shop: Shop, token: string) => shop.request(endpoints.stripeConfirm, { body: { token } });

/** Cards are entered on Stripe's page, so none is sent. */
export const byCard = { card: undefined } as const;

/** The whole server with a simulated Stripe account for cards, Pix and boletos, whose connection can fail. */
export async function aStripeShop(): Promise<StripeShop> {
  const lines: string[] = [];
  const clock = { now: () => Date.now() };
  const stripe = await startStripe(() => clock.now());
  const shop = await aShopAtStripe(stripe.env, {
    deps: (base) => {
      const log = pino({ level: 'trace', base: null }, { write: (line: string) => void lines.push(line) });
      return { log, gateways: openGateways({ ...base, log }, sandbox) };
    },
  });
  clock.now = () => shop.clock.now;
  const post: StripeShop['post'] = async (body, { at = shop.clock.now, secret = webhookSecret } = {}) => {
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret,
      timestamp: Math.floor(at / 1000),
    });
    const headers = { 'stripe-signature': signature };
    return (await shop.app.request('/webhooks/stripe', { method: 'POST', body, headers })).status;
  };
  return {
    ...shop,
    stripe,
    post,
    logged: () => lines.join(''),
    hear: async (order = (oldestFirst) => oldestFirst) => {
      const statuses: number[] = [];
      const bodies = stripe.account.events.splice(0).map(({ body }) => body);
      for (const body of order(bodies)) statuses.push(await post(body));
      return statuses;
    },
    back: ({ resultToken }) => confirm(shop, resultToken),
    reconciled: () => {
      shop.clock.advance(defaultReconcileAfterMs);
      return reconcile(shop.deps);
    },
    statusOf: async (buyer, orderId) =>
      (await shop.request(endpoints.order, { params: { id: orderId } }, buyer)).data.status,
    tryOf: async (orderId) => {
      const [newest] = await shop.db
        .select()
        .from(attempts)
        .where(eq(attempts.orderId, orderId))
        .orderBy(desc(attempts.createdAt))
        .limit(1);
      if (!newest) throw new Error(`${orderId} has no attempt`);
      return newest;
    },
    booked: async (orderId) => {
      const entries = await shop.db.select().from(ledger).where(eq(ledger.orderId, orderId));
      return entries.map(({ kind }) => kind).sort();
    },
    close: async () => {
      await shop.close();
      await stripe.stop();
    },
  };
}

/** Closes the shop of a file: every request matched the API of Stripe, and no secret was logged. */
export async function closeAndVerify(shop: StripeShop): Promise<void> {
  expect(shop.stripe.problems).toEqual([]);
  for (const secret of [shop.stripe.env.STRIPE_SECRET_KEY, shop.stripe.env.STRIPE_WEBHOOK_SECRET]) {
    expect(shop.logged()).not.toContain(secret);
  }
  await shop.close();
}

export const cardsOf = async (shop: Shop, ana: Buyer) =>
  (await shop.request(endpoints.listCard, { body: {} }, ana)).data;

/** Pays at the page with a card, which is saved unless the wish differs. */
export async function buyWithCard(
  shop: StripeShop,
  wish: { saveCard?: boolean; renew?: boolean } = { saveCard: true },
  number?: string,
) {
  const ana = await shop.buyer();
  const { data } = await ana.pay({ ...byCard, ...wish });
  shop.stripe.payAt(pageAt(data.next), number);
  expect((await shop.back(data)).data.status).toBe('PAYMENT_SUCCEEDED');
  await shop.hear();
  const [card] = await cardsOf(shop, ana);
  return { ana, orderId: data.orderId, cardId: card?.cardId ?? '', card };
}

/** The whole server with a Stripe account at the addresses of `env`. */
export async function aShopAtStripe(env: StripeStandIn['env'], options: TestAppOptions = {}): Promise<Shop> {
  const shop = await aShop(undefined, { ...options, env });
  await routeMethodsToStripe(shop);
  return shop;
}

/** Switches payment methods to the gateway of Stripe, as an operator would. */
async function routeMethodsToStripe({ db, deps }: Shop): Promise<void> {
  const { brand, code } = paymentMethods;
  await db
    .update(paymentMethods)
    .set({ gateway: 'stripe' })
    .where(and(eq(brand, 'lumen'), inArray(code, ['card', 'pix', 'boleto'])));
  await db
    .update(paymentMethods)
    .set({ gateway: 'stripe', flow: 'redirect' })
    .where(and(eq(brand, 'mego'), inArray(code, ['alipay', 'paynow'])));
  await deps.catalog.refresh();
}

/** Applies a fault to every request that ends with `end`: Stripe's package retries a lost connection once. */
export function whenever(end: string, fault: Fault): StripeFaultRule {
  return ({ method, path }) => (`${method} ${path}`.endsWith(end) ? fault : undefined);
}

/** The URL of the provider's page. */
export function pageAt(next: NextStep): string {
  if (next.type !== 'redirect') throw new Error(`no page to go to, but ${next.type}`);
  return next.url;
}
