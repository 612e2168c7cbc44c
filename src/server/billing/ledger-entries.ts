import { and, asc, eq, sql, type SQL } from 'drizzle-orm';
import type { RefundedAmount } from '#contract/receipts.ts';
import type { Database } from '#server/db/connect.ts';
import type { AttemptRow, OrderRow } from '#server/db/purchase-rows.ts';
import { brands } from '#server/db/schema/brands.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';

export type EntryKind = (typeof ledger.$inferSelect)['kind'];

/**
 * The attempts that were charged for an order, oldest first. The first one paid it; the job `refundDuplicates` uses the
 * same order.
 */
export async function findCaptures(tx: Database, { orderId }: Pick<OrderRow, 'orderId'>): Promise<string[]> {
  const captures = await tx
    .select({ attemptId: ledger.attemptId })
    .from(ledger)
    .where(and(eq(ledger.orderId, orderId), eq(ledger.kind, 'capture')))
    .orderBy(asc(ledger.at), asc(ledger.id));
  return captures.map((capture) => capture.attemptId);
}

/** The ledger's sums of one attempt, in minor units. */
interface PaymentBalance {
  /** captured minus refunds, whole and partial */
  readonly unrefunded: number;
  /** disputed, whether the dispute was won later or not */
  readonly disputed: number;
  readonly all: number;
}

/**
 * Captures and refunds, whole or partial, which the shop made itself. Chargebacks and their returns come from the bank.
 */
const isOwnMove = sql`${ledger.kind} not in ('chargeback', 'return')`;
/** Refunds by the shop, whole or partial. */
export const isRefund = sql`${isOwnMove} and ${ledger.kind} <> 'capture'`;

export async function readPaymentBalance(tx: Database, { id }: Pick<AttemptRow, 'id'>): Promise<PaymentBalance> {
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
 * Writes each kind at most once and returns the kinds that are new. `told` is the disputed amount in minor units;
 * without it, what is not refunded is disputed, or the whole amount if all of it is refunded.
 */
export async function writeLedgerEntries(
  tx: Database,
  { id: attemptId, brand, orderId, amount, currency }: AttemptRow,
  entries: readonly { id: string; kind: EntryKind; at: number }[],
  told?: number,
): Promise<EntryKind[]> {
  if (entries.length === 0) return [];
  const row = { brand, orderId, attemptId, currency, giveBackAt: null };
  const { unrefunded, disputed } = await readPaymentBalance(tx, { id: attemptId });
  const taken = disputed || Math.min(told ?? (unrefunded || amount), amount);
  const signed = (kind: EntryKind) => (kind === 'refund' ? -unrefunded : kind === 'return' ? taken : -taken);
  const invoiceAt = (kind: EntryKind, at: number) => (kind === 'refund' ? creditNoteAt(attemptId, at) : null);
  const written = await tx
    .insert(ledger)
    .values(
      entries.map(({ id, kind, at }) => ({
        ...row,
        id,
        kind,
        at,
        amount: signed(kind),
        invoiceAt: invoiceAt(kind, at),
      })),
    )
    .onConflictDoNothing({ target: [ledger.attemptId, ledger.kind] })
    .returning({ kind: ledger.kind });
  return written.map((row) => row.kind);
}

/**
 * The date of a credit note for money that left now: `now`, but after the invoice, which another process with a faster
 * clock may have dated. Null where the brand has no invoices.
 */
export const creditNoteAt = (attemptId: string, now: number): SQL => sql`(select greatest(${now}::bigint, paid.at + 1)
  from ${ledger} paid join ${brands} on ${brands.code} = paid.brand and ${brands.invoices} is not null
  where paid.attempt_id = ${attemptId} and paid.kind = 'capture')`;

/** Sets until when the provider accepts evidence against a dispute; providers can move it. */
export async function setRespondBy(tx: Database, { id }: Pick<AttemptRow, 'id'>, respondBy: number): Promise<void> {
  await tx
    .update(ledger)
    .set({ respondBy })
    .where(and(eq(ledger.attemptId, id), eq(ledger.kind, 'chargeback')));
}

/**
 * A dispute corrects the invoice when the shop has lost it. Until then the bank only holds the money, and the sale is
 * as it was.
 */
export async function scheduleCreditNote(tx: Database, { id }: Pick<AttemptRow, 'id'>, now: number): Promise<void> {
  await tx
    .update(ledger)
    .set({ invoiceAt: creditNoteAt(id, now) })
    .where(and(eq(ledger.attemptId, id), eq(ledger.kind, 'chargeback')));
}

/** The refunds of the payment that paid an order, oldest first. */
export async function refundedAmountsOf(
  db: Database,
  { orderId, refunded }: Pick<OrderRow, 'orderId' | 'refunded'>,
): Promise<RefundedAmount[]> {
  if (refunded === 0) return [];
  const [paying = ''] = await findCaptures(db, { orderId });
  const { at, id, amount, currency } = ledger;
  const rows = await db
    .select({ at, amount, currency })
    .from(ledger)
    .where(and(eq(ledger.orderId, orderId), eq(ledger.attemptId, paying), isRefund))
    .orderBy(asc(at), asc(id));
  return rows.map((row) => ({ at: row.at, amount: { amount: -row.amount, currency: row.currency } }));
}

/** Sets the order's refunded amount from the ledger. `attempt` is the one that paid the order. */
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

/**
 * Schedules the refund of a payment that paid an order twice, while its money is here: a bank may have disputed it, or
 * returned it.
 */
export async function scheduleDuplicateRefund(tx: Database, { id: attemptId }: AttemptRow, now: number): Promise<void> {
  const left = sql`(select sum(own.amount) from ${ledger} own where own.attempt_id = ${attemptId})`;
  await tx
    .update(ledger)
    .set({ giveBackAt: sql`case when ${left} > 0 then coalesce(${ledger.giveBackAt}, ${now}::bigint) end` })
    .where(and(eq(ledger.attemptId, attemptId), eq(ledger.kind, 'capture')));
}
