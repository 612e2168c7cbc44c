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
import type { Way, Wish } from '../payment-methods.ts';
import type { Fault } from './gateway-faults.ts';
import type { Told } from './notices.ts';
import type { World } from './world.ts';

type PayBody = InferInput<typeof endpoints.pay.body>;

/** A call of `pay` or `repay` that was sent at least once. */
export interface Call {
  readonly call: 'pay' | 'repay';
  readonly body: PayBody & { readonly orderId?: string };
  readonly key: string;
  readonly way: Way;
}

/** The state of a story that the customer and the bank remember. */
export interface Story {
  readonly world: World;
  readonly calls: Call[];
  /** the URLs of the bank's pages that were shown */
  readonly pages: string[];
  /** the notices that the bank has sent or will send later */
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
 * The error codes with which a quote or payment may be refused: an expired quote, a coupon that is used up or bound to
 * another order, a plan that does not fit the running one.
 */
const refusedPurchase = new Set([1015, 2008, 6000, 9000, 9001, 9002, 9003, 9991]);

/** Quotes a wish and returns the body of its payment; undefined when the quote is refused. */
export async function fetchPrice(
  { world }: Story,
  wish: Wish,
  coupon: 'none' | 'half' | 'free',
  orderId?: string,
): Promise<PayBody | undefined> {
  const { planId, methodCode, currency } = wish;
  const discountCode = coupon === 'none' ? {} : { discountCode: world.coupons[coupon] };
  const quoted = { planId, methodCode, currency, ...discountCode, ...(orderId !== undefined && { orderId }) };
  const { host, connection, customer } = world;
  const quote = await connection.call(endpoints.goodsValuation, { body: quoted }, { host, token: customer.token });
  if (!quote.ok) {
    assert.ok(refusedPurchase.has(quote.errCode), `the quote was refused with ${quote.errCode}`);
    return undefined;
  }
  const { quoteId } = quote.data;
  return { ...wish, ...discountCode, quoteId, returnUrl: '/paymentResult', source: 'WEB' };
}

/** Sends a call and compares its answer with the database. */
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
  const request =
    call === 'pay'
      ? connection.call(endpoints.pay, { body: first }, options)
      : connection.call(endpoints.repay, { body: { ...first, orderId } }, options);
  const reply = await Promise.race([request, gatewayFaults.died()]);
  gatewayFaults.spoil(undefined);
  if (reply === 'died') return world.restart();
  if (reply.ok) story.see(reply.data.next);
  if (alone) await assertAnswer(story, reply, { way, key });
}

/** Asserts that the answer has the status of the order, and that a refusal has the failure code of the attempt. */
async function assertAnswer(
  story: Story,
  reply: Reply<PaymentAnswer>,
  { way, key }: Pick<Call, 'way' | 'key'>,
): Promise<void> {
  const orderId = reply.ok ? reply.data.orderId : reply.params.orderId;
  const order = (await ordersOf(story)).find((one) => one.orderId === orderId);
  if (reply.ok) {
    assert.equal(reply.data.status, order?.status, `${way.name}: the answer differs from the order`);
    assert.equal(reply.data.resultToken, order?.resultToken);
    return;
  }
  // 4599: an account to be deleted cannot buy; -3035, -3031: many declined cards (security/payment-limits.test.ts)
  if (refusedPurchase.has(reply.errCode) || [4599, -3035, -3031].includes(reply.errCode)) return;
  assert.equal(
    order?.status,
    'PAYMENT_FAILED',
    `${way.name}: refused with ${reply.errCode}, but the payment did not fail`,
  );
  const ofKey = and(eq(attempts.idempotencyKey, key), eq(attempts.uid, story.world.customer.uid));
  const [attempt] = await story.world.stage.db.select().from(attempts).where(ofKey);
  assert.equal(reply.errCode, attempt?.failureCode ?? order.failureCode);
}
