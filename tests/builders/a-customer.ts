import { sessionLengthMs } from '#contract/limits.ts';
import { tokenHash } from '#server/auth/session.ts';
import type { Database } from '#server/db/connect.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { systemRandom } from '#server/runtime/random.ts';

/** Someone who is signed in at a brand. */
export interface SignedIn {
  readonly brand: string;
  readonly uid: string;
  readonly account: string;
  readonly token: string;
}

/**
 * Writes customers into the database, each with a session: hundreds of them at once, where a sign-up each would spend
 * its time on password hashes. Their sessions last ten times as long as any. `now` is epoch milliseconds.
 */
export async function insertCustomers(db: Database, brand: string, count: number, now: number): Promise<SignedIn[]> {
  const all = Array.from({ length: count }, (): SignedIn => {
    const name = systemRandom.token(9).toLowerCase();
    return { brand, uid: systemRandom.id(), account: `${name}@example.com`, token: systemRandom.token(32) };
  });
  const born = { createdAt: now, language: 'en', accountType: 'email' } as const;
  await db.insert(users).values(all.map(({ uid, account }) => ({ ...born, uid, brand, account, email: account })));
  const expiresAt = now + 10 * sessionLengthMs;
  await db
    .insert(sessions)
    .values(all.map(({ uid, token }) => ({ tokenHash: tokenHash(token), brand, uid, createdAt: now, expiresAt })));
  return all;
}
