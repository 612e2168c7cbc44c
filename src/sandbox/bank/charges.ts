import { and, eq, inArray, lte, sql, type SQL } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { type ChargeOutcome, hasScheduledOutcome, sandboxCharges, sandboxNotices } from '#sandbox/schema.ts';
import type { Bank, Charge } from './bank.ts';
import * as v from 'valibot';
import type { NextStep } from '#contract/next-step.ts';
import { chargeViewSchema, gatewayCardSchema, type ChargeView, type NoticeBody } from '#sandbox/gateway/protocol.ts';

/** Inserts a charge, once per key; a repeat returns the first one, whatever it contains. */
export async function openCharge(bank: Bank, charge: Charge, notices: readonly Notice[] = []): Promise<Charge> {
  const { db } = bank;
  const insert = db.insert(sandboxCharges).values(charge).onConflictDoNothing({ target: sandboxCharges.key });
  const inserted =
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
  return inserted[0] ?? (await findChargeByKey(bank, charge.key)) ?? charge;
}

/** The charge of a key, after applying due changes. */
export function findChargeByKey(bank: Bank, key: string): Promise<Charge | undefined> {
  return findCharge(bank, eq(sandboxCharges.key, key));
}

/** The charge of a page of the bank. */
export function findChargeByPublicId(bank: Bank, publicId: string): Promise<Charge | undefined> {
  return findCharge(bank, eq(sandboxCharges.publicId, publicId));
}

async function findCharge(bank: Bank, condition: ReturnType<typeof eq>): Promise<Charge | undefined> {
  const find = async () => (await bank.db.select().from(sandboxCharges).where(condition).limit(1))[0];
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

/** Applies due outcomes, such as an answer on a phone or a confirmation of a chain. Returns how many were due. */
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

/** Changes a pending charge; returns undefined if it is no longer pending, or `also` does not match. */
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
 * Closes or approves a charge: compare-and-set, so that two taps on the bank's page pay once. Inserts the notice in the
 * same transaction, unless `quiet`: then the response itself reports it.
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
      // a scheduled approval would otherwise repeat forever
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
 * Changes a pending charge if its details are unchanged since they were read: of two concurrent changes the second has
 * no effect. Inserts its notices in the same transaction. True if it was changed.
 */
export function changeIfUnchanged(
  bank: Bank,
  charge: Charge,
  change: Change,
  noticesFor: (changed: Charge) => readonly Notice[] = () => [],
): Promise<boolean> {
  const asRead = sql`${sandboxCharges.details} = ${JSON.stringify(charge.details)}::jsonb`;
  return bank.db.transaction(async (tx) => {
    const changed = await changeCharge({ db: tx }, charge, change, asRead);
    const notices = changed ? noticesFor(changed) : [];
    if (notices.length > 0) await tx.insert(sandboxNotices).values([...notices]);
    return changed !== undefined;
  });
}

export type Notice = typeof sandboxNotices.$inferInsert;

/** Delay of the first delivery of a notice, in milliseconds. */
export const noticeDelayMs = 300;
/** Time from a charge to its dispute, in milliseconds. */
export const disputeDelayMs = 60_000;

interface NoticeOptions {
  readonly stage?: NoticeBody['stage'];
  /** the remaining step of a charge that stays pending */
  readonly nextStep?: NextStep;
  readonly delayMs?: number;
  /** for a partial refund */
  readonly part?: NoticeBody['part'];
  /** for a dispute that is opened */
  readonly respondBy?: number;
}

/** A notice about a charge, to be delivered twice. */
export function noticeOf(
  bank: Pick<Bank, 'clock' | 'random'>,
  charge: Charge,
  event: NoticeBody['event'],
  { stage, nextStep, part, respondBy, delayMs = noticeDelayMs }: NoticeOptions = {},
): Notice {
  const id = `evt_${bank.random.token(16)}`;
  const body: NoticeBody = {
    id,
    event,
    ...(stage && { stage }),
    ...(part && { part }),
    ...(respondBy !== undefined && { respondBy }),
    ...toChargeView(charge, nextStep),
  };
  const { key, gateway } = charge;
  return { id, key, gateway, body: JSON.stringify(body), dueAt: bank.clock() + delayMs, repeats: 2 };
}

const { asksHolder } = chargeViewSchema.entries;
// not strict: details that earlier versions stored contain the whole row of the card
const withSavedCard = v.object({ savedCard: v.optional(v.object(gatewayCardSchema.entries)) });
const withAsksHolder = v.object({ asksHolder });

/** A charge as the bank's API shows it. Amounts in minor units. */
export function toChargeView(charge: Charge, nextStep?: NextStep): ChargeView {
  const { key, status, amount, currency, publicId, declineCode, expiresAt, details } = charge;
  // a card is passed on only after it has paid
  const card = status === 'paid' ? v.parse(withSavedCard, details) : {};
  const confirmation = v.parse(withAsksHolder, details);
  return {
    key,
    status,
    amount,
    currency,
    publicId,
    declineCode,
    expiresAt,
    ...(nextStep && { todo: nextStep }),
    ...card,
    ...confirmation,
  };
}
