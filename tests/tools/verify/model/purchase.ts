import * as assert from 'node:assert/strict';
import { and, asc, eq } from 'drizzle-orm';
import type { InferInput } from 'valibot';
import type { PaymentAnswer } from '#contract/billing.ts';
import * as endpoints from '#contract/index.ts';
import type { NextStep } from '#contract/next-step.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';
import type { Reply } from '../connection.ts';
import type { Way, Wish } from '../ways.ts';
import type { Fault } from './gateway-faults.ts';
import type { Told } from './notices.ts';
import type { World } from './world.ts';

type PayBody = InferInput<typeof endpoints.pay.body>;

/** A pay or a repay that was sent at least once. */
export interface Call {
  readonly call: 'pay' | 'repay';
  readonly body: PayBody & { readonly orderId?: string };
  readonly key: string;
  readonly way: Way;
}

/** What the customer and the bank remember of a story. */
export interface Story {
  readonly world: World;
  readonly calls: Call[];
  /** addresses of the bank's pages that were shown */
  readonly pages: string[];
  /** what the bank has told, or will tell later */
  readonly notices: Told[];
  see(next: NextStep): void;
}

export function aStory(world: World): Story {
  const pages: string[] = [];
  const see = (next: NextStep) => {
    const page = next.type === 'redirect' ? next.url : 'bankUrl' in next ? next.bankUrl : undefined;
    if (page !== undefined) pages.push(page);
  };
  return { world, calls: [], pages, notices: [], see };
}

export function ordersOf({ world: { stage, customer } }: Story): Promise<OrderRow[]> {
  const { brand, uid } = customer;
  return stage.db
    .select()
    .from(orders)
    .where(and(eq(orders.brand, brand), eq(orders.uid, uid)))
    .orderBy(asc(orders.createdAt), asc(orders.orderId));
}

/**
 * Why there may be no price, or no sale: a price that has grown old, a coupon that is gone or held by another order, a
 * plan that does not fit the one that runs.
 */
const noSale = new Set([1015, 2008, 6000, 9000, 9001, 9002, 9003, 9991]);

/** What would be sent to pay; undefined where the shop names no price. */
export async function fetchPrice(
  { world }: Story,
  wish: Wish,
  coupon: 'none' | 'half' | 'free',
  orderId?: string,
): Promise<PayBody | undefined> {
  const { planId, methodCode, currency } = wish;
  const discountCode = coupon === 'none' ? {} : { discountCode: world.coupons[coupon] };
  const asked = { planId, methodCode, currency, ...discountCode, ...(orderId !== undefined && { orderId }) };
  const { host, connection, customer } = world;
  const quote = await connection.call(endpoints.goodsValuation, { body: asked }, { host, token: customer.token });
  if (!quote.ok) {
    assert.ok(noSale.has(quote.errCode), `the price was refused with ${quote.errCode}`);
    return undefined;
  }
  const { quoteId } = quote.data;
  return { ...wish, ...discountCode, quoteId, returnUrl: '/paymentResult', source: 'WEB' };
}

/** Sends a call, and compares what it answers with what was written down. */
export async function send(
  story: Story,
  { call, body, key, way }: Call,
  { alone, fault }: { alone: boolean; fault?: Fault | undefined },
): Promise<void> {
  const { world } = story;
  const { gatewayFaults, connection, host, customer } = world;
  const options = { host, token: customer.token, idempotencyKey: key };
  gatewayFaults.spoil(fault);
  const { orderId = '', ...first } = body;
  const asked =
    call === 'pay'
      ? connection.call(endpoints.pay, { body: first }, options)
      : connection.call(endpoints.repay, { body: { ...first, orderId } }, options);
  const reply = await Promise.race([asked, gatewayFaults.died()]);
  gatewayFaults.spoil(undefined);
  if (reply === 'died') return world.restart();
  if (reply.ok) story.see(reply.data.next);
  if (alone) await compare(story, reply, { way, key });
}

/** The customer is told the truth: the status of the answer is that of the order, and a refusal is why the key failed. */
async function compare(
  story: Story,
  reply: Reply<PaymentAnswer>,
  { way, key }: Pick<Call, 'way' | 'key'>,
): Promise<void> {
  const orderId = reply.ok ? reply.data.orderId : reply.params.orderId;
  const order = (await ordersOf(story)).find((one) => one.orderId === orderId);
  if (reply.ok) {
    assert.equal(reply.data.status, order?.status, `${way.name}: the answer is not what was written down`);
    assert.equal(reply.data.resultToken, order?.resultToken);
    return;
  }
  // 4599: whoever leaves buys nothing; -3035, -3031: many cards were declined, which security/payment-limits.test.ts tries
  if (noSale.has(reply.errCode) || [4599, -3035, -3031].includes(reply.errCode)) return;
  assert.equal(order?.status, 'PAYMENT_FAILED', `${way.name}: refused with ${reply.errCode}, which is not a failure`);
  const ofKey = and(eq(attempts.idempotencyKey, key), eq(attempts.uid, story.world.customer.uid));
  const [attempt] = await story.world.stage.db.select().from(attempts).where(ofKey);
  assert.equal(reply.errCode, attempt?.failureCode ?? order.failureCode);
}
