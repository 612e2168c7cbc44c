import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Database } from '../db/connect.ts';
import { deviceGrants, letters, mailLinks, sessions, users, verificationCodes } from '../db/schema.ts';
import { maySignIn } from './may-log-in.ts';
import type { UserRow } from './find-user.ts';

type Who = Pick<UserRow, 'brand' | 'uid'>;

const itself = ({ brand, uid }: Who) => and(eq(users.brand, brand), eq(users.uid, uid));

/**
 * [Note: Eviction] Ends everything of a customer that is a session or can become one: sessions, boxes that wait or were
 * granted, links that would set a password or bind an address, codes, letters that wait to be written with one of these,
 * single sign-on tokens made until now (`evictedAt`), and the tokens by which devices are known (`evictions`). Whoever
 * changes what an account is opened by calls it, in the same transaction: a new password by any way (set-password.ts),
 * Google's owner of an address that nobody had proved (sign-on/google-link.ts), an operator's block (block.ts); the
 * deletion of an account, once there is one, has to.
 *
 * The customer's row comes first in every transaction that opens a session or grants one (`holdCustomer`), and so a
 * session is either there before and ended here, or finds out that it comes too late. A link that confirms an address
 * stays: it opens nothing. Google tickets are for those who have no account. `now` is epoch milliseconds.
 */
export async function evict(tx: Database, who: Who, now: number): Promise<UserRow | undefined> {
  const { brand, uid } = who;
  const [user] = await tx
    .update(users)
    .set({ evictions: sql`${users.evictions} + 1`, evictedAt: now })
    .where(itself(who))
    .returning();
  if (!user) return undefined;
  const names = [user.account, ...(user.email === null ? [] : [user.email])];
  await tx.delete(sessions).where(and(eq(sessions.brand, brand), eq(sessions.uid, uid)));
  await tx.delete(deviceGrants).where(and(eq(deviceGrants.brand, brand), eq(deviceGrants.uid, uid)));
  // letters before links: one that is just being written is waited for, and its link is found below
  const opens = inArray(letters.kind, ['code', 'reset']);
  await tx.delete(letters).where(and(eq(letters.brand, brand), inArray(letters.account, names), opens));
  await tx
    .delete(verificationCodes)
    .where(and(eq(verificationCodes.brand, brand), inArray(verificationCodes.account, names)));
  const opening = and(inArray(mailLinks.purpose, ['reset', 'bind']), isNull(mailLinks.usedAt));
  await tx.delete(mailLinks).where(and(eq(mailLinks.brand, brand), eq(mailLinks.uid, uid), opening));
  return user;
}

/**
 * Holds a customer's row until the transaction ends, so that nobody is evicted meanwhile. Undefined when somebody was
 * since the row was read, or when the account may not sign in (any more): then nothing may be opened.
 */
export async function holdCustomer(tx: Database, user: Who & Pick<UserRow, 'evictions'>): Promise<UserRow | undefined> {
  const [held] = await tx
    .select()
    .from(users)
    .where(and(itself(user), eq(users.evictions, user.evictions), maySignIn))
    .for('no key update');
  return held;
}

/** Holds a customer's row before anything else of theirs is written, so that two transactions never wait crosswise. */
export async function lockCustomer(tx: Database, who: Who): Promise<UserRow | undefined> {
  const [held] = await tx.select().from(users).where(itself(who)).for('no key update');
  return held;
}
