import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { checkoutHandovers } from '#server/db/schema/handovers.ts';
import { passkeys } from '#server/db/schema/passkeys.ts';
import { deviceGrants, messageRequests, mailLinks, verificationCodes } from '#server/db/schema/sign-in.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { maySignIn, userTypes, type UserRow, type UserType } from './find-user.ts';

type Who = Pick<UserRow, 'brand' | 'uid'>;

const itself = ({ brand, uid }: Who) => and(eq(users.brand, brand), eq(users.uid, uid));

/** What a customer signs in by. */
export const namesOf = ({ account, email, phone }: Pick<UserRow, 'account' | 'email' | 'phone'>): string[] => [
  ...new Set([account, email, phone].filter((name) => name !== null)),
];

/**
 * [Note: Eviction] Ends everything of a customer that is a session or can become one: sessions, boxes that wait or were
 * granted, checkouts that a TV has handed over, passkeys, because a thief may have made them, links that would set a password or bind an address, codes, messages that wait to be written with one of these,
 * single sign-on tokens made until now (`evictedAt`), and the tokens by which devices are known (`evictions`). Whoever
 * changes what an account is opened by calls it, in the same transaction: a new password by any way (set-password.ts),
 * Google's owner of an address that nobody had proved (sign-on/google-link.ts), an operator's word that the account is of a
 * kind that may not log in (`setUserType`), and the deletion of an account (my-data/delete-account.ts).
 *
 * The customer's row comes first in every transaction that opens a session or grants one (`lockActiveCustomer`), and so a
 * session is either there before and ended here, or finds out that it comes too late. A link that confirms an address
 * stays: it opens nothing; neither does one that puts an address back, which is for whoever was robbed. Google tickets are for those who have no account. `now` is epoch milliseconds.
 */
export async function evict(tx: Database, who: Who, now: number): Promise<UserRow | undefined> {
  const { brand, uid } = who;
  const [user] = await tx
    .update(users)
    .set({ evictions: sql`${users.evictions} + 1`, evictedAt: now })
    .where(itself(who))
    .returning();
  if (!user) return undefined;
  await tx.delete(passkeys).where(and(eq(passkeys.brand, brand), eq(passkeys.uid, uid)));
  await tx.delete(sessions).where(and(eq(sessions.brand, brand), eq(sessions.uid, uid)));
  await tx.delete(deviceGrants).where(and(eq(deviceGrants.brand, brand), eq(deviceGrants.uid, uid)));
  await tx.delete(checkoutHandovers).where(and(eq(checkoutHandovers.brand, brand), eq(checkoutHandovers.uid, uid)));
  await endMessages(tx, user);
  return user;
}

/** Ends what was sent, or is to be sent, to the names of a customer and would let somebody in. */
export async function endMessages(
  tx: Database,
  user: Pick<UserRow, 'brand' | 'uid' | 'account' | 'email' | 'phone'>,
): Promise<void> {
  const { brand, uid } = user;
  const names = namesOf(user);
  // requested messages before links: one that is just being written is waited for, and its link is found below
  const opens = inArray(messageRequests.kind, ['code', 'reset']);
  await tx
    .delete(messageRequests)
    .where(and(eq(messageRequests.brand, brand), inArray(messageRequests.account, names), opens));
  await tx
    .delete(verificationCodes)
    .where(and(eq(verificationCodes.brand, brand), inArray(verificationCodes.account, names)));
  const opening = and(inArray(mailLinks.purpose, ['reset', 'bind']), isNull(mailLinks.usedAt));
  await tx.delete(mailLinks).where(and(eq(mailLinks.brand, brand), eq(mailLinks.uid, uid), opening));
}

/**
 * Says what kind of account this is. Of a kind that may not log in, everything ends now and nothing is opened; who becomes
 * another kind again logs in anew. `now` is epoch milliseconds.
 */
export async function setUserType(db: Database, who: Who, userType: UserType, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.update(users).set({ userType }).where(itself(who));
    if (!userTypes[userType]) await evict(tx, who, now);
  });
}

/**
 * Holds a customer's row until the transaction ends, so that nobody is evicted meanwhile. Undefined when somebody was
 * since the row was read, or when the account may not sign in (any more): then nothing may be opened.
 */
export async function lockActiveCustomer(
  tx: Database,
  user: Who & Pick<UserRow, 'evictions'>,
): Promise<UserRow | undefined> {
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
