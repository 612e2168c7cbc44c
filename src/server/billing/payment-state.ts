import { and, desc, eq, gt, type SQL } from 'drizzle-orm';
import type { paymentInfo, paymentTip, queryToken } from '#contract/orders.ts';
import { isOpen } from '#contract/order-status.ts';
import type { NextStep } from '#contract/next-step.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { PublicPayment } from '#contract/order.ts';
import type { RequestContext, Handler } from '#server/runtime/request/request-context.ts';
import { orderView, ownedBy, ownPurchase, isWaitingForMoney, isWaitingForPayer, type OwnPurchase } from './orders.ts';
import { periodsOf, shownPeriodsOf } from '#server/site/periods.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';

const justPaidMs = 10 * 60_000;

/** What the customer has to do now: the step of the live attempt, until it expires. */
export function nextStepOf({ order, attempt }: OwnPurchase, now: number): NextStep {
  const waits = attempt.state === 'PENDING' && isOpen(order.status) && (attempt.expiresAt ?? Infinity) > now;
  return (waits && attempt.next) || { type: 'none' };
}

/** Everything that the customer needs to continue a payment. */
export const handlePaymentInfo: Handler<typeof paymentInfo> = async ({ body }, context) => {
  const purchase = await ownPurchase(context, body.orderId);
  return {
    order: orderView(purchase.order, context),
    next: nextStepOf(purchase, context.deps.clock()),
    resultToken: purchase.order.resultToken,
    renews: purchase.attempt.renewPrice !== null,
  };
};

/** The newest unfinished order, and an order of the same plan that is being paid or was paid just now. */
export const handlePaymentTip: Handler<typeof paymentTip> = async ({ query }, context) => {
  const { db, clock } = context.deps;
  const now = clock();
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
    unfinished: await newest(isWaitingForPayer()),
    confirming: await newest(and(isWaitingForMoney(), samePlan)),
    justPaid: await newest(and(eq(orders.status, 'PAYMENT_SUCCEEDED'), samePlan, gt(orders.paidAt, now - justPaidMs))),
    leavesAt: context.user.leavesAt,
    periods: shownPeriodsOf(await periodsOf(db, context.user, now), context),
  };
};

/** The public view of a payment for any caller with its token; no personal data. */
export const handleQueryToken: Handler<typeof queryToken> = async ({ body }, context) => {
  const [row] = await context.deps.db
    .select()
    .from(orders)
    .where(and(eq(orders.brand, context.brand.code), eq(orders.resultToken, body.token)))
    .limit(1);
  return publicPaymentView(row ?? context.refuse('paymentInfoNotFound'), context);
};

/** What any caller with the token may see of a payment. */
export function publicPaymentView(row: OrderRow, context: RequestContext): PublicPayment {
  const { status, planName, total, expiresAt, failureCode, flow } = orderView(row, context);
  return { status, planName, total, expiresAt, failureCode, flow };
}
