import { and, eq, max } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { ledger, partialRefundKind, refunds } from '#server/db/schema/ledger.ts';
import type { Purchase } from '#server/db/purchase-rows.ts';
import type { GatewayNotice, NoticePart } from '#server/payments/gateway.ts';
import { rescheduleCharge, type RenewalDeps } from './subscriptions/lock-renewal.ts';
import { turnOffAfterReversal } from './subscriptions/record-refusal.ts';
import {
  creditNoteAt,
  findCaptures,
  readPaymentBalance,
  scheduleDuplicateRefund,
  updateRefundedAmount,
} from './ledger-entries.ts';
import { reportRefund, reportRefundByHand } from './order-events.ts';
import { refundMoves } from './order-moves.ts';
import { lockOrdersOf, isRenewalPayment, moveOrderStatus, stageOf, notifyOfRefund } from './record-reversal.ts';
import { revokeUnusedService } from './withdrawals.ts';

export type RefundRow = typeof refunds.$inferSelect;

/** The state of a partial refund, from a notice or from the gateway's answer. */
interface PartialRefundReport {
  readonly part: NoticePart;
  readonly stage: GatewayNotice['stage'];
  /** why it was rejected, for the operator */
  readonly why?: string | undefined;
}

/**
 * Stores the state of a partial refund; safe to repeat and in any order. Each is booked once, when it has succeeded,
 * even if it was rejected before: money that has left is always booked. Never more is booked than the payment brought.
 * A refund made in the provider's own dashboard gets a row, too.
 */
export async function recordPartialRefund(
  deps: RenewalDeps,
  purchase: Purchase,
  report: PartialRefundReport,
): Promise<void> {
  const { order, attempt } = purchase;
  const now = deps.clock();
  const stage = stageOf(report.stage);
  await deps.db.transaction(async (tx) => {
    await lockOrdersOf(tx, order);
    const captures = await findCaptures(tx, order);
    if (!captures.includes(attempt.id)) return;
    const row = await rowOf(tx, deps, purchase, report.part);
    const isOver = row.state === 'SUCCEEDED' || (row.state === 'REJECTED' && stage !== 'succeeded');
    if ((stage === 'rejected' || stage === 'cancelled') && row.state !== 'REJECTED') {
      const reason = row.state === 'SUCCEEDED' ? 'returned' : 'refused';
      await reportRefundByHand(tx, deps, attempt, { reason, amount: row.amount, part: row.number });
    }
    if (stage === 'opened' || isOver) return;
    if (stage !== 'succeeded') {
      const why = report.why ?? `the provider has ${stage} it`;
      return end(tx, row, { state: 'REJECTED', why, endedAt: now });
    }
    const { unrefunded } = await readPaymentBalance(tx, attempt);
    const amount = Math.min(report.part.amount, unrefunded);
    await end(tx, row, { state: 'SUCCEEDED', amount, endedAt: now });
    // the whole payment has been refunded already
    if (amount <= 0) return;
    const entry = { id: deps.random.id(), kind: partialRefundKind(row.number), amount: -amount, at: now };
    const { brand, orderId, attemptId, currency } = row;
    const invoiceAt = creditNoteAt(attempt.id, now);
    await tx.insert(ledger).values({ ...entry, brand, orderId, attemptId, currency, giveBackAt: null, invoiceAt });
    const pays = captures[0] === attempt.id;
    const isLast = amount === unrefunded;
    await reportRefund(tx, deps, purchase, { amount, isWhole: isLast, isDuplicate: !pays });
    if (!pays) return scheduleDuplicateRefund(tx, attempt, now);
    await applyConsequences(tx, deps, purchase, { ...row, amount, isLast });
  });
}

/**
 * The consequences of a partial refund: access stays unless the operator ends it; the last part has those of a whole
 * refund.
 */
async function applyConsequences(
  tx: Database,
  deps: RenewalDeps,
  purchase: Purchase,
  { amount, endsAccess, isLast }: Pick<RefundRow, 'amount' | 'endsAccess'> & { readonly isLast: boolean },
): Promise<void> {
  const { order, attempt } = purchase;
  const ended = isLast || endsAccess;
  await updateRefundedAmount(tx, attempt);
  if (isLast) {
    await moveOrderStatus(tx, order, refundMoves.succeeded);
    await tx
      .update(ledger)
      .set({ giveBackAt: null })
      .where(and(eq(ledger.attemptId, attempt.id), eq(ledger.kind, 'capture')));
  }
  if (ended) {
    await revokeUnusedService(tx, order, 'refund', deps.clock());
    await rescheduleCharge(tx, order, deps);
  }
  await notifyOfRefund(tx, deps, purchase, isLast && amount === attempt.amount ? undefined : { amount, ended });
  if (ended && isRenewalPayment(purchase)) await turnOffAfterReversal(tx, deps, order, 'reversal');
}

type Ending = Pick<RefundRow, 'state' | 'endedAt'> & Partial<Pick<RefundRow, 'why' | 'amount'>>;

async function end(tx: Database, { id }: RefundRow, ending: Ending): Promise<void> {
  await tx
    .update(refunds)
    .set({ why: null, ...ending, nextTryAt: null })
    .where(eq(refunds.id, id));
}

/**
 * The row of a partial refund, created if missing: it was made in the provider's dashboard, or after the backup that
 * was restored.
 */
async function rowOf(tx: Database, deps: RenewalDeps, { attempt }: Purchase, part: NoticePart): Promise<RefundRow> {
  const mine = eq(refunds.attemptId, attempt.id);
  const which = 'number' in part ? eq(refunds.number, part.number) : eq(refunds.providerRef, part.ref);
  const [known] = await tx.select().from(refunds).where(and(mine, which));
  if (known) return known;
  const row = {
    id: deps.random.id(),
    brand: attempt.brand,
    orderId: attempt.orderId,
    attemptId: attempt.id,
    number: 'number' in part ? part.number : await nextNumber(tx, attempt.id),
    amount: part.amount,
    currency: attempt.currency,
    state: 'ASKED',
    endsAccess: false,
    providerRef: 'ref' in part ? part.ref : null,
    why: null,
    askedAt: deps.clock(),
    endedAt: null,
    nextTryAt: null,
  } satisfies RefundRow;
  await tx.insert(refunds).values(row);
  return row;
}

/** `tx` has locked the order. */
export async function nextNumber(tx: Database, attemptId: string): Promise<number> {
  const [last] = await tx
    .select({ number: max(refunds.number) })
    .from(refunds)
    .where(eq(refunds.attemptId, attemptId));
  return (last?.number ?? 0) + 1;
}
