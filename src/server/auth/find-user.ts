import { and, eq, inArray, or, notInArray } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { users } from '#server/db/schema/users.ts';
import { storedSpellings } from '#server/runtime/phone-number.ts';
import type { Identity } from '#server/site/account-rules.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';

/** The user type of a deleted account, whose row contains no personal data. */
export const goneType = 'DELETED';

/**
 * User types, and whether each may log in to the storefront: resellers have their own console, and the operator blocks
 * abusive accounts.
 */
export const userTypes = { MEMBER: true, PREPAID: true, RESELLER: false, BLOCKED: false } as const;
export type UserType = keyof typeof userTypes;

const mayNotLogIn = [...Object.entries(userTypes).flatMap(([type, may]) => (may ? [] : [type])), goneType];

/** Whether the account may not log in, because of its type or by the operator. */
export const isShutOut = ({ userType }: Pick<UserRow, 'userType'>): boolean => mayNotLogIn.includes(userType);

/** The same as an SQL condition, for open sessions and for new ones. */
export const maySignIn = notInArray(users.userType, mayNotLogIn);

/**
 * `accountTypeRefused`. Call it only for a caller who has proved to own the account, so that others do not learn the
 * type.
 */
export function assertMayLogIn(refuse: Refuse<'accountTypeRefused'>, { userType }: Pick<UserRow, 'userType'>): void {
  if (isShutOut({ userType })) refuse('accountTypeRefused');
}

export type UserRow = typeof users.$inferSelect;

/** The number for SMS to a customer: digits with the country code; null without one. */
export const numberOf = ({ phone, accountType, account }: Pick<UserRow, 'phone' | 'accountType' | 'account'>) =>
  phone ?? (accountType === 'phone' ? account : null);

/** A number that was added to an account was proved by a code; the number of the account name may not be yet. */
export const isNumberProved = ({ accountType, verifiedAt }: Pick<UserRow, 'accountType' | 'verifiedAt'>): boolean =>
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
