import { and, eq, inArray, lte, sql, type SQL } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { Database } from '../../db/connect.ts';
import { ripens, sandboxCharges, sandboxNotices, type ChargeEnd } from '../../db/schema.ts';
import type { Random } from '../../random.ts';
import { noticeOf, type Notice } from './notices.ts';

/**
 * [Note: Sandbox bank] A provider of our own that behaves as the real ones do: its own books, its own pages, notices
 * that come late, twice and out of order. The shop reaches it by its adapters and by nothing else; its tables are in
 * our database only so that one command starts everything.
 */
export type Charge = typeof sandboxCharges.$inferSelect;

export interface Bank {
  readonly db: Database;
  /** epoch milliseconds */
  readonly clock: () => number;
  readonly random: Random;
}

/** Writes a charge, once per key; a repeat gets the first one back, whatever it asked for. */
export async function openCharge(bank: Bank, charge: Charge, notices: readonly Notice[] = []): Promise<Charge> {
  const { db } = bank;
  const insert = db.insert(sandboxCharges).values(charge).onConflictDoNothing({ target: sandboxCharges.key });
  const written =
    notices.length === 0
      ? await insert.returning()
      : await db
          .with(
            db.$with('told').as(
              db
                .insert(sandboxNotices)
                .values([...notices])
                .onConflictDoNothing()
                .returning({ id: sandboxNotices.id }),
            ),
          )
          .insert(sandboxCharges)
          .values(charge)
          .onConflictDoNothing({ target: sandboxCharges.key })
          .returning();
  return written[0] ?? (await chargeOfKey(bank, charge.key)) ?? charge;
}

/** The charge of a key, with what time has done to it. */
export function chargeOfKey(bank: Bank, key: string): Promise<Charge | undefined> {
  return findCharge(bank, eq(sandboxCharges.key, key));
}

/** The charge behind a page of the bank. */
export function chargeOfPage(bank: Bank, publicId: string): Promise<Charge | undefined> {
  return findCharge(bank, eq(sandboxCharges.publicId, publicId));
}

async function findCharge(bank: Bank, which: ReturnType<typeof eq>): Promise<Charge | undefined> {
  const find = async () => (await bank.db.select().from(sandboxCharges).where(which).limit(1))[0];
  const charge = await find();
  if (!charge || !isRipe(charge, bank.clock())) return charge && aged(charge, bank.clock());
  await ripenCharge(bank, charge);
  const ripened = await find();
  return ripened && aged(ripened, bank.clock());
}

const openStatuses = ['challenge', 'waiting', 'approved'] as const;

/** Whether its payer, or time, can still change it. */
export function isWaiting({ status }: Pick<Charge, 'status'>): boolean {
  return openStatuses.some((open) => open === status);
}

function isRipe({ ripeAt, ...charge }: Charge, now: number): boolean {
  return isWaiting(charge) && ripeAt !== null && ripeAt <= now;
}

/** Lets happen what was to happen by now: somebody answers on another phone, a chain confirms. Answers how many. */
export async function ripen(bank: Bank): Promise<number> {
  const ripe = await bank.db
    .select()
    .from(sandboxCharges)
    .where(and(lte(sandboxCharges.ripeAt, bank.clock()), ripens(sandboxCharges)))
    .limit(20);
  for (const charge of ripe) await ripenCharge(bank, charge);
  return ripe.length;
}

async function ripenCharge(bank: Bank, charge: Charge): Promise<void> {
  if (charge.ripens) await closeCharge(bank, charge, charge.ripens);
}

/** Changes a charge that waits; undefined when it no longer does, or when `also` does not hold. */
export async function changeCharge(
  { db }: Pick<Bank, 'db'>,
  { key }: Pick<Charge, 'key'>,
  change: PgUpdateSetSource<typeof sandboxCharges>,
  also?: SQL,
): Promise<Charge | undefined> {
  const [changed] = await db
    .update(sandboxCharges)
    .set(change)
    .where(and(eq(sandboxCharges.key, key), inArray(sandboxCharges.status, [...openStatuses]), also))
    .returning();
  return changed;
}

/**
 * Ends a charge, or has it approved: compare-and-set, so that two taps on the bank's page pay once; the notice goes
 * with it, unless the end is told in the answer itself.
 */
export async function closeCharge(
  bank: Bank,
  charge: Charge,
  end: ChargeEnd,
  { quiet = false }: { quiet?: boolean } = {},
): Promise<void> {
  await bank.db.transaction(async (tx) => {
    const closed = await changeCharge({ db: tx }, charge, {
      status: end.status,
      declineCode: end.declineCode ?? null,
      paidAt: end.status === 'paid' ? bank.clock() : null,
      // an approval that came by itself would otherwise come again and again
      ripens: null,
      ripeAt: null,
    });
    const when = end.tellAfterMs === undefined ? {} : { delayMs: end.tellAfterMs };
    if (closed && !quiet) await tx.insert(sandboxNotices).values(noticeOf(bank, closed, 'charge', when));
  });
}

/** Gives everything back, once. False for a charge that took nothing. */
export async function refundCharge({ db }: Bank, key: string): Promise<boolean> {
  const given = await db
    .update(sandboxCharges)
    .set({ status: 'refunded' })
    .where(sql`${sandboxCharges.key} = ${key} and ${sandboxCharges.status} in ('paid', 'refunded')`)
    .returning({ key: sandboxCharges.key });
  return given.length > 0;
}

function aged(charge: Charge, now: number): Charge {
  const hasPassed = charge.expiresAt !== null && charge.expiresAt <= now;
  return hasPassed && isWaiting(charge) && charge.status !== 'approved' ? { ...charge, status: 'expired' } : charge;
}
