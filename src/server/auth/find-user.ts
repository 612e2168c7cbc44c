import { and, eq, inArray, or, notInArray } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { users } from '#server/db/schema/users.ts';
import { storedSpellings } from '#server/runtime/phone-number.ts';
import type { Identity } from '#server/site/account-rules.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';

/** What is left of an account that its owner has deleted: a row that names nobody ([Note: Deletion]). */
export const goneType = 'DELETED';

/**
 * Kinds of account, and whether each has anything to do in the storefront: resellers have a console of their own, and an
 * operator blocks whoever abuses the service.
 */
export const userTypes = { MEMBER: true, PREPAID: true, RESELLER: false, BLOCKED: false } as const;
export type UserType = keyof typeof userTypes;

const mayNotLogIn = [...Object.entries(userTypes).flatMap(([type, may]) => (may ? [] : [type])), goneType];

/** Whether the account is shut out, by its kind or by the operator. */
export const isShutOut = ({ userType }: Pick<UserRow, 'userType'>): boolean => mayNotLogIn.includes(userType);

/** The same as a condition: whose session is open, and for whom one may be opened. */
export const maySignIn = notInArray(users.userType, mayNotLogIn);

/**
 * Refuses with `accountTypeRefused`. Asked only of someone who proved to own the account, so that a stranger does not learn
 * of it.
 */
export function assertMayLogIn(refuse: Refuse<'accountTypeRefused'>, { userType }: Pick<UserRow, 'userType'>): void {
  if (isShutOut({ userType })) refuse('accountTypeRefused');
}

export type UserRow = typeof users.$inferSelect;

/** Where SMS to a customer go: digits with the area code; null where there is no number. */
export const numberOf = ({ phone, accountType, account }: Pick<UserRow, 'phone' | 'accountType' | 'account'>) =>
  phone ?? (accountType === 'phone' ? account : null);

/** A number that was added to an account was proved by a code; one that the account is called by may not be yet. */
export const isNumberProved = ({ accountType, verifiedAt }: Pick<UserRow, 'accountType' | 'verifiedAt'>): boolean =>
  accountType === 'email' || verifiedAt !== null;

/**
 * Who has this identity at the brand: as the account, or as an address or a number that was added to it later. One query,
 * whoever is looked for. A number is also found under the spellings of earlier versions ([Note: Number spellings]).
 * `db` may be a transaction.
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
  const rank = (user: UserRow) => Math.min(...[user.account, user[type] ?? ''].map((name) => placeOf(names, name)));
  return rows.toSorted((one, other) => rank(one) - rank(other))[0];
}

/**
 * [Note: Number spellings] Numbers are stored as E.164 has them. Earlier versions stored the country's code and whatever was
 * typed, so one telephone may be two accounts. Both keep working: each is found by what its owner types, the exact
 * spelling first, then the canonical one.
 */
function placeOf(names: readonly string[], name: string): number {
  const place = names.indexOf(name);
  return place === -1 ? names.length : place;
}
