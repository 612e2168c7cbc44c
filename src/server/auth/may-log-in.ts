import { refuse } from '../api-error.ts';
import type { UserRow } from './find-user.ts';

/**
 * Kinds of account that have nothing to do in the storefront: resellers have a console of their own, and an operator
 * blocks whoever abuses the service.
 */
const mayNotLogIn: ReadonlySet<string> = new Set(['BLOCKED', 'RESELLER']);

/** Refuses with 197. Asked only of someone who proved to own the account, so that a stranger does not learn of it. */
export function assertMayLogIn({ userType }: Pick<UserRow, 'userType'>): void {
  if (mayNotLogIn.has(userType)) refuse(197);
}
