import { createHash } from 'node:crypto';
import { and, eq, gt, getTableColumns, lte, sql } from 'drizzle-orm';
import { sessionLengthMs } from '../../contract/limits.ts';
import type { Database } from '../db/connect.ts';
import { prepareOnce } from '../db/prepare-once.ts';
import { sessions, users } from '../db/schema.ts';
import type { Deps } from '../deps.ts';

const { passwordHash: _secret, ...publicColumns } = getTableColumns(users);

/** The customer of a session: the row without the password's hash. */
export type SessionUser = Omit<typeof users.$inferSelect, 'passwordHash'>;

/** Tokens are stored hashed: who reads the table cannot use it. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

const sessionQuery = prepareOnce((db) =>
  db
    .select(publicColumns)
    .from(sessions)
    .innerJoin(users, eq(users.uid, sessions.uid))
    .where(
      and(
        eq(sessions.tokenHash, sql.placeholder('hash')),
        eq(sessions.brand, sql.placeholder('brand')),
        gt(sessions.expiresAt, sql.placeholder('now')),
      ),
    )
    .limit(1)
    .prepare('find_session'),
);

/** Whose token has this hash, at this brand, unless it has ended. `now` is epoch milliseconds. */
export async function findSession(db: Database, brand: string, hash: string, now: number): Promise<SessionUser | null> {
  const [user] = await sessionQuery(db).execute({ hash, brand, now });
  return user ?? null;
}

/** Opens a session of 10 days and clears the customer's ended ones. The token is told once, here. */
export async function openSession(
  db: Database,
  user: { brand: string; uid: string },
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
): Promise<{ token: string; expiration: number }> {
  const token = random.token(32);
  const now = clock();
  const expiration = now + sessionLengthMs;
  await db
    .delete(sessions)
    .where(and(eq(sessions.brand, user.brand), eq(sessions.uid, user.uid), lte(sessions.expiresAt, now)));
  await db.insert(sessions).values({
    tokenHash: tokenHash(token),
    brand: user.brand,
    uid: user.uid,
    createdAt: now,
    expiresAt: expiration,
  });
  return { token, expiration };
}

/** Ends one session at once. A token that is gone is already logged out. */
export async function closeSession(db: Database, brand: string, hash: string): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.tokenHash, hash), eq(sessions.brand, brand)));
}

/** Ends every session of a customer, as a changed password demands. */
export async function closeAllSessions(db: Database, user: { brand: string; uid: string }): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.brand, user.brand), eq(sessions.uid, user.uid)));
}
