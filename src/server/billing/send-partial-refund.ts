import { eq } from 'drizzle-orm';
import { nextStatus } from '#contract/order-status.ts';
import type { Database } from '#server/db/connect.ts';
import { findPurchase, type OrderRow } from '#server/db/purchase-rows.ts';
import { refunds } from '#server/db/schema/ledger.ts';
import type { Deps } from '#server/deps.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import type { RefundAnswer } from '#server/payments/terms.ts';
import { lockCapture } from './send-refund.ts';
import { nextNumber, recordPartialRefund, type RefundRow } from './record-partial-refund.ts';

/** How long the job waits before it repeats a new request, in milliseconds. */
const firstRetryMs = 60_000;

interface PartialRefundRequest {
  /** minor units */
  readonly amount: number;
  /** ends the remaining access, too */
  readonly endsAccess: boolean;
  /** confirms that a second refund of the same amount is intended */
  readonly again: boolean;
}

export type PartialRefundRequestResult =
  | {
      readonly state: 'requested' | 'alreadyRequested';
      readonly row: RefundRow;
      readonly gateway: string;
      readonly left: number;
    }
  /** `before`: the same amount was refunded at that time */
  | { readonly state: 'before'; readonly at: number }
  | { readonly state: 'underWay'; readonly amount: number; readonly currency: string }
  | { readonly state: 'tooMuch'; readonly left: number; readonly currency: string }
  /** nothing would be left, so it is a refund of the whole payment */
  | { readonly state: 'whole' }
  | { readonly state: 'nothingPaid' | 'goingBack' | 'disputed' | 'noGateway' | 'noParts' };

/**
 * Requests a refund of a part of a payment. The order stays paid, and access and renewal continue unless the operator
 * ends them. Several may follow each other; the one that refunds the rest has the effects of a whole refund.
 * It has two phases: one transaction writes a row with a number; then the gateway is called, outside any transaction,
 * with the payment's key and that number; then one transaction books it (`recordPartialRefund`, also used for notices). If a
 * process stops in between, the job `refund-parts` repeats the call with the same number until the outcome is known, so
 * the money leaves once.
 * Only one of the shop's own partial refunds is open at a time: an operator who repeats a command continues it, and one
 * who repeats it later has to confirm with `again`.
 */
export async function requestPartialRefund(
  tx: Database,
  { gateways, random }: Pick<Deps, 'gateways' | 'random'>,
  { orderId }: Pick<OrderRow, 'orderId'>,
  { amount, endsAccess, again }: PartialRefundRequest,
  now: number,
): Promise<PartialRefundRequestResult> {
  const locked = await lockCapture(tx, orderId);
  if (!locked) return { state: 'nothingPaid' };
  const { order, capture, gateway, parts, underWay, own } = locked;
  const { attemptId, brand, currency } = capture;
  const left = locked.unrefunded - underWay.reduce((sum, one) => sum + one.amount, 0);
  if (own && own.amount === amount && own.endsAccess === endsAccess) {
    await tx
      .update(refunds)
      .set({ nextTryAt: now + firstRetryMs })
      .where(eq(refunds.id, own.id));
    return { state: 'alreadyRequested', row: own, gateway, left };
  }
  if (own) return { state: 'underWay', amount: own.amount, currency };
  if (order.status === 'REFUND_PENDING' || order.status === 'REFUND_SUCCEEDED') return { state: 'goingBack' };
  if (nextStatus(order.status, 'refundOpened') === undefined) return { state: 'disputed' };
  if (amount > left) return { state: 'tooMuch', left, currency };
  if (amount === left && underWay.length === 0) return { state: 'whole' };
  const asked = gatewayOf(gateways, gateway);
  if (!asked) return { state: 'noGateway' };
  if (!asked.refundPart) return { state: 'noParts' };
  const earlier = parts.findLast((one) => one.state === 'SUCCEEDED' && one.amount === amount);
  if (earlier && !again) return { state: 'before', at: earlier.askedAt };
  const named = { id: random.id(), brand, orderId, attemptId, number: await nextNumber(tx, attemptId) };
  const nothingYet = { state: 'ASKED', providerRef: null, why: null, endedAt: null } as const;
  const row = { ...named, ...nothingYet, amount, currency, endsAccess, askedAt: now, nextTryAt: now + firstRetryMs };
  await tx.insert(refunds).values(row);
  return { state: 'requested', row, gateway, left: left - amount };
}

/**
 * Calls the gateway for a partial refund and stores its answer. A disputed payment gets none, because the bank takes
 * the money itself.
 */
export async function sendPartialRefund(deps: Deps, row: RefundRow): Promise<RefundAnswer> {
  const { db, gateways, log } = deps;
  const { attemptId: key, number, amount, currency, askedAt } = row;
  const purchase = await findPurchase(db, key);
  if (!purchase) throw new Error(`attempt ${key} has no order`);
  const isDisputed = purchase.order.status.startsWith('CHARGEBACK');
  const answer = isDisputed
    ? { permanentFailure: 'its payer disputes the payment at their bank, which takes the money by itself' }
    : await gatewayOf(gateways, purchase.attempt.gateway)?.refundPart?.({ key, number, amount, currency, askedAt });
  const part = { number, amount };
  if (typeof answer === 'object') {
    log.error({ attemptId: key, number, why: answer.permanentFailure }, 'a partial refund was rejected');
    await recordPartialRefund(deps, purchase, { part, stage: 'rejected', why: answer.permanentFailure });
    return answer;
  }
  if (!answer) {
    log.error({ attemptId: key, number }, 'a partial refund is not done yet');
    return false;
  }
  await recordPartialRefund(deps, purchase, { part, stage: 'succeeded' });
  return true;
}
