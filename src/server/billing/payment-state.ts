import { and, desc, eq, gt, type SQL } from 'drizzle-orm';
import type { paymentInfo, paymentTip, queryToken } from '#contract/orders.ts';
import { isOpen } from '#contract/order-status.ts';
import type { NextStep } from '#contract/next-step.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import type { PublicPayment } from '#contract/order.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import { orderView } from './order-view.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';
import { ownedBy, ownPurchase, waitsForMoney, waitsForPayer, type OwnPurchase } from './own-orders.ts';

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
    renews: purchase.attempt.renewPrice !== null,
  };
};

/** What is unfinished, and the same plan if it is being paid for or was paid just now. */
export const handlePaymentTip: Handler<typeof paymentTip> = async ({ query }, context) => {
  const { db, clock } = context.deps;
  const newest = async (which: SQL | undefined) => {
    const [row] = await db
      .select()
      .from(orders)
      .where(and(ownedBy(context), which))
      .orderBy(desc(orders.createdAt), desc(orders.orderId))
      .limit(1);
    return row ? orderView(row, context) : null;
  };
  const samePlan = eq(orders.planId, query.planId);
  return {
    unfinished: await newest(waitsForPayer()),
    confirming: await newest(and(waitsForMoney(), samePlan)),
    justPaid: await newest(
      and(eq(orders.status, 'PAYMENT_SUCCEEDED'), samePlan, gt(orders.paidAt, clock() - justPaidMs)),
    ),
    leavesAt: context.user.leavesAt,
  };
};

/** The public face of a payment, for whoever holds its token; nothing personal. */
export const handleQueryToken: Handler<typeof queryToken> = async ({ body }, context) => {
  const [row] = await context.deps.db
    .select()
    .from(orders)
    .where(and(eq(orders.brand, context.brand.code), eq(orders.resultToken, body.token)))
    .limit(1);
  return publicPaymentView(row ?? context.refuse('paymentInfoNotFound'), context);
};

/** What anyone may know of a payment who holds its token. */
export function publicPaymentView(row: OrderRow, context: RequestContext): PublicPayment {
  const { status, planName, total, expiresAt, failureCode, flow } = orderView(row, context);
  return { status, planName, total, expiresAt, failureCode, flow };
}
