import { and, eq, isNull, ne, or } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { mpesaPushes } from '#server/db/schema/transfers.ts';

export type Push = typeof mpesaPushes.$inferSelect;

/**
 * [Note: M-Pesa pushes] Daraja pushes as often as it is asked: it has no idempotency key, and a question that it was asked
 * twice is two questions on a phone. So a row is written before Daraja is asked, and only who has written it asks, once.
 * Whoever asks about a key that has no row writes it closed, so that a request still under way finds it and does not push.
 * An answer that was lost leaves the row without Daraja's id: it is not pushed again, its callback still names the key by
 * its address, and when none has come in time the payment has expired for the shop. Money that comes later is booked.
 */
export async function openPush(
  db: Database,
  key: string,
  now: number,
  resultCode: 'closed' | null = null,
): Promise<boolean> {
  const opened = await db
    .insert(mpesaPushes)
    .values({ key, createdAt: now, resultCode })
    .onConflictDoNothing()
    .returning({ key: mpesaPushes.key });
  return opened.length > 0;
}

export async function findPush(db: Database, key: string): Promise<Push | undefined> {
  const [row] = await db.select().from(mpesaPushes).where(eq(mpesaPushes.key, key)).limit(1);
  return row;
}

export async function recordCheckout(db: Database, key: string, checkoutRequestId: string): Promise<void> {
  await db
    .update(mpesaPushes)
    .set({ checkoutRequestId })
    .where(and(eq(mpesaPushes.key, key), isNull(mpesaPushes.checkoutRequestId)));
}

/** Notes how a push has ended. Paid is the last word, in whatever order the words come. */
export async function recordPushResult(
  db: Database,
  key: string,
  {
    resultCode,
    receipt,
    checkoutRequestId,
  }: { resultCode: string; receipt?: string | undefined; checkoutRequestId?: string | undefined },
): Promise<void> {
  const isPaid = resultCode === '0';
  await db
    .update(mpesaPushes)
    .set({
      resultCode,
      ...(receipt !== undefined && { receipt }),
      ...(checkoutRequestId !== undefined && { checkoutRequestId }),
    })
    .where(
      and(
        eq(mpesaPushes.key, key),
        isPaid ? undefined : or(isNull(mpesaPushes.resultCode), ne(mpesaPushes.resultCode, '0')),
      ),
    );
}

export async function recordReversalRequest(
  db: Database,
  key: string,
  times: Partial<Pick<Push, 'reversalAskedAt' | 'reversedAt'>>,
): Promise<void> {
  await db.update(mpesaPushes).set(times).where(eq(mpesaPushes.key, key));
}
