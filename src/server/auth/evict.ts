import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { checkoutHandovers } from '#server/db/schema/handovers.ts';
import { passkeys } from '#server/db/schema/passkeys.ts';
import { deviceGrants, messageRequests, mailLinks, verificationCodes } from '#server/db/schema/sign-in.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { maySignIn, userTypes, type UserRow, type UserType } from './find-user.ts';

type CustomerKey = Pick<UserRow, 'brand' | 'uid'>;

const isCustomer = ({ brand, uid }: CustomerKey) => and(eq(users.brand, brand), eq(users.uid, uid));

/** The names that a customer logs in with. */
export const namesOf = ({ account, email, phone }: Pick<UserRow, 'account' | 'email' | 'phone'>): string[] => [
  ...new Set([account, email, phone].filter((name) => name !== null)),
];

/**
 * [Note: Eviction] Ends everything of a customer that is a session or can become one: sessions, pending or granted TV
 * devices, handed-over checkouts, passkeys (an attacker may have added them), links that set a password or bind an
 * email address, codes and queued messages with one of these, single sign-on tokens until now (`evictedAt`), and device
 * tokens (`evictions`). Each change of how an account is opened calls it in the same transaction: a new password,
 * Google's owner of an unproved address, a user type that may not log in, and the deletion of the account.
 * Each transaction that opens or grants a session locks the customer's row first (`lockActiveCustomer`), so a session
 * is either ended here or not opened. Links that confirm or restore an email address stay, because they open nothing.
 * `now` is epoch milliseconds.
 */
export async function evict(tx: Database, who: CustomerKey, now: number): Promise<UserRow | undefined> {
  const { brand, uid } = who;
  const [user] = await tx
    .update(users)
    .set({ evictions: sql`${users.evictions} + 1`, evictedAt: now })
    .where(isCustomer(who))
    .returning();
  if (!user) return undefined;
  await tx.delete(passkeys).where(and(eq(passkeys.brand, brand), eq(passkeys.uid, uid)));
  await tx.delete(sessions).where(and(eq(sessions.brand, brand), eq(sessions.uid, uid)));
  await tx.delete(deviceGrants).where(and(eq(deviceGrants.brand, brand), eq(deviceGrants.uid, uid)));
  await tx.delete(checkoutHandovers).where(and(eq(checkoutHandovers.brand, brand), eq(checkoutHandovers.uid, uid)));
  await endMessages(tx, user);
  return user;
}

/** Ends codes and links that were sent, or are queued, to the customer's names and would allow a login. */
export async function endMessages(
  tx: Database,
  user: Pick<UserRow, 'brand' | 'uid' | 'account' | 'email' | 'phone'>,
): Promise<void> {
  const { brand, uid } = user;
  const names = namesOf(user);
  // queued messages before links: this waits for a message that is being written, and its link is deleted below
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
 * Sets the user type. A type that may not log in ends all sessions, and after a change back the customer has to log in
 * again. `now` is epoch milliseconds.
 */
export async function setUserType(db: Database, who: CustomerKey, userType: UserType, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.update(users).set({ userType }).where(isCustomer(who));
    if (!userTypes[userType]) await evict(tx, who, now);
  });
}

/**
 * Locks a customer's row until the transaction ends, so that no eviction happens meanwhile. Undefined after an eviction
 * since the row was read, or if the account may not log in: then no session may be opened.
 */
export async function lockActiveCustomer(
  tx: Database,
  user: CustomerKey & Pick<UserRow, 'evictions'>,
): Promise<UserRow | undefined> {
  const [locked] = await tx
    .select()
    .from(users)
    .where(and(isCustomer(user), eq(users.evictions, user.evictions), maySignIn))
    .for('no key update');
  return locked;
}

/** Locks a customer's row before any other row of theirs is written, to avoid deadlocks. */
export async function lockCustomer(tx: Database, who: CustomerKey): Promise<UserRow | undefined> {
  const [locked] = await tx.select().from(users).where(isCustomer(who)).for('no key update');
  return locked;
}
