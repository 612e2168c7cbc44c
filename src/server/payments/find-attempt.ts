import { eq } from 'drizzle-orm';
import { paymentFailureOf } from '#contract/error-codes.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts, isLiveState } from '#server/db/schema/attempts.ts';
import type { GatewayAnswer } from './gateway.ts';

/**
 * The part of an attempt that adapters may read whose provider stores less than the port requires: the provider's ID
 * and the step that the payer was shown.
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

/** Runs `work` with the attempt of a key. An unknown attempt was never sent to the provider, and has failed. */
export async function withAttempt(
  db: Database,
  key: string,
  work: (attempt: KnownAttempt) => Promise<GatewayAnswer>,
): Promise<GatewayAnswer> {
  const attempt = await findAttempt(db, key);
  return attempt ? work(attempt) : { state: 'failed', failure: 'paymentFailed' };
}

export const isLive = ({ state }: KnownAttempt): boolean => isLiveState(state);

/** The outcome of an attempt that has ended, if its provider has nothing to add. */
export function ended({ state, failureCode }: KnownAttempt): GatewayAnswer {
  if (state === 'SUCCEEDED') return { state: 'succeeded' };
  if (state === 'EXPIRED') return { state: 'expired' };
  return { state: 'failed', failure: paymentFailureOf(failureCode) };
}
