import { sessionLengthMs } from '#contract/limits.ts';
import { tokenHash } from '#server/auth/session.ts';
import type { Database } from '#server/db/connect.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { systemRandom } from '#server/runtime/random.ts';

/** A customer who is logged in at a brand. */
export interface SignedIn {
  readonly brand: string;
  readonly uid: string;
  readonly account: string;
  readonly token: string;
}

/**
 * Inserts customers with a session each, hundreds at once: sign-ups would take long because of the password hashes.
 * The sessions last ten times the usual time. `now` is epoch milliseconds.
 */
export async function insertCustomers(db: Database, brand: string, count: number, now: number): Promise<SignedIn[]> {
  const all = Array.from({ length: count }, (): SignedIn => {
    const name = systemRandom.token(9).toLowerCase();
    return { brand, uid: systemRandom.id(), account: `${name}@example.com`, token: systemRandom.token(32) };
  });
  const usual = { createdAt: now, language: 'en', accountType: 'email' } as const;
  await db.insert(users).values(all.map(({ uid, account }) => ({ ...usual, uid, brand, account, email: account })));
  const expiresAt = now + 10 * sessionLengthMs;
  await db
    .insert(sessions)
    .values(all.map(({ uid, token }) => ({ tokenHash: tokenHash(token), brand, uid, createdAt: now, expiresAt })));
  return all;
}
