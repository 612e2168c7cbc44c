import type { Database } from '#server/db/connect.ts';
import { usedTokens } from '#server/db/schema/sign-in.ts';

/** Kept longer than the token is good for, because an operator may lengthen that at any time. */
const keptMs = 24 * 60 * 60 * 1000;

export interface OneTimeToken {
  readonly brand: string;
  /** unique among the brand's one-time tokens: what it is and its own id */
  readonly id: string;
  /** epoch milliseconds after which it is refused anyway */
  readonly goodUntil: number;
}

/**
 * Marks a one-time token as used. False when it was used before, also at the same moment: one statement decides. `tx` is
 * the transaction of what it is used for, so that a failure gives it back.
 */
export async function consumeOnce(tx: Database, { brand, id, goodUntil }: OneTimeToken): Promise<boolean> {
  const marked = await tx
    .insert(usedTokens)
    .values({ brand, id, expiresAt: goodUntil + keptMs })
    .onConflictDoNothing()
    .returning({ id: usedTokens.id });
  return marked.length > 0;
}
