import { and, eq, isNull, ne, or } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { mpesaPushes } from '#server/db/schema/transfers.ts';

export type Push = typeof mpesaPushes.$inferSelect;

/**
 * Opens the push of a key; true for the one caller that may send it. Daraja has no idempotency key, and two requests
 * are two prompts on the phone. So a row is written first, and only its writer calls Daraja, once. An inquiry about a
 * key without a row writes it closed, so that a delayed request does not push.
 *
 * A lost response leaves the row without Daraja's ID: it is not pushed again, and its callback still names the key by
 * its address. Without a callback in time the payment expires here; money that comes later is recorded.
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

/** Records the result of a push. Success is final, in whatever order the results arrive. */
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
