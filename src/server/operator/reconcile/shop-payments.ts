import { and, asc, eq, gt, gte, inArray, lt, sql } from 'drizzle-orm';
import { addDays, dayInZone, startOfDay } from '#server/brand/time-zone.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts, type AttemptState } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import type { EntryKind } from './provider-file.ts';

/** A span of time in epoch milliseconds, `until` exclusive. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** A booked movement of money of a payment; `amount` in minor units, never negative. */
export interface BookedEntry {
  readonly kind: EntryKind;
  readonly amount: number;
  readonly at: number;
}

/** A payment attempt at the gateway. */
export interface ShopAttempt {
  readonly id: string;
  readonly orderId: string;
  readonly brand: string;
  readonly reference: string | null;
  readonly state: AttemptState;
  readonly currency: string;
  readonly createdAt: number;
}

const atOnce = 500;

/** PayPal's references have the type of what they name in front. */
const plainReference = (reference: string | null) => reference?.replace(/^(capture|order):/, '') ?? null;

const columns = {
  id: attempts.id,
  orderId: attempts.orderId,
  brand: attempts.brand,
  reference: attempts.providerRef,
  state: attempts.state,
  currency: attempts.currency,
  createdAt: attempts.createdAt,
};

const toAttempt = (row: ShopAttempt): ShopAttempt => ({ ...row, reference: plainReference(row.reference) });

/** The attempts with these ids, by id. At most as many as one statement should name. */
export async function attemptsById(
  db: Database,
  gateway: string,
  ids: readonly string[],
): Promise<Map<string, ShopAttempt>> {
  if (ids.length === 0) return new Map();
  const isTheirs = and(inArray(attempts.id, [...ids]), eq(attempts.gateway, gateway));
  const rows = await db.select(columns).from(attempts).where(isTheirs);
  return new Map(rows.map((row) => [row.id, toAttempt(row)]));
}

/** The booked movements of payments, by the id of the attempt. */
export async function bookedEntries(db: Database, ids: readonly string[]): Promise<Map<string, BookedEntry[]>> {
  const found = new Map<string, BookedEntry[]>();
  if (ids.length === 0) return found;
  const rows = await db
    .select()
    .from(ledger)
    .where(inArray(ledger.attemptId, [...ids]));
  for (const row of rows) found.set(row.attemptId, [...(found.get(row.attemptId) ?? []), toEntry(row)]);
  return found;
}

const kinds = { capture: 'payment', refund: 'refund', chargeback: 'dispute', return: 'return' } as const;

function toEntry({ kind, amount, at }: typeof ledger.$inferSelect): BookedEntry {
  return { kind: kind in kinds ? kinds[kind as keyof typeof kinds] : 'refund', amount: Math.abs(amount), at }; // as: the names of the table
}

interface BookedMovement {
  readonly entry: BookedEntry;
  readonly attempt: ShopAttempt;
}

/** The movements of a gateway within a span, oldest first; day by day, so that each statement reads one day. */
export async function* movementsWithin(db: Database, gateway: string, span: Span): AsyncGenerator<BookedMovement> {
  for (let from = span.from; from < span.until;) {
    const until = Math.min(span.until, startOfDay(addDays(dayInZone(from, 'UTC'), 1), 'UTC'));
    yield* movementsOfDay(db, gateway, { from, until });
    from = until;
  }
}

async function* movementsOfDay(db: Database, gateway: string, { from, until }: Span): AsyncGenerator<BookedMovement> {
  let last: { at: number; id: string } | undefined;
  for (;;) {
    const after = last && sql`(${ledger.at}, ${ledger.id}) > (${last.at}, ${last.id})`;
    const rows = await db
      .select({ ledger, attempt: columns })
      .from(ledger)
      .innerJoin(attempts, eq(attempts.id, ledger.attemptId))
      .where(and(gte(ledger.at, from), lt(ledger.at, until), eq(attempts.gateway, gateway), after))
      .orderBy(asc(ledger.at), asc(ledger.id))
      .limit(atOnce);
    for (const row of rows) yield { entry: toEntry(row.ledger), attempt: toAttempt(row.attempt) };
    if (rows.length < atOnce) return;
    last = rows.at(-1)?.ledger;
  }
}

/** The attempts whose outcome is unknown or that wait, and those that failed within a span: they are in no book. */
export async function* unpaidAttempts(db: Database, gateway: string, span: Span): AsyncGenerator<ShopAttempt> {
  // literals, because only then the partial indexes are used
  const live = and(sql`${attempts.state} in ('INTENT', 'PENDING')`, eq(attempts.gateway, gateway));
  const inSpan = and(gte(attempts.updatedAt, span.from), lt(attempts.updatedAt, span.until));
  const failed = and(sql`${attempts.state} = 'FAILED'`, inSpan, eq(attempts.gateway, gateway));
  for (const condition of [live, failed]) {
    let last = '';
    for (;;) {
      const page = db
        .select(columns)
        .from(attempts)
        .where(and(condition, gt(attempts.id, last)));
      const rows = await page.orderBy(asc(attempts.id)).limit(atOnce);
      for (const row of rows) yield toAttempt(row);
      if (rows.length < atOnce) break;
      last = rows.at(-1)?.id ?? '';
    }
  }
}
