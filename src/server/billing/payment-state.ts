import { and, desc, eq, gt, inArray } from 'drizzle-orm';
import type { paymentInfo, paymentTip, queryToken } from '../../contract/orders.ts';
import { isOpen } from '../../contract/order-status.ts';
import type { NextStep } from '../../contract/next-step.ts';
import { refuse } from '../api-error.ts';
import { orders } from '../db/schema.ts';
import type { Handler } from '../mount.ts';
import type { PublicPayment } from '../../contract/order.ts';
import type { RequestContext } from '../request-context.ts';
import { orderView } from './order-view.ts';
import type { OrderRow } from './purchase-rows.ts';
import { ownedBy, ownPurchase, type OwnPurchase } from './own-orders.ts';

const justPaidMs = 10 * 60_000;

/** What the customer is asked to do now: the step that the live attempt waits at, while it can still be done. */
export function nextStepOf({ order, attempt }: OwnPurchase, now: number): NextStep {
  const waits = attempt.state === 'PENDING' && isOpen(order.status) && (attempt.expiresAt ?? Infinity) > now;
  return (waits && attempt.next) || { type: 'none' };
}

/** Everything the owner needs to go on with a payment. */
export const handlePaymentInfo: Handler<typeof paymentInfo> = async ({ body }, context) => {
  const purchase = await ownPurchase(context, body.orderId);
  return {
    order: orderView(purchase.order, context),
    next: nextStepOf(purchase, context.deps.clock()),
    resultToken: purchase.order.resultToken,
  };
};

/** An unfinished order of the customer, and the same plan if it was just paid. */
export const handlePaymentTip: Handler<typeof paymentTip> = async ({ query }, context) => {
  const { db, clock } = context.deps;
  const newest = [desc(orders.createdAt), desc(orders.orderId)];
  const [unfinished] = await db
    .select()
    .from(orders)
    .where(and(ownedBy(context), inArray(orders.status, ['SUBMITTED', 'PAYMENT_PENDING'])))
    .orderBy(...newest)
    .limit(1);
  const recently = and(eq(orders.planId, query.planId), gt(orders.paidAt, clock() - justPaidMs));
  const [justPaid] = await db
    .select()
    .from(orders)
    .where(and(ownedBy(context), eq(orders.status, 'PAYMENT_SUCCEEDED'), recently))
    .orderBy(...newest)
    .limit(1);
  return {
    unfinished: unfinished ? orderView(unfinished, context) : null,
    justPaid: justPaid ? orderView(justPaid, context) : null,
  };
};

/** The public face of a payment, for whoever holds its token; nothing personal. */
export const handleQueryToken: Handler<typeof queryToken> = async ({ body }, context) => {
  const [row] = await context.deps.db
    .select()
    .from(orders)
    .where(and(eq(orders.brand, context.brand.code), eq(orders.resultToken, body.token)))
    .limit(1);
  return publicFace(row ?? refuse(1040), context);
};

/** What anyone may know of a payment who holds its token. */
export function publicFace(row: OrderRow, context: RequestContext): PublicPayment {
  const { status, planName, total, expiresAt, failureCode } = orderView(row, context);
  return { status, planName, total, expiresAt, failureCode };
}
