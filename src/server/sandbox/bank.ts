import { eq, sql } from 'drizzle-orm';
import type { Database } from '../db/connect.ts';
import { sandboxCharges, sandboxNotices } from '../db/schema.ts';
import type { Random } from '../random.ts';

/**
 * [Note: Sandbox bank] A provider of our own that behaves as the real ones do: its own books, its own pages, notices
 * that come late, twice and out of order. The shop reaches it through the port and by nothing else; its tables are in
 * our database only so that one command starts everything.
 */
export type Charge = typeof sandboxCharges.$inferSelect;
type Notice = typeof sandboxNotices.$inferInsert;

export interface Bank {
  readonly db: Database;
  /** epoch milliseconds */
  readonly clock: () => number;
  readonly random: Random;
}

/** First delivery of a notice this long after what it tells of, in milliseconds. */
export const noticeDelayMs = 300;
/** A holder disputes a charge this long after it, in milliseconds. */
export const disputeDelayMs = 60_000;

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
export async function chargeOfKey({ db, clock }: Bank, key: string): Promise<Charge | undefined> {
  const [charge] = await db.select().from(sandboxCharges).where(eq(sandboxCharges.key, key)).limit(1);
  return charge && aged(charge, clock());
}

/** The charge behind a page of the bank. */
export async function chargeOfPage({ db, clock }: Bank, publicId: string): Promise<Charge | undefined> {
  const [charge] = await db.select().from(sandboxCharges).where(eq(sandboxCharges.publicId, publicId)).limit(1);
  return charge && aged(charge, clock());
}

/** The holder's answer on the challenge page. Only the first one counts. */
export async function answerChallenge(bank: Bank, publicId: string, approves: boolean): Promise<void> {
  const charge = await chargeOfPage(bank, publicId);
  if (charge?.status !== 'challenge') return;
  const refused = { status: 'declined', declineCode: 5015 } as const;
  await close(bank, charge, approves ? (charge.afterChallenge ?? { status: 'paid' }) : refused);
}

/** Pays a Pix code. After its time only when `late`: some banks let money through that was already under way. */
export async function payPix(bank: Bank, publicId: string, late: boolean): Promise<void> {
  const charge = await chargeOfPage(bank, publicId);
  if (charge?.kind !== 'pix') return;
  const payable = charge.status === 'waiting' || (late && charge.status === 'expired');
  if (payable) await close(bank, charge, { status: 'paid' });
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

/** A notice about a charge, to be delivered twice. */
export function noticeOf(
  bank: Bank,
  key: string,
  event: 'charge' | 'chargeback',
  body: object,
  delayMs: number,
): Notice {
  const id = `evt_${bank.random.token(16)}`;
  return { id, key, body: JSON.stringify({ id, event, key, ...body }), dueAt: bank.clock() + delayMs, repeats: 2 };
}

/** Compare-and-set, so that two taps on the bank's page pay once; the notice goes with it. */
async function close(
  bank: Bank,
  charge: Charge,
  end: { status: 'paid' | 'declined'; declineCode?: number },
): Promise<void> {
  const { db, clock } = bank;
  await db.transaction(async (tx) => {
    const closed = await tx
      .update(sandboxCharges)
      .set({ status: end.status, declineCode: end.declineCode ?? null, paidAt: end.status === 'paid' ? clock() : null })
      .where(sql`${sandboxCharges.key} = ${charge.key} and ${sandboxCharges.status} in ('challenge', 'waiting')`)
      .returning();
    if (!closed[0]) return;
    await tx.insert(sandboxNotices).values(noticeOf(bank, charge.key, 'charge', told(closed[0]), noticeDelayMs));
  });
}

/** What a notice says of a charge. Amounts in minor units. */
export function told({ status, amount, currency, declineCode, publicId }: Charge): object {
  return { status, amount, currency, declineCode, publicId };
}

function aged(charge: Charge, now: number): Charge {
  const waits = charge.status === 'waiting' || charge.status === 'challenge';
  return waits && charge.expiresAt !== null && charge.expiresAt <= now ? { ...charge, status: 'expired' } : charge;
}
