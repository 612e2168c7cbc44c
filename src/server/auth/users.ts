import { and, eq, inArray, isNull, sql, or, notInArray } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { checkoutHandovers } from '#server/db/schema/handovers.ts';
import { passkeys } from '#server/db/schema/passkeys.ts';
import { deviceGrants, messageRequests, mailLinks, verificationCodes } from '#server/db/schema/sign-in.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { storedSpellings } from '#server/runtime/phone-number.ts';
import type { Identity } from '#server/site/account-rules.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';

type CustomerKey = Pick<UserRow, 'brand' | 'uid'>;

const isCustomer = ({ brand, uid }: CustomerKey) => and(eq(users.brand, brand), eq(users.uid, uid));

/** The names that a customer logs in with. */
const loginNamesOf = ({ account, email, phone }: Pick<UserRow, 'account' | 'email' | 'phone'>): string[] => [
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
export async function evictSessions(tx: Database, who: CustomerKey, now: number): Promise<UserRow | undefined> {
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
  await revokeCodesAndLinks(tx, user);
  return user;
}

/** Ends codes and links that were sent, or are queued, to the customer's names and would allow a login. */
export async function revokeCodesAndLinks(
  tx: Database,
  user: Pick<UserRow, 'brand' | 'uid' | 'account' | 'email' | 'phone'>,
): Promise<void> {
  const { brand, uid } = user;
  const names = loginNamesOf(user);
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
    if (!userTypes[userType]) await evictSessions(tx, who, now);
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
    .where(and(isCustomer(user), eq(users.evictions, user.evictions), isLoginAllowed))
    .for('no key update');
  return locked;
}

/** Locks a customer's row before any other row of theirs is written, to avoid deadlocks. */
export async function lockCustomer(tx: Database, who: CustomerKey): Promise<UserRow | undefined> {
  const [locked] = await tx.select().from(users).where(isCustomer(who)).for('no key update');
  return locked;
}

/** The user type of a deleted account, whose row contains no personal data. */
export const deletedUserType = 'DELETED';

/**
 * User types, and whether each may log in to the storefront: resellers have their own console, and the operator blocks
 * abusive accounts.
 */
export const userTypes = { MEMBER: true, PREPAID: true, RESELLER: false, BLOCKED: false } as const;
export type UserType = keyof typeof userTypes;

const mayNotLogIn = [...Object.entries(userTypes).flatMap(([type, may]) => (may ? [] : [type])), deletedUserType];

/** Whether the account may not log in, because of its type or by the operator. */
export const isLoginBlocked = ({ userType }: Pick<UserRow, 'userType'>): boolean => mayNotLogIn.includes(userType);

/** The same as an SQL condition, for open sessions and for new ones. */
export const isLoginAllowed = notInArray(users.userType, mayNotLogIn);

/**
 * `accountTypeRefused`. Call it only for a caller who has proved to own the account, so that others do not learn the
 * type.
 */
export function assertLoginAllowed(
  refuse: Refuse<'accountTypeRefused'>,
  { userType }: Pick<UserRow, 'userType'>,
): void {
  if (isLoginBlocked({ userType })) refuse('accountTypeRefused');
}

export type UserRow = typeof users.$inferSelect;

/** The number for SMS to a customer: digits with the country code; null without one. */
export const numberOf = ({ phone, accountType, account }: Pick<UserRow, 'phone' | 'accountType' | 'account'>) =>
  phone ?? (accountType === 'phone' ? account : null);

/** A number that was added to an account was proved by a code; the number of the account name may not be yet. */
export const isPhoneVerified = ({ accountType, verifiedAt }: Pick<UserRow, 'accountType' | 'verifiedAt'>): boolean =>
  accountType === 'email' || verifiedAt !== null;

/**
 * The customer of this identity at the brand: by account name, or by an email address or number that was added later.
 * One query in all cases. Numbers are also found under the spellings of earlier versions. `db` may be a transaction.
 */
export async function findUser(
  db: Database,
  brandCode: string,
  { account, type, typedAs, formerly }: Pick<Identity, 'account' | 'type' | 'typedAs' | 'formerly'>,
): Promise<UserRow | undefined> {
  const names =
    type === 'email'
      ? [account, ...(formerly === undefined ? [] : [formerly])]
      : [...new Set([typedAs ?? account, ...storedSpellings(account)])];
  const column = type === 'email' ? users.email : users.phone;
  const rows = await db
    .select()
    .from(users)
    .where(and(eq(users.brand, brandCode), or(inArray(users.account, names), inArray(column, names))));
  const rank = (user: UserRow) => Math.min(...[user.account, user[type] ?? ''].map((name) => rankOf(names, name)));
  return rows.toSorted((one, other) => rank(one) - rank(other))[0];
}

/**
 * The rank of a stored spelling. Numbers are stored as E.164; earlier versions stored the country code and the digits
 * as typed, so one phone may have two accounts. Both work: the exact spelling comes first, then the canonical one.
 */
function rankOf(names: readonly string[], name: string): number {
  const place = names.indexOf(name);
  return place === -1 ? names.length : place;
}
