import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../db/connect.ts';
import { users } from '../db/schema/users.ts';
import { evict } from './evict.ts';
import type { UserRow } from './find-user.ts';

/**
 * Gives a customer a new password, and signs everybody out ([Note: Eviction]); an upgrade asks no more for it (2500).
 * `proves`: a code or a link proved the account. Answers the customer as they are now. `now` is epoch milliseconds.
 */
export async function setPassword(
  tx: Database,
  user: Pick<UserRow, 'brand' | 'uid'>,
  passwordHash: string,
  { now, proves = false }: { now: number; proves?: boolean },
): Promise<UserRow | undefined> {
  await tx
    .update(users)
    .set({
      passwordHash,
      passwordResetDue: false,
      ...(proves && { verifiedAt: sql`coalesce(${users.verifiedAt}, ${now})` }),
    })
    .where(and(eq(users.brand, user.brand), eq(users.uid, user.uid)));
  return evict(tx, user, now);
}
