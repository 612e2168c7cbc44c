import { and, eq, inArray, lte, sql, type SQL } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { type ChargeOutcome, hasScheduledOutcome, sandboxCharges, sandboxNotices } from '../schema.ts';
import type { Bank, Charge } from './bank.ts';
import { type Notice, noticeOf } from './notices.ts';

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
  if (!charge || !isOutcomeDue(charge, bank.clock())) return charge && withExpiry(charge, bank.clock());
  await applyScheduledOutcome(bank, charge);
  const changed = await find();
  return changed && withExpiry(changed, bank.clock());
}

const openStatuses = ['challenge', 'waiting', 'approved'] as const;

/** Whether its payer, or time, can still change it. */
export function isWaiting({ status }: Pick<Charge, 'status'>): boolean {
  return openStatuses.some((open) => open === status);
}

function isOutcomeDue({ scheduledAt, ...charge }: Charge, now: number): boolean {
  return isWaiting(charge) && scheduledAt !== null && scheduledAt <= now;
}

/** Lets happen what was to happen by now: somebody answers on another phone, a chain confirms. Answers how many. */
export async function applyScheduledOutcomes(bank: Bank): Promise<number> {
  const due = await bank.db
    .select()
    .from(sandboxCharges)
    .where(and(lte(sandboxCharges.scheduledAt, bank.clock()), hasScheduledOutcome(sandboxCharges)))
    .limit(20);
  for (const charge of due) await applyScheduledOutcome(bank, charge);
  return due.length;
}

async function applyScheduledOutcome(bank: Bank, charge: Charge): Promise<void> {
  if (charge.scheduledOutcome) await closeCharge(bank, charge, charge.scheduledOutcome);
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
  end: ChargeOutcome,
  { quiet = false }: { quiet?: boolean } = {},
): Promise<void> {
  await bank.db.transaction(async (tx) => {
    const closed = await changeCharge({ db: tx }, charge, {
      status: end.status,
      declineCode: end.declineCode ?? null,
      paidAt: end.status === 'paid' ? bank.clock() : null,
      // an approval that came by itself would otherwise come again and again
      scheduledOutcome: null,
      scheduledAt: null,
    });
    const when = end.tellAfterMs === undefined ? {} : { delayMs: end.tellAfterMs };
    if (closed && !quiet) await tx.insert(sandboxNotices).values(noticeOf(bank, closed, 'charge', when));
  });
}

function withExpiry(charge: Charge, now: number): Charge {
  const hasPassed = charge.expiresAt !== null && charge.expiresAt <= now;
  return hasPassed && isWaiting(charge) && charge.status !== 'approved' ? { ...charge, status: 'expired' } : charge;
}

type Change = Partial<typeof sandboxCharges.$inferInsert>;

/**
 * Changes a charge that waits, if its details are still those that were read: of two at once the second one changes
 * nothing, and reads again. What is to be told of it goes with it. True when it was changed.
 */
export function changeAsRead(
  bank: Bank,
  charge: Charge,
  change: Change,
  tell: (changed: Charge) => readonly Notice[] = () => [],
): Promise<boolean> {
  const asRead = sql`${sandboxCharges.details} = ${JSON.stringify(charge.details)}::jsonb`;
  return bank.db.transaction(async (tx) => {
    const changed = await changeCharge({ db: tx }, charge, change, asRead);
    const notices = changed ? tell(changed) : [];
    if (notices.length > 0) await tx.insert(sandboxNotices).values([...notices]);
    return changed !== undefined;
  });
}
