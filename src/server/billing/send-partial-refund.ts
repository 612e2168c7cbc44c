import { eq } from 'drizzle-orm';
import { nextStatus } from '#contract/order-status.ts';
import type { Database } from '#server/db/connect.ts';
import { findPurchase, type OrderRow } from '#server/db/purchase-rows.ts';
import { refunds } from '#server/db/schema/ledger.ts';
import type { Deps } from '#server/deps.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import type { RefundAnswer } from '#server/payments/terms.ts';
import { lockCapture } from './send-refund.ts';
import { nextNumber, recordPart, type RefundRow } from './record-partial-refund.ts';

/** Before the job asks again for what somebody asks for just now, in milliseconds. */
const firstRetryMs = 60_000;

export interface PartialRefundRequest {
  /** minor units */
  readonly amount: number;
  /** the days that are left end with it */
  readonly endsAccess: boolean;
  /** meant, although as much was given back before */
  readonly again: boolean;
}

export type PartialRefundSent =
  | {
      readonly state: 'asked' | 'askedBefore';
      readonly row: RefundRow;
      readonly gateway: string;
      readonly left: number;
    }
  /** `before`: as much was given back at that time */
  | { readonly state: 'before'; readonly at: number }
  | { readonly state: 'underWay'; readonly amount: number; readonly currency: string }
  | { readonly state: 'tooMuch'; readonly left: number; readonly currency: string }
  /** nothing would be left: it is a refund of the whole */
  | { readonly state: 'whole' }
  | { readonly state: 'nothingPaid' | 'goingBack' | 'disputed' | 'noGateway' | 'noParts' };

/**
 * [Note: Partial refunds] A part of a payment goes back, and the order stays paid: its days go on, and so does a renewal,
 * unless the operator ends them with it. Several parts may follow each other, up to what was paid; with the last one nothing is
 * left, and all is as after a refund of the whole.
 *
 * A part moves in two phases, as all money. One transaction writes its row, which gives it a number; then the gateway is asked
 * under the payment's key and that number, outside of any transaction; then one transaction books it, and does what follows
 * (`recordPart`, which notices of providers use as well). Whoever stops in between is followed by the job `refund-parts`,
 * which asks by the same number until the outcome is known. So a number is given once, and there is one of the shop's own on its way
 * at a time: an operator who repeats a command meets it, and goes on with it. One who repeats it later has to say that it
 * is meant (`again`).
 *
 * What is given at the provider's own desk is told by a notice and gets a row, too.
 */
export async function requestPartialRefund(
  tx: Database,
  { gateways, random }: Pick<Deps, 'gateways' | 'random'>,
  { orderId }: Pick<OrderRow, 'orderId'>,
  { amount, endsAccess, again }: PartialRefundRequest,
  now: number,
): Promise<PartialRefundSent> {
  const held = await lockCapture(tx, orderId);
  if (!held) return { state: 'nothingPaid' };
  const { order, capture, gateway, parts, underWay, own } = held;
  const { attemptId, brand, currency } = capture;
  const left = held.unrefunded - underWay.reduce((sum, one) => sum + one.amount, 0);
  if (own && own.amount === amount && own.endsAccess === endsAccess) {
    await tx
      .update(refunds)
      .set({ nextTryAt: now + firstRetryMs })
      .where(eq(refunds.id, own.id));
    return { state: 'askedBefore', row: own, gateway, left };
  }
  if (own) return { state: 'underWay', amount: own.amount, currency };
  if (order.status === 'REFUND_PENDING' || order.status === 'REFUND_SUCCEEDED') return { state: 'goingBack' };
  if (nextStatus(order.status, 'refundOpened') === undefined) return { state: 'disputed' };
  if (amount > left) return { state: 'tooMuch', left, currency };
  if (amount === left && underWay.length === 0) return { state: 'whole' };
  const asked = gatewayOf(gateways, gateway);
  if (!asked) return { state: 'noGateway' };
  if (!asked.refundPart) return { state: 'noParts' };
  const same = parts.findLast((one) => one.state === 'SUCCEEDED' && one.amount === amount);
  if (same && !again) return { state: 'before', at: same.askedAt };
  const named = { id: random.id(), brand, orderId, attemptId, number: await nextNumber(tx, attemptId) };
  const nothingYet = { state: 'ASKED', providerRef: null, why: null, endedAt: null } as const;
  const row = { ...named, ...nothingYet, amount, currency, endsAccess, askedAt: now, nextTryAt: now + firstRetryMs };
  await tx.insert(refunds).values(row);
  return { state: 'asked', row, gateway, left: left - amount };
}

/** Asks the gateway for a part, and writes what it says. A payer whose bank takes the money by itself gets no part beside. */
export async function sendPartialRefund(deps: Deps, row: RefundRow): Promise<RefundAnswer> {
  const { db, gateways, log } = deps;
  const { attemptId: key, number, amount, currency, askedAt } = row;
  const purchase = await findPurchase(db, key);
  if (!purchase) throw new Error(`attempt ${key} has no order`);
  const isDisputed = purchase.order.status.startsWith('CHARGEBACK');
  const answer = isDisputed
    ? { never: 'its payer disputes the payment at their bank, which takes the money by itself' }
    : await gatewayOf(gateways, purchase.attempt.gateway)?.refundPart?.({ key, number, amount, currency, askedAt });
  const part = { number, amount };
  if (typeof answer === 'object') {
    log.error({ attemptId: key, number, why: answer.never }, 'a part of a payment was not given back');
    await recordPart(deps, purchase, { part, stage: 'rejected', why: answer.never });
    return answer;
  }
  if (!answer) {
    log.error({ attemptId: key, number }, 'a part of a payment could not be given back yet');
    return false;
  }
  await recordPart(deps, purchase, { part, stage: 'succeeded' });
  return true;
}
