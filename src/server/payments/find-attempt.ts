import { eq } from 'drizzle-orm';
import { paymentFailureOf } from '#contract/error-codes.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts, isLiveState } from '#server/db/schema/attempts.ts';
import type { GatewayAnswer } from './gateway.ts';

/**
 * A try to pay, as far as an adapter may know it whose provider remembers less than the port promises: the id that the
 * provider gave it, and the step that its payer was shown.
 */
export type KnownAttempt = Pick<
  typeof attempts.$inferSelect,
  'id' | 'amount' | 'currency' | 'state' | 'failureCode' | 'providerRef' | 'next' | 'createdAt' | 'expiresAt'
>;

export async function findAttempt(db: Database, key: string): Promise<KnownAttempt | undefined> {
  const { id, amount, currency, state, failureCode, providerRef, next, createdAt, expiresAt } = attempts;
  const [row] = await db
    .select({ id, amount, currency, state, failureCode, providerRef, next, createdAt, expiresAt })
    .from(attempts)
    .where(eq(attempts.id, key))
    .limit(1);
  return row;
}

/** What an adapter does with a try that it has begun; one that it knows nothing of was never told to its provider, and has failed. */
export async function withAttempt(
  db: Database,
  key: string,
  work: (attempt: KnownAttempt) => Promise<GatewayAnswer>,
): Promise<GatewayAnswer> {
  const attempt = await findAttempt(db, key);
  return attempt ? work(attempt) : { state: 'failed', failure: 'paymentFailed' };
}

export const isLive = ({ state }: KnownAttempt): boolean => isLiveState(state);

/** How an attempt has ended, where its provider has nothing to add. */
export function ended({ state, failureCode }: KnownAttempt): GatewayAnswer {
  if (state === 'SUCCEEDED') return { state: 'succeeded' };
  if (state === 'EXPIRED') return { state: 'expired' };
  return { state: 'failed', failure: paymentFailureOf(failureCode) };
}
