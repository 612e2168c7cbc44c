import { and, asc, eq } from 'drizzle-orm';
import { isUnpaid, nextStatus } from '#contract/order-status.ts';
import type { Database } from '#server/db/connect.ts';
import { findPurchase, type AttemptRow, type OrderRow } from '#server/db/purchase-rows.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger, refunds } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { Deps } from '#server/deps.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import type { RefundAnswer } from '#server/payments/terms.ts';
import { writeLedgerEntries, readPaymentBalance } from './ledger-entries.ts';
import { reportRefundByHand } from './order-events.ts';
import { refundMoves } from './order-moves.ts';
import { recordReversal } from './record-reversal.ts';
import { deferToOperator, setWithdrawal } from './withdrawals.ts';

/** A capture that is scheduled for its refund in the ledger. */
export interface ScheduledRefund {
  /** of the capture */
  readonly ledgerId: string;
  readonly attemptId: string;
  /** it paid its order and is refunded on request; false for a duplicate payment or an order that cannot be paid */
  readonly pays: boolean;
}

type Refusal = 'nothingPaid' | 'byProvider' | 'disputed' | 'noGateway' | 'partUnderWay';
/** `amount`: what is refunded, or was refunded last, in minor units. */
type Capture = ScheduledRefund & { readonly gateway: string; readonly amount: number; readonly currency: string };

export type RefundRequestResult =
  | ({ readonly state: 'requested' | 'alreadyRequested' | 'refunded' } & Capture)
  | { readonly state: Refusal };

/**
 * Requests the refund of an order's payment in two phases. One transaction moves the order and schedules the capture;
 * then the gateway is called, outside any transaction, with the attempt's ID as its key, under which it refunds once;
 * then one transaction books the refund, moves the order, ends the remaining access and queues an email
 * (`recordReversal`, also used for notices).
 * If a process stops in between, the job `refundDuplicates` continues while the order waits for its refund. If the
 * provider rejects it, or a bank takes the money meanwhile, the order's status changes and the schedule has no effect.
 * After partial refunds, the rest is refunded; while one is open, the rest is unknown, so nothing is requested.
 */
export async function requestRefund(
  tx: Database,
  { gateways }: Pick<Deps, 'gateways'>,
  { orderId }: Pick<OrderRow, 'orderId'>,
  now: number,
): Promise<RefundRequestResult> {
  const locked = await lockCapture(tx, orderId);
  if (!locked) return { state: 'nothingPaid' };
  const { order, capture, gateway, unrefunded } = locked;
  const { id: ledgerId, attemptId, currency, giveBackAt } = capture;
  const amount = order.status === 'REFUND_SUCCEEDED' ? capture.amount : unrefunded;
  const itself = { ledgerId, attemptId, pays: true, gateway, amount, currency };
  if (order.status === 'REFUND_SUCCEEDED') return { state: 'refunded', ...itself };
  if (order.status === 'REFUND_PENDING') {
    if (order.withdrawal?.byHandSince !== undefined) return retryWithdrawal(tx, gateways, locked, now);
    return giveBackAt === null ? { state: 'byProvider' } : { state: 'alreadyRequested', ...itself };
  }
  if (nextStatus(order.status, 'refundOpened') === undefined) return { state: 'disputed' };
  if (locked.own) return { state: 'partUnderWay' };
  if (!gatewayOf(gateways, gateway)) return { state: 'noGateway' };
  const { possible, status } = refundMoves.opened;
  await tx
    .update(orders)
    .set({ status })
    .where(and(eq(orders.orderId, orderId), possible));
  await tx.update(ledger).set({ giveBackAt: now }).where(eq(ledger.id, ledgerId));
  return { state: 'requested', ...itself };
}

/** Requests the refund of a withdrawal again after the provider did not make it. */
async function retryWithdrawal(
  tx: Database,
  gateways: Deps['gateways'],
  { order, capture, gateway, unrefunded: amount }: NonNullable<Awaited<ReturnType<typeof lockCapture>>>,
  now: number,
): Promise<RefundRequestResult> {
  if (!gatewayOf(gateways, gateway)) return { state: 'noGateway' };
  const { requestedAt, amount: requested } = order.withdrawal ?? { requestedAt: now, amount };
  await setWithdrawal(tx, order.orderId, { requestedAt, amount: requested });
  const { id: ledgerId, attemptId, currency } = capture;
  await tx.update(ledger).set({ giveBackAt: now }).where(eq(ledger.id, ledgerId));
  return { state: 'requested', ledgerId, attemptId, pays: true, gateway, amount, currency };
}

/** A paid order with the payment that paid it, locked; undefined for an order without a payment. */
export async function lockCapture(tx: Database, orderId: string) {
  const [order] = await tx.select().from(orders).where(eq(orders.orderId, orderId)).for('update');
  const [found] = await tx
    .select({ capture: ledger, gateway: attempts.gateway })
    .from(ledger)
    .innerJoin(attempts, eq(attempts.id, ledger.attemptId))
    .where(and(eq(ledger.orderId, orderId), eq(ledger.kind, 'capture')))
    .orderBy(asc(ledger.at), asc(ledger.id))
    .limit(1);
  if (!order || !found || found.capture.amount === 0 || isUnpaid(order.status)) return undefined;
  const { attemptId } = found.capture;
  const parts = await tx.select().from(refunds).where(eq(refunds.attemptId, attemptId)).orderBy(asc(refunds.number));
  const { unrefunded } = await readPaymentBalance(tx, { id: attemptId });
  const underWay = parts.filter(({ state }) => state === 'ASKED');
  // a refund made in the provider's dashboard is completed by the provider
  const own = underWay.find(({ providerRef }) => providerRef === null);
  return { order, ...found, parts, underWay, own, unrefunded };
}

/**
 * Calls the gateway for a scheduled refund and books the result; true when it was refunded just now. A refund that the
 * gateway can never make is not requested again: it is rejected, or deferred to the operator, and the log gives the
 * reason.
 */
export async function sendRefund(deps: Deps, marked: ScheduledRefund): Promise<RefundAnswer> {
  const { db, gateways, log } = deps;
  const { ledgerId, attemptId, pays } = marked;
  const [attempt] = await db.select().from(attempts).where(eq(attempts.id, attemptId));
  if (!attempt) throw new Error(`there is no attempt ${attemptId}`);
  const { refunded, left } = await leftOf(db, attemptId);
  const answer = await gatewayOf(gateways, attempt.gateway)?.refund(attemptId, ...(refunded ? [left] : []));
  if (typeof answer === 'object') {
    log.error({ attemptId, why: answer.permanentFailure }, 'a payment has to be refunded by hand');
    const isDeferred = await db.transaction(async (tx) => {
      await reportRefundByHand(tx, deps, attempt, { reason: 'refused', amount: left });
      return deferToOperator(tx, attempt.orderId, answer.permanentFailure, deps.clock());
    });
    if (!isDeferred) await recordRefundResult(deps, marked, 'rejected');
    return answer;
  }
  if (!answer) {
    log.error({ attemptId }, pays ? 'a refund is not done yet' : 'the refund of a duplicate payment is not done yet');
    return false;
  }
  if (pays) await recordRefundResult(deps, marked, 'succeeded');
  else await bookRefund(deps, ledgerId, attempt);
  return true;
}

/** What is not refunded of a payment, and whether a part of it was refunded. */
async function leftOf(db: Database, id: string): Promise<{ refunded: boolean; left: number }> {
  const { unrefunded: left } = await readPaymentBalance(db, { id });
  const [part] = await db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.attemptId, id), eq(refunds.state, 'SUCCEEDED')))
    .limit(1);
  return { refunded: part !== undefined, left };
}

/** Records the end of a refund as a notice would; the provider's own notice, before or after, changes nothing more. */
export async function recordRefundResult(
  deps: Deps,
  { ledgerId, attemptId }: ScheduledRefund,
  stage: 'succeeded' | 'rejected',
): Promise<void> {
  const purchase = await findPurchase(deps.db, attemptId);
  if (!purchase) throw new Error(`attempt ${attemptId} has no order`);
  // a refund can be rejected after each request
  const eventId = stage === 'succeeded' ? `shop ${ledgerId}` : `shop ${ledgerId} ${deps.random.id()}`;
  await deps.db.transaction(async (tx) => {
    await recordReversal({ ...deps, db: tx }, purchase, {
      eventId,
      key: attemptId,
      kind: 'refund',
      stage,
      byShop: true,
    });
    await tx.update(ledger).set({ giveBackAt: null }).where(eq(ledger.id, ledgerId));
  });
}

/** Books the refund and clears its schedule in one transaction. A refund that is booked already stays unchanged. */
async function bookRefund(
  { db, clock, random }: Pick<Deps, 'db' | 'clock' | 'random'>,
  ledgerId: string,
  attempt: AttemptRow,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.update(ledger).set({ giveBackAt: null }).where(eq(ledger.id, ledgerId));
    await writeLedgerEntries(tx, attempt, [{ id: random.id(), kind: 'refund', at: clock() }]);
  });
}
