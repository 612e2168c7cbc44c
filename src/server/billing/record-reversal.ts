import { and, asc, eq, sql, type SQL } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { webhookEvents } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { GatewayNotice } from '#server/payments/gateway.ts';
import { book, capturesOf, markPaymentRefunded, updateRefundedAmount, sumsOf, type EntryKind } from './books.ts';
import { chargebackMoves, refundMoves, type OrderMove } from './order-moves.ts';
import type { OrderRow, Purchase } from '#server/db/purchase-rows.ts';
import { partialRefundMail, refundMail } from '#server/messages/order-end-mails.ts';
import { queueMail } from '#server/messages/outbox.ts';
import { inLanguage } from '#server/site/words.ts';
import { followService, type RenewalDeps } from './subscriptions/lock-renewal.ts';
import { withdrawRenewal } from './subscriptions/turn-off.ts';
import { revokeUnusedService } from './unused-service.ts';
import { deferToOperator } from './withdrawals.ts';

type Stage = NonNullable<GatewayNotice['stage']>;
export type ReversalKind = Exclude<GatewayNotice['kind'], 'charge'>;
type Reversal = Pick<GatewayNotice, 'eventId' | 'key' | 'stage' | 'part'> & { readonly kind: ReversalKind };

interface Step {
  readonly move: OrderMove;
  /** what is written into the books; what is there already stays */
  readonly entries: readonly EntryKind[];
  /** the money is gone for good, and with it the service */
  readonly isFinal?: true;
}

/**
 * [Note: Reversals] A refund is booked when it has succeeded, a dispute when it begins, because banks take the money at
 * once; a dispute that the shop wins, or that its holder takes back, brings the money back as `return`.
 *
 * Notices come in any order. An end books and moves what its beginning would have, so that a beginning that comes after
 * it finds nothing left to do. Money that has left is booked even where the order's status has no move for it: a bank may
 * dispute what was refunded, and then the shop has given it twice until the dispute is won.
 *
 * What is booked is what is left after parts went back ([Note: Partial refunds]), and of a dispute what the bank names. A
 * dispute of a part that is lost takes no days: the rest still pays for them.
 *
 * Money of an attempt that did not pay its order (it was paid twice) is booked and moves neither status nor service.
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

/** Under what a notice of a reversal is noted: by what it tells, so that openings and ends can be counted. */
export function reversalEventId({ key, stage, eventId, part }: Omit<Reversal, 'kind'>, kind: ReversalKind): string {
  // openings and ends of parts are counted by their own rows
  const told = part && kind === 'refund' ? `part ${key}` : eventPrefix(kind, key);
  return `${told} ${stageOf(stage)} ${eventId}`;
}

/**
 * Writes what a notice tells of a refund or a dispute about an attempt that has been captured; once per event. The
 * customer's orders are locked first, so that two notices about one order come one after the other and see each other.
 */
export async function recordReversal(deps: RenewalDeps, purchase: Purchase, reversal: Reversal): Promise<void> {
  const { order, attempt } = purchase;
  const { db, clock, random } = deps;
  const now = clock();
  const step = steps[reversal.kind][stageOf(reversal.stage)];
  const event = { gateway: attempt.gateway, eventId: reversalEventId(reversal, reversal.kind), receivedAt: now };
  await db.transaction(async (tx) => {
    await lockOrdersOf(tx, order);
    const captures = await capturesOf(tx, order);
    const isLate = await comesAfterItsEnd(tx, attempt.gateway, reversal);
    if (!captures.includes(attempt.id) || !(await isNoted(tx, event))) return;
    const pays = captures[0] === attempt.id;
    const moved = pays && !isLate && (await move(tx, order, step.move));
    if (moved && reversal.kind === 'refund' && refundEndsWithoutMoney.has(stageOf(reversal.stage)))
      await reopenWithdrawal(tx, order, `the provider has ${stageOf(reversal.stage)} the refund`, now);
    const due = step.entries.filter((kind) => kind !== 'return' || moved || !pays);
    const entries = due.map((kind) => ({ id: random.id(), kind, at: now }));
    const told = reversal.kind === 'chargeback' ? reversal.part?.amount : undefined;
    const booked = await book(tx, attempt, entries, told);
    if (pays) await updateRefundedAmount(tx, attempt);
    if (!pays && booked.length > 0) await markPaymentRefunded(tx, attempt, now);
    const isGone = step.isFinal && (moved || booked.includes('refund')) && (await sumsOf(tx, attempt)).all <= 0;
    if (pays && isGone) {
      await revokeUnusedService(tx, order, reversal.kind, now);
      await followService(tx, order, deps);
    }
    if (reversal.kind === 'refund' && step.isFinal && moved) await notifyOfRefund(tx, deps, purchase);
    if (pays && mayRenew(purchase) && booked.some((kind) => kind !== 'return')) await withdrawRenewal(tx, deps, order);
  });
}

const refundEndsWithoutMoney: ReadonlySet<Stage> = new Set(['rejected', 'cancelled']);

/** The customer's request stands, whatever the provider says of it: the refund opens again and waits for the operator. */
async function reopenWithdrawal(tx: Database, order: OrderRow, why: string, now: number): Promise<void> {
  const [{ withdrawal } = { withdrawal: null }] = await tx
    .select({ withdrawal: orders.withdrawal })
    .from(orders)
    .where(eq(orders.orderId, order.orderId));
  if (withdrawal === null || withdrawal.refusedAt !== undefined) return;
  await move(tx, order, refundMoves.opened);
  await deferToOperator(tx, order.orderId, why, now);
}

/** Whether the payment was a renewal's, or turned one on. */
export const mayRenew = ({ order, attempt }: Purchase): boolean =>
  order.subscriptionId !== null || attempt.renewPrice !== null;

/** Tells the customer of a payment that went back: all of it, or a part, and whether that ended the days. */
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
  const planName = inLanguage(order.planNames, language, brand) ?? order.planId;
  const facts = { orderId, planName, total: { amount: attempt.amount, currency } };
  const mail = part
    ? partialRefundMail(brand, language, { ...facts, part: { amount: part.amount, currency }, ended: part.ended })
    : refundMail(brand, language, facts);
  await queueMail(tx, { brand, to: email, ...mail }, deps);
}

/** Always in the same order, so that two locks never wait for each other; the customer's own row is locked after them. */
export async function lockOrdersOf(tx: Database, { brand, uid }: OrderRow): Promise<void> {
  await tx
    .select({ orderId: orders.orderId })
    .from(orders)
    .where(and(eq(orders.brand, brand), eq(orders.uid, uid)))
    .orderBy(asc(orders.orderId))
    .for('update');
}

/**
 * A refund can be asked for again after one that was rejected, so its opening alone does not say whether it is a new one
 * or the late first word about the one that has ended. Each end has one opening: the surplus tells.
 */
async function comesAfterItsEnd(tx: Database, gateway: string, { kind, key, stage }: Reversal): Promise<boolean> {
  if (kind !== 'refund' || stageOf(stage) !== 'opened') return false;
  const prefix = eventPrefix(kind, key);
  const [told] = await tx
    .select({
      opened: sql<number>`(count(*) filter (where ${webhookEvents.eventId} like ${`${prefix} opened %`}))::int`,
      all: sql<number>`count(*)::int`,
    })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.gateway, gateway), ofRefund(prefix)));
  return told !== undefined && told.all - told.opened > told.opened;
}

/** What begins with `refund`, the key and a space, said in a way that its index understands: `!` comes after the space. */
function ofRefund(prefix: string): SQL {
  const { eventId } = webhookEvents;
  return sql`${eventId} like 'refund %' and ${eventId} ~>=~ ${`${prefix} `} and ${eventId} ~<~ ${`${prefix}!`}`;
}

async function isNoted(tx: Database, event: typeof webhookEvents.$inferInsert): Promise<boolean> {
  const noted = await tx.insert(webhookEvents).values(event).onConflictDoNothing().returning();
  return noted.length > 0;
}

export async function move(tx: Database, { orderId }: OrderRow, { possible, status }: OrderMove): Promise<boolean> {
  const moved = await tx
    .update(orders)
    .set({ status })
    .where(and(eq(orders.orderId, orderId), possible))
    .returning({ orderId: orders.orderId });
  return moved.length > 0;
}

/** A notice without a stage tells that something has begun. */
export function stageOf(stage: Reversal['stage']): Stage {
  return stage ?? 'opened';
}

function eventPrefix(kind: ReversalKind, key: string): string {
  return `${kind} ${key}`;
}
