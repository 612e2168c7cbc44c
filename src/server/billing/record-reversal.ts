import { and, asc, eq, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../db/connect.ts';
import { ledger, orders, webhookEvents } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import type { GatewayNotice } from '../payments/gateway.ts';
import { chargebackMoves, refundMoves, type OrderMove } from './order-moves.ts';
import type { AttemptRow, OrderRow, Purchase } from './purchase-rows.ts';
import { takeUnspentService } from './unspent-service.ts';

type Stage = NonNullable<GatewayNotice['stage']>;
type EntryKind = (typeof ledger.$inferSelect)['kind'];
export type ReversalKind = Exclude<GatewayNotice['kind'], 'charge'>;
type Reversal = Pick<GatewayNotice, 'eventId' | 'key' | 'stage'> & { readonly kind: ReversalKind };

interface Step {
  readonly move: OrderMove;
  /** what is written into the books; what is there already stays */
  readonly books: readonly EntryKind[];
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
 * Money of an attempt that did not pay its order (it was paid twice) is booked and moves neither status nor service.
 */
const steps: Readonly<Record<ReversalKind, Readonly<Record<Stage, Step>>>> = {
  refund: {
    opened: { move: refundMoves.opened, books: [] },
    succeeded: { move: refundMoves.succeeded, books: ['refund'], isFinal: true },
    rejected: { move: refundMoves.rejected, books: [] },
    cancelled: { move: refundMoves.cancelled, books: [] },
  },
  chargeback: {
    opened: { move: chargebackMoves.opened, books: ['chargeback'] },
    succeeded: { move: chargebackMoves.succeeded, books: ['chargeback'], isFinal: true },
    rejected: { move: chargebackMoves.rejected, books: ['chargeback', 'return'] },
    cancelled: { move: chargebackMoves.cancelled, books: ['chargeback', 'return'] },
  },
};

/** Under what a notice of a reversal is noted: by what it tells, so that openings and ends can be counted. */
export function reversalEventId({ key, stage, eventId }: Omit<Reversal, 'kind'>, kind: ReversalKind): string {
  return `${eventPrefix(kind, key)} ${stageOf(stage)} ${eventId}`;
}

/**
 * Writes what a notice tells of a refund or a dispute about an attempt that has been captured; once per event. The
 * customer's orders are locked first, so that two notices about one order come one after the other and see each other.
 */
export async function recordReversal(
  { db, clock, random }: Pick<Deps, 'db' | 'clock' | 'random'>,
  { order, attempt }: Purchase,
  reversal: Reversal,
): Promise<void> {
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
    const due = step.books.filter((kind) => kind !== 'return' || moved || !pays);
    const entries = due.map((kind) => ({ id: random.id(), kind, at: now }));
    const booked = await book(tx, attempt, entries);
    if (!pays && booked.length > 0) await markGivenBack(tx, attempt, now);
    const isGone = step.isFinal && (moved || booked.includes('refund'));
    if (pays && isGone) await takeUnspentService(tx, order, now);
  });
}

/** Always in the same order, so that two locks never wait for each other; the customer's own row is locked after them. */
async function lockOrdersOf(tx: Database, { brand, uid }: OrderRow): Promise<void> {
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

/** The attempts that brought money for an order. The first one paid it; the job `refundDuplicates` sorts them as well. */
async function capturesOf(tx: Database, { orderId }: OrderRow): Promise<string[]> {
  const captures = await tx
    .select({ attemptId: ledger.attemptId })
    .from(ledger)
    .where(and(eq(ledger.orderId, orderId), eq(ledger.kind, 'capture')))
    .orderBy(asc(ledger.at), asc(ledger.id));
  return captures.map((capture) => capture.attemptId);
}

async function move(tx: Database, { orderId }: OrderRow, { possible, status }: OrderMove): Promise<boolean> {
  const moved = await tx
    .update(orders)
    .set({ status })
    .where(and(eq(orders.orderId, orderId), possible))
    .returning({ orderId: orders.orderId });
  return moved.length > 0;
}

/** Answers the kinds that were not in the books yet. */
async function book(
  tx: Database,
  { id: attemptId, brand, orderId, amount, currency }: AttemptRow,
  entries: readonly { id: string; kind: EntryKind; at: number }[],
): Promise<EntryKind[]> {
  if (entries.length === 0) return [];
  const row = { brand, orderId, attemptId, currency, giveBackAt: null };
  const signed = (kind: EntryKind) => (kind === 'return' ? amount : -amount);
  const written = await tx
    .insert(ledger)
    .values(entries.map((entry) => ({ ...entry, ...row, amount: signed(entry.kind) })))
    .onConflictDoNothing({ target: [ledger.attemptId, ledger.kind] })
    .returning({ kind: ledger.kind });
  return written.map((row) => row.kind);
}

/** Money that was paid twice goes back while it is here: a bank may have taken it, or have given it back to the shop. */
async function markGivenBack(tx: Database, { id: attemptId }: AttemptRow, now: number): Promise<void> {
  const left = sql`(select sum(own.amount) from ${ledger} own where own.attempt_id = ${attemptId})`;
  await tx
    .update(ledger)
    .set({ giveBackAt: sql`case when ${left} > 0 then coalesce(${ledger.giveBackAt}, ${now}::bigint) end` })
    .where(and(eq(ledger.attemptId, attemptId), eq(ledger.kind, 'capture')));
}

/** A notice without a stage tells that something has begun. */
function stageOf(stage: Reversal['stage']): Stage {
  return stage ?? 'opened';
}

function eventPrefix(kind: ReversalKind, key: string): string {
  return `${kind} ${key}`;
}
