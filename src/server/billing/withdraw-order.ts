import { and, eq } from 'drizzle-orm';
import type { withdrawOrder } from '#contract/orders.ts';
import { nextRenewalStatus } from '#contract/renewal.ts';
import type { Database } from '#server/db/connect.ts';
import { findPurchase, type OrderRow } from '#server/db/purchase-rows.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders, type Withdrawal } from '#server/db/schema/orders.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { withdrawalMail } from '#server/messages/withdrawal-mails.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import type { CustomerContext, Handler } from '#server/runtime/request/request-context.ts';
import { lockRenewal } from './subscriptions/lock-renewal.ts';
import { turnOff } from './subscriptions/record-refusal.ts';
import { sendRefund, lockCapture, type ScheduledRefund } from './send-refund.ts';
import { reportRefundByHand } from './order-events.ts';
import { refundMoves } from './order-moves.ts';
import { orderView, ownOrder } from './orders.ts';
import { isRenewalPayment } from './record-reversal.ts';
import { withdrawalOf } from './withdrawals.ts';

/** Cancels a paid order and refunds it. A repeated request changes nothing. */
export const handleWithdrawOrder: Handler<typeof withdrawOrder> = async ({ body: { orderId } }, context) => {
  const { deps } = context;
  await ownOrder(context, orderId);
  const marked = await deps.db.transaction((tx) => requestWithdrawal(tx, context, orderId));
  if (marked) await refundNow(context, marked);
  return orderView(await ownOrder(context, orderId), context);
};

/** The job `refundDuplicates` continues after a failure, so the customer gets no error. */
async function refundNow({ deps }: CustomerContext, marked: ScheduledRefund): Promise<void> {
  try {
    await sendRefund(deps, marked);
  } catch (error) {
    deps.log.error({ err: error, attemptId: marked.attemptId }, 'refunding a cancelled order failed');
  }
}

/**
 * Writes the request. Returns the payment for its provider to refund; undefined for a repeat, or if the operator
 * refunds it.
 */
async function requestWithdrawal(
  tx: Database,
  context: CustomerContext<'operationUnsupported' | 'orderNotFound'>,
  orderId: string,
): Promise<ScheduledRefund | undefined> {
  const { deps } = context;
  const now = deps.clock();
  const [order] = await tx.select().from(orders).where(eq(orders.orderId, orderId)).for('update');
  if (!order) context.refuse('orderNotFound');
  if (order.status === 'REFUND_PENDING' || order.status === 'REFUND_SUCCEEDED') return undefined;
  const option = withdrawalOf(order, context);
  if (option?.state !== 'possible' || option.until <= now) context.refuse('operationUnsupported');
  const locked = await lockCapture(tx, orderId);
  if (!locked || locked.underWay.length > 0 || locked.unrefunded <= 0) context.refuse('operationUnsupported');
  const { capture, gateway, unrefunded: amount } = locked;
  const why = whyByHand(context, gateway);
  const withdrawal: Withdrawal = { requestedAt: now, amount, ...(why !== undefined && { why, byHandSince: now }) };
  const { possible, status } = refundMoves.opened;
  await tx
    .update(orders)
    .set({ status, withdrawal })
    .where(and(eq(orders.orderId, orderId), possible));
  if (why === undefined) await tx.update(ledger).set({ giveBackAt: now }).where(eq(ledger.id, capture.id));
  if (why !== undefined)
    await reportRefundByHand(tx, deps, { ...capture, id: capture.attemptId, gateway }, { reason: 'manual', amount });
  const renewalOff = await turnRenewalOff(tx, context, order, capture.attemptId);
  await confirmByMail(tx, context, order, { withdrawal, renewalOff });
  return why === undefined ? { ledgerId: capture.id, attemptId: capture.attemptId, pays: true } : undefined;
}

/** Why the operator has to send the money; undefined if a provider refunds it. */
function whyByHand({ deps }: CustomerContext, name: string): string | undefined {
  const gateway = gatewayOf(deps.gateways, name);
  if (!gateway) return `the gateway ${name} is not installed`;
  return gateway.refundsByHand ? 'it was paid by a transfer, which is sent back by hand' : undefined;
}

/** A customer who withdraws from a plan is not charged for that plan again, even if another order turned its renewal on. */
async function turnRenewalOff(
  tx: Database,
  { deps }: CustomerContext,
  order: OrderRow,
  attemptId: string,
): Promise<boolean> {
  const purchase = await findPurchase(tx, attemptId);
  const renewal = await lockRenewal(tx, order, deps);
  if (!renewal || !purchase || !nextRenewalStatus(renewal.row.status, 'withdrawn')) return false;
  if (!isRenewalPayment(purchase) && renewal.row.planId !== order.planId) return false;
  await turnOff(tx, deps, renewal, { by: 'withdrawal' });
  return true;
}

async function confirmByMail(
  tx: Database,
  { deps, brand, user }: CustomerContext,
  order: OrderRow,
  { withdrawal, renewalOff }: { withdrawal: Withdrawal; renewalOff: boolean },
): Promise<void> {
  if (user.email === null) return;
  const { language } = user;
  const { orderId, planName, methodName } = orderView(order, { brand, language });
  const amount = { amount: withdrawal.amount, currency: order.currency };
  const byHand = withdrawal.byHandSince !== undefined;
  const mail = withdrawalMail(brand, language, { orderId, planName, methodName, amount, byHand, renewalOff });
  await queueMail(tx, { brand, to: user.email, ...mail }, deps);
}
