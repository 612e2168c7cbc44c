import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Database } from '../db/connect.ts';
import { mailLinks, users } from '../db/schema.ts';
import { closeAllSessions } from './session.ts';

/**
 * Gives a customer a new password. Every session ends, links that are still out and would set a password or bind an
 * address open nothing any more, and an upgrade asks no more for it (2500). `provenAt`, epoch milliseconds, where a code or a link proved the account.
 */
export async function setPassword(
  tx: Database,
  user: { brand: string; uid: string },
  passwordHash: string,
  { provenAt }: { provenAt?: number } = {},
): Promise<void> {
  await tx
    .update(users)
    .set({
      passwordHash,
      passwordResetDue: false,
      ...(provenAt !== undefined && { verifiedAt: sql`coalesce(${users.verifiedAt}, ${provenAt})` }),
    })
    .where(and(eq(users.brand, user.brand), eq(users.uid, user.uid)));
  await tx
    .delete(mailLinks)
    .where(
      and(
        eq(mailLinks.brand, user.brand),
        eq(mailLinks.uid, user.uid),
        inArray(mailLinks.purpose, ['reset', 'bind']),
        isNull(mailLinks.usedAt),
      ),
    );
  await closeAllSessions(tx, user);
}
