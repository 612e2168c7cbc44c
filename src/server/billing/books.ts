import { and, asc, eq, sql, type SQL } from 'drizzle-orm';
import type { RefundedAmount } from '#contract/receipts.ts';
import type { Database } from '#server/db/connect.ts';
import type { AttemptRow, OrderRow } from '#server/db/purchase-rows.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';

export type EntryKind = (typeof ledger.$inferSelect)['kind'];

/** The attempts that brought money for an order. The first one paid it; the job `refundDuplicates` sorts them as well. */
export async function capturesOf(tx: Database, { orderId }: Pick<OrderRow, 'orderId'>): Promise<string[]> {
  const captures = await tx
    .select({ attemptId: ledger.attemptId })
    .from(ledger)
    .where(and(eq(ledger.orderId, orderId), eq(ledger.kind, 'capture')))
    .orderBy(asc(ledger.at), asc(ledger.id));
  return captures.map((capture) => capture.attemptId);
}

/** What the books hold of a payment, in minor units. */
export interface PaymentBalance {
  /** paid, and neither refunded whole nor in parts */
  readonly unrefunded: number;
  /** taken by a dispute, whether it was won later or not */
  readonly disputed: number;
  readonly all: number;
}

/** The shop's own moves of a payment: what came, and what was given back, whole or in parts. A bank has made the others. */
const isOwnMove = sql`${ledger.kind} not in ('chargeback', 'return')`;
/** What the shop has given back, whole or in parts. */
export const isRefund = sql`${isOwnMove} and ${ledger.kind} <> 'capture'`;

export async function sumsOf(tx: Database, { id }: Pick<AttemptRow, 'id'>): Promise<PaymentBalance> {
  const sum = (which: SQL) => sql<string>`coalesce(sum(${ledger.amount}) filter (where ${which}), 0)`;
  const [sums] = await tx
    .select({
      unrefunded: sum(isOwnMove),
      disputed: sum(sql`${ledger.kind} = 'chargeback'`),
      all: sum(sql`true`),
    })
    .from(ledger)
    .where(eq(ledger.attemptId, id));
  return {
    unrefunded: Number(sums?.unrefunded ?? 0),
    disputed: -Number(sums?.disputed ?? 0),
    all: Number(sums?.all ?? 0),
  };
}

/**
 * Books each kind once, and answers those that were not there yet. `told` is how much a bank disputes; where it does not
 * say, that is what is left, and the whole again when nothing is.
 */
export async function book(
  tx: Database,
  { id: attemptId, brand, orderId, amount, currency }: AttemptRow,
  entries: readonly { id: string; kind: EntryKind; at: number }[],
  told?: number,
): Promise<EntryKind[]> {
  if (entries.length === 0) return [];
  const row = { brand, orderId, attemptId, currency, giveBackAt: null };
  const { unrefunded, disputed } = await sumsOf(tx, { id: attemptId });
  const taken = disputed || Math.min(told ?? (unrefunded || amount), amount);
  const signed = (kind: EntryKind) => (kind === 'refund' ? -unrefunded : kind === 'return' ? taken : -taken);
  const written = await tx
    .insert(ledger)
    .values(entries.map((entry) => ({ ...entry, ...row, amount: signed(entry.kind) })))
    .onConflictDoNothing({ target: [ledger.attemptId, ledger.kind] })
    .returning({ kind: ledger.kind });
  return written.map((row) => row.kind);
}

/** What went back of the payment that paid an order, oldest first. */
export async function refundedAmountsOf(
  db: Database,
  { orderId, refunded }: Pick<OrderRow, 'orderId' | 'refunded'>,
): Promise<RefundedAmount[]> {
  if (refunded === 0) return [];
  const [paying = ''] = await capturesOf(db, { orderId });
  const { at, id, amount, currency } = ledger;
  const rows = await db
    .select({ at, amount, currency })
    .from(ledger)
    .where(and(eq(ledger.orderId, orderId), eq(ledger.attemptId, paying), isRefund))
    .orderBy(asc(at), asc(id));
  return rows.map((row) => ({ at: row.at, amount: { amount: -row.amount, currency: row.currency } }));
}

/** The order says how much of it was given back, as the books have it. `attempt`: the one that paid it. */
export async function updateRefundedAmount(
  tx: Database,
  { id, orderId }: Pick<AttemptRow, 'id' | 'orderId'>,
): Promise<void> {
  const [given] = await tx
    .select({ sum: sql<string>`coalesce(-sum(${ledger.amount}), 0)` })
    .from(ledger)
    .where(and(eq(ledger.attemptId, id), isRefund));
  await tx
    .update(orders)
    .set({ refunded: Number(given?.sum ?? 0) })
    .where(eq(orders.orderId, orderId));
}

/** Money that was paid twice goes back while it is here: a bank may have taken it, or have given it back to the shop. */
export async function markPaymentRefunded(tx: Database, { id: attemptId }: AttemptRow, now: number): Promise<void> {
  const left = sql`(select sum(own.amount) from ${ledger} own where own.attempt_id = ${attemptId})`;
  await tx
    .update(ledger)
    .set({ giveBackAt: sql`case when ${left} > 0 then coalesce(${ledger.giveBackAt}, ${now}::bigint) end` })
    .where(and(eq(ledger.attemptId, attemptId), eq(ledger.kind, 'capture')));
}
