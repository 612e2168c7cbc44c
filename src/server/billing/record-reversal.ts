import { and, asc, eq, sql, type SQL } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { ledger, webhookEvents } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { GatewayNotice } from '#server/payments/gateway.ts';
import {
  writeLedgerEntries,
  findCaptures,
  scheduleCreditNote,
  scheduleDuplicateRefund,
  setRespondBy,
  updateRefundedAmount,
  readPaymentBalance,
  type EntryKind,
} from './ledger-entries.ts';
import { chargebackMoves, refundMoves, type OrderMove } from './order-moves.ts';
import type { AttemptRow, OrderRow, Purchase } from '#server/db/purchase-rows.ts';
import { partialRefundMail, refundMail } from '#server/messages/order-end-mails.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { localize } from '#server/site/documents.ts';
import { reportRefundByHand, reportReversal } from './order-events.ts';
import { rescheduleCharge, type RenewalDeps } from './subscriptions/lock-renewal.ts';
import { turnOffAfterReversal } from './subscriptions/record-refusal.ts';
import { deferToOperator, revokeUnusedService } from './withdrawals.ts';

type Stage = NonNullable<GatewayNotice['stage']>;
type ReversalKind = Exclude<GatewayNotice['kind'], 'charge'>;
type Reversal = Pick<GatewayNotice, 'eventId' | 'key' | 'stage' | 'disputed' | 'respondBy'> & {
  readonly kind: ReversalKind;
  /** the shop has ended it itself, so its operator knows */
  readonly byShop?: true;
};

interface Step {
  readonly move: OrderMove;
  /** the entries for the ledger; existing ones stay */
  readonly entries: readonly EntryKind[];
  /** the money is gone for good, and access ends with it */
  readonly isFinal?: true;
}

/**
 * What each notice about a refund or dispute does. A refund is booked when it succeeds, a dispute when it opens,
 * because banks take the money at once; a dispute that the shop wins, or that the cardholder withdraws, books `return`.
 * Notices arrive in any order, so an end also does what its beginning would have done. Money that has left is booked
 * even if the order's status has no transition for it, such as a dispute of a refunded payment.
 * A refund books what partial refunds have left, a dispute the amount that the bank names. A lost dispute of a part
 * does not end access. Reversals of a duplicate payment are booked and change neither status nor access.
 */
const steps: Readonly<Record<ReversalKind, Readonly<Record<Stage, Step>>>> = {
  refund: {
    opened: { move: refundMoves.opened, entries: [] },
    succeeded: { move: refundMoves.succeeded, entries: ['refund'], isFinal: true },
    rejected: { move: refundMoves.rejected, entries: [] },
    cancelled: { move: refundMoves.cancelled, entries: [] },
  },
  chargeback: {
    opened: { move: chargebackMoves.opened, entries: ['chargeback'] },
    succeeded: { move: chargebackMoves.succeeded, entries: ['chargeback'], isFinal: true },
    rejected: { move: chargebackMoves.rejected, entries: ['chargeback', 'return'] },
    cancelled: { move: chargebackMoves.cancelled, entries: ['chargeback', 'return'] },
  },
};

/** The ID under which a notice is stored: it contains the stage, so that openings and ends can be counted. */
export function reversalEventId(
  { key, stage, eventId, part }: Pick<GatewayNotice, 'eventId' | 'key' | 'stage' | 'part'>,
  kind: ReversalKind,
): string {
  // partial refunds have rows of their own, so they are not counted here
  const prefix = part && kind === 'refund' ? `part ${key}` : eventPrefix(kind, key);
  return `${prefix} ${stageOf(stage)} ${eventId}`;
}

/**
 * Stores a notice about a refund or dispute of a captured attempt, once per event. It locks the customer's orders
 * first, so that two notices about one order run one after the other.
 */
export async function recordReversal(deps: RenewalDeps, purchase: Purchase, reversal: Reversal): Promise<void> {
  const { order, attempt } = purchase;
  const { db, clock, random } = deps;
  const now = clock();
  const step = steps[reversal.kind][stageOf(reversal.stage)];
  const event = { gateway: attempt.gateway, eventId: reversalEventId(reversal, reversal.kind), receivedAt: now };
  await db.transaction(async (tx) => {
    await lockOrdersOf(tx, order);
    const captures = await findCaptures(tx, order);
    const isLate = await isAfterItsEnd(tx, attempt.gateway, reversal);
    if (!captures.includes(attempt.id) || !(await recordEvent(tx, event))) return;
    const pays = captures[0] === attempt.id;
    const moved = pays && !isLate && (await moveOrderStatus(tx, order, step.move));
    if (reversal.kind === 'refund' && refundEndsWithoutMoney.has(stageOf(reversal.stage))) {
      if (moved) await reopenWithdrawal(tx, order, `the provider has ${stageOf(reversal.stage)} the refund`, now);
      if (!reversal.byShop) await reportMissingRefund(tx, deps, attempt, moved || !pays);
    }
    const due = step.entries.filter((kind) => kind !== 'return' || moved || !pays);
    const entries = due.map((kind) => ({ id: random.id(), kind, at: now }));
    const booked = await writeLedgerEntries(tx, attempt, entries, reversal.disputed);
    if (reversal.respondBy !== undefined) await setRespondBy(tx, attempt, reversal.respondBy);
    const isClosed = reversal.kind === 'chargeback' && (moved || booked.includes('return'));
    const outcome = isClosed ? disputeOutcomes[stageOf(reversal.stage)] : undefined;
    await reportReversal(tx, deps, purchase, { booked, outcome, pays, respondBy: reversal.respondBy });
    if (pays) await updateRefundedAmount(tx, attempt);
    if (moved && reversal.kind === 'chargeback' && step.isFinal) await scheduleCreditNote(tx, attempt, now);
    if (!pays && booked.length > 0) await scheduleDuplicateRefund(tx, attempt, now);
    const isGone =
      step.isFinal && (moved || booked.includes('refund')) && (await readPaymentBalance(tx, attempt)).all <= 0;
    if (pays && isGone) {
      await revokeUnusedService(tx, order, reversal.kind, now);
      await rescheduleCharge(tx, order, deps);
    }
    if (reversal.kind === 'refund' && step.isFinal && moved) await notifyOfRefund(tx, deps, purchase);
    if (pays && isRenewalPayment(purchase) && booked.some((kind) => kind !== 'return'))
      await turnOffAfterReversal(tx, deps, order, reversal.kind === 'refund' ? 'reversal' : 'dispute');
  });
}

const disputeOutcomes: Readonly<Partial<Record<Stage, 'won' | 'lost'>>> = {
  succeeded: 'lost',
  rejected: 'won',
  cancelled: 'won',
};

const refundEndsWithoutMoney: ReadonlySet<Stage> = new Set(['rejected', 'cancelled']);

/** A bank can return a refund that the books have as paid; any other is missing only if it `isOpen`. */
async function reportMissingRefund(
  tx: Database,
  deps: RenewalDeps,
  attempt: AttemptRow,
  isOpen: boolean,
): Promise<void> {
  const refund = and(eq(ledger.attemptId, attempt.id), eq(ledger.kind, 'refund'));
  const [booked] = await tx.select({ amount: ledger.amount }).from(ledger).where(refund);
  if (booked) return reportRefundByHand(tx, deps, attempt, { reason: 'returned', amount: -booked.amount });
  const { unrefunded: amount } = await readPaymentBalance(tx, attempt);
  // a dispute may have taken it meanwhile
  if (isOpen && amount > 0) await reportRefundByHand(tx, deps, attempt, { reason: 'refused', amount });
}

/**
 * The customer's withdrawal stays valid after the provider rejects the refund: the refund is opened again and waits for
 * the operator.
 */
async function reopenWithdrawal(tx: Database, order: OrderRow, why: string, now: number): Promise<void> {
  const [{ withdrawal } = { withdrawal: null }] = await tx
    .select({ withdrawal: orders.withdrawal })
    .from(orders)
    .where(eq(orders.orderId, order.orderId));
  if (withdrawal === null || withdrawal.refusedAt !== undefined) return;
  await moveOrderStatus(tx, order, refundMoves.opened);
  await deferToOperator(tx, order.orderId, why, now);
}

/** Whether the payment was a renewal's, or turned automatic renewal on. */
export const isRenewalPayment = ({ order, attempt }: Purchase): boolean =>
  order.subscriptionId !== null || attempt.renewPrice !== null;

/** Emails the customer about a refund: its amount, and whether it ended access. */
export async function notifyOfRefund(
  tx: Database,
  deps: RenewalDeps,
  { order, attempt, customer }: Purchase,
  part?: { readonly amount: number; readonly ended: boolean },
): Promise<void> {
  const brand = deps.catalog.byCode(order.brand);
  const { email, language } = customer;
  if (!brand || email === null) return;
  const { orderId } = order;
  const { currency } = attempt;
  const planName = localize(order.planNames, language, brand) ?? order.planId;
  const facts = { orderId, planName, total: { amount: attempt.amount, currency } };
  const isPast = order.serviceEnd !== null && order.serviceEnd <= deps.clock();
  const days = isPast ? 'past' : part?.ended ? 'ended' : 'unchanged';
  const mail = part
    ? partialRefundMail(brand, language, { ...facts, part: { amount: part.amount, currency }, days })
    : refundMail(brand, language, { ...facts, hasEnded: isPast });
  await queueMail(tx, { brand, to: email, ...mail }, deps);
}

/** Locks in a fixed order to avoid deadlocks; the customer's row is locked afterwards. */
export async function lockOrdersOf(tx: Database, { brand, uid }: OrderRow): Promise<void> {
  await tx
    .select({ orderId: orders.orderId })
    .from(orders)
    .where(and(eq(orders.brand, brand), eq(orders.uid, uid)))
    .orderBy(asc(orders.orderId))
    .for('update');
}

/**
 * Whether this opening is a late notice of a refund that has ended. A refund can be requested again after a rejection,
 * so the stored events decide: each end has one opening, and a surplus of ends means that this opening is late.
 */
async function isAfterItsEnd(tx: Database, gateway: string, { kind, key, stage }: Reversal): Promise<boolean> {
  if (kind !== 'refund' || stageOf(stage) !== 'opened') return false;
  const prefix = eventPrefix(kind, key);
  const [counts] = await tx
    .select({
      opened: sql<number>`(count(*) filter (where ${webhookEvents.eventId} like ${`${prefix} opened %`}))::int`,
      all: sql<number>`count(*)::int`,
    })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.gateway, gateway), ofRefund(prefix)));
  return counts !== undefined && counts.all - counts.opened > counts.opened;
}

/** Matches `refund`, the key and a space by range, so that the index is used: `!` is the character after the space. */
function ofRefund(prefix: string): SQL {
  const { eventId } = webhookEvents;
  return sql`${eventId} like 'refund %' and ${eventId} ~>=~ ${`${prefix} `} and ${eventId} ~<~ ${`${prefix}!`}`;
}

async function recordEvent(tx: Database, event: typeof webhookEvents.$inferInsert): Promise<boolean> {
  const noted = await tx.insert(webhookEvents).values(event).onConflictDoNothing().returning();
  return noted.length > 0;
}

export async function moveOrderStatus(
  tx: Database,
  { orderId }: OrderRow,
  { possible, status }: OrderMove,
): Promise<boolean> {
  const moved = await tx
    .update(orders)
    .set({ status })
    .where(and(eq(orders.orderId, orderId), possible))
    .returning({ orderId: orders.orderId });
  return moved.length > 0;
}

/** A notice without a stage is an opening. */
export function stageOf(stage: Reversal['stage']): Stage {
  return stage ?? 'opened';
}

function eventPrefix(kind: ReversalKind, key: string): string {
  return `${kind} ${key}`;
}
