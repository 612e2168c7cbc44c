import { createHash } from 'node:crypto';
import { and, eq, gt, getTableColumns, isNotNull, lte, or } from 'drizzle-orm';
import { sessionLengthMs } from '#contract/limits.ts';
import type { Database } from '#server/db/connect.ts';
import { sessions, users, type HandoverCheckout } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import type { SessionUser } from '#server/runtime/request/request-context.ts';
import { isLoginAllowed } from './users.ts';

const { passwordHash: _secret, ...publicColumns } = getTableColumns(users);

/** Tokens are stored hashed, so a copy of the table contains no usable session. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * The user of the session with this hash at this brand; null if it has ended or the user may not log in. `now` is epoch
 * milliseconds.
 */
export async function findSession(db: Database, brand: string, hash: string, now: number): Promise<SessionUser | null> {
  const [user] = await db
    .select({ ...publicColumns, sessionKind: sessions.kind, keyHash: sessions.keyHash, checkout: sessions.checkout })
    .from(sessions)
    .innerJoin(users, eq(users.uid, sessions.uid))
    .where(
      and(
        eq(sessions.tokenHash, hash),
        eq(sessions.brand, brand),
        gt(sessions.expiresAt, now),
        isLoginAllowed,
        // an earlier version opened sessions of phones without opener and checkout, so their limits are unknown
        or(eq(sessions.handed, false), and(isNotNull(sessions.openerHash), isNotNull(sessions.checkout))),
      ),
    )
    .limit(1);
  return user ?? null;
}

/** The name of a TV device from the server's list of makers and models; empty if unknown. */
export interface TvDeviceName {
  readonly maker: string;
  readonly model: string;
}

/** What a phone receives with a handed-over checkout ([Note: Hand-over]). */
interface Handed {
  /** of the TV's session, if it is a TV device's: both end together */
  readonly boxId: string | null;
  /** of the session that opened the hand-over; this session ends with it */
  readonly openerHash: string;
  readonly checkout: HandoverCheckout;
  /** epoch milliseconds */
  readonly endsAt: number;
}

export interface SessionOptions {
  /** a TV device's session, with its name */
  readonly box?: TvDeviceName | undefined;
  /** a phone's session for one checkout */
  readonly handed?: Handed | undefined;
  /** opened from the app */
  readonly fromApp?: boolean | undefined;
  /** the key that it is bound to */
  readonly keyHash?: string | null | undefined;
}

/** Opens a session of 10 days or less, and deletes the customer's expired ones. Only this call returns the token. */
export async function openSession(
  db: Database,
  user: { brand: string; uid: string },
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
  { box, handed, fromApp = false, keyHash = null }: SessionOptions = {},
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
    keyHash,
    createdAt: now,
    expiresAt: expiration,
  });
  return { token, hash, expiration };
}

/** Ends one session. Without such a session, the caller is already logged out. */
export async function closeSession(db: Database, brand: string, hash: string): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.tokenHash, hash), eq(sessions.brand, brand)));
}

/** Whether a session exists; in a transaction that has locked its owner, until that ends ([Note: Eviction]). */
export async function hasSession(tx: Database, brand: string, hash: string): Promise<boolean> {
  const rows = await tx
    .select({ uid: sessions.uid })
    .from(sessions)
    .where(and(eq(sessions.tokenHash, hash), eq(sessions.brand, brand)));
  return rows.length > 0;
}
