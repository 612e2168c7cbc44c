import { notInArray } from 'drizzle-orm';
import { users } from '../db/schema.ts';
import { refuse } from '../api-error.ts';
import type { UserRow } from './find-user.ts';

/**
 * Kinds of account that have nothing to do in the storefront: resellers have a console of their own, and an operator
 * blocks whoever abuses the service.
 */
const mayNotLogIn = ['BLOCKED', 'RESELLER'];

/** The same as a condition: whose session is open, and for whom one may be opened. */
export const maySignIn = notInArray(users.userType, mayNotLogIn);

/** Refuses with 197. Asked only of someone who proved to own the account, so that a stranger does not learn of it. */
export function assertMayLogIn({ userType }: Pick<UserRow, 'userType'>): void {
  if (mayNotLogIn.includes(userType)) refuse(197);
}
