import { createHash } from 'node:crypto';
import { and, eq, gt, getTableColumns, isNotNull, lte, or } from 'drizzle-orm';
import { sessionLengthMs } from '#contract/limits.ts';
import type { Database } from '#server/db/connect.ts';
import { sessions, users, type HandedCheckout } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import type { SessionUser } from '#server/runtime/request/request-context.ts';
import { maySignIn } from './find-user.ts';

const { passwordHash: _secret, ...publicColumns } = getTableColumns(users);

/** Tokens are stored hashed: who reads the table cannot use it. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Whose token has this hash, at this brand, unless it has ended or its owner is blocked. `now` is epoch milliseconds. */
export async function findSession(db: Database, brand: string, hash: string, now: number): Promise<SessionUser | null> {
  const [user] = await db
    .select({ ...publicColumns, sessionKind: sessions.kind, checkout: sessions.checkout })
    .from(sessions)
    .innerJoin(users, eq(users.uid, sessions.uid))
    .where(
      and(
        eq(sessions.tokenHash, hash),
        eq(sessions.brand, brand),
        gt(sessions.expiresAt, now),
        maySignIn,
        // an earlier version opened sessions of phones without an opener and a checkout: they have no limits to apply
        or(eq(sessions.handed, false), and(isNotNull(sessions.openerHash), isNotNull(sessions.checkout))),
      ),
    )
    .limit(1);
  return user ?? null;
}

/** The name of a box from our own list of makers and models; empty where it has none there. */
export interface BoxName {
  readonly maker: string;
  readonly model: string;
}

/** What a phone gets from a TV that hands a checkout to it ([Note: Hand-over]). */
interface Handed {
  /** of the TV's session, where that is a box's: both are ended together */
  readonly boxId: string | null;
  /** of the session that opened the hand-over, whose end is the end of this one */
  readonly openerHash: string;
  readonly checkout: HandedCheckout;
  /** epoch milliseconds */
  readonly endsAt: number;
}

export interface SessionOf {
  /** it is a TV's, of this name */
  readonly box?: BoxName | undefined;
  /** it is a phone's, for one checkout */
  readonly handed?: Handed | undefined;
  /** it came out of the app */
  readonly fromApp?: boolean | undefined;
}

/** Opens a session of 10 days, or of less, and clears the customer's ended ones. The token is told once, here. */
export async function openSession(
  db: Database,
  user: { brand: string; uid: string },
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
  { box, handed, fromApp = false }: SessionOf = {},
): Promise<{ token: string; hash: string; expiration: number }> {
  const token = random.token(32);
  const hash = tokenHash(token);
  const now = clock();
  const expiration = handed?.endsAt ?? now + sessionLengthMs;
  await db
    .delete(sessions)
    .where(and(eq(sessions.brand, user.brand), eq(sessions.uid, user.uid), lte(sessions.expiresAt, now)));
  await db.insert(sessions).values({
    tokenHash: hash,
    brand: user.brand,
    uid: user.uid,
    ...(box && { kind: 'box', boxId: random.id(), boxMaker: box.maker, boxModel: box.model }),
    ...(handed && {
      kind: 'box',
      boxId: handed.boxId,
      handed: true,
      openerHash: handed.openerHash,
      checkout: handed.checkout,
    }),
    fromApp,
    createdAt: now,
    expiresAt: expiration,
  });
  return { token, hash, expiration };
}

/** Ends one session at once. A token that is gone is already logged out. */
export async function closeSession(db: Database, brand: string, hash: string): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.tokenHash, hash), eq(sessions.brand, brand)));
}

/** Whether a session is still there; in a transaction that holds its owner, until that ends ([Note: Eviction]). */
export async function hasSession(tx: Database, brand: string, hash: string): Promise<boolean> {
  const rows = await tx
    .select({ uid: sessions.uid })
    .from(sessions)
    .where(and(eq(sessions.tokenHash, hash), eq(sessions.brand, brand)));
  return rows.length > 0;
}
