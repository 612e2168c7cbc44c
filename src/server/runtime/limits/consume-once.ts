import type { Database } from '#server/db/connect.ts';
import { usedTokens } from '#server/db/schema/sign-in.ts';

/** Stored for longer than the token is valid, because an operator may extend the validity at any time. */
const storedMs = 24 * 60 * 60 * 1000;

export interface OneTimeToken {
  readonly brand: string;
  /** unique among the brand's one-time tokens: its kind and its own id */
  readonly id: string;
  /** epoch milliseconds after which it is refused anyway */
  readonly goodUntil: number;
}

/**
 * Consumes a one-time token. False when it was already consumed, also concurrently: one statement decides. `tx` is the
 * transaction of the use, so that a failure makes the token valid again.
 */
export async function consumeOnce(tx: Database, { brand, id, goodUntil }: OneTimeToken): Promise<boolean> {
  const inserted = await tx
    .insert(usedTokens)
    .values({ brand, id, expiresAt: goodUntil + storedMs })
    .onConflictDoNothing()
    .returning({ id: usedTokens.id });
  return inserted.length > 0;
}
