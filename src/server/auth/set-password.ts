import { and, eq } from 'drizzle-orm';
import type { Database } from '../db/connect.ts';
import { users } from '../db/schema/users.ts';
import type { RequestContext } from '../request/request-context.ts';
import { evict } from './evict.ts';
import type { UserRow } from './find-user.ts';
import { proveAccount, type Proof } from './prove-account.ts';

/**
 * Gives a customer a new password, and signs everybody out ([Note: Eviction]); an upgrade asks no more for it (2500).
 * `proof`: a code or a link proved the account's name ([Note: First proof]). Returns the customer
 * as they are now.
 */
export async function setPassword(
  tx: Database,
  user: Pick<UserRow, 'brand' | 'uid' | 'evictions'>,
  passwordHash: string,
  context: Pick<RequestContext, 'deps' | 'brand'>,
  proof?: Pick<Proof, 'isCreator'>,
): Promise<UserRow | undefined> {
  if (proof) await proveAccount(tx, user, { ...proof, setsPassword: true }, context);
  await tx
    .update(users)
    .set({ passwordHash, passwordResetDue: false })
    .where(and(eq(users.brand, user.brand), eq(users.uid, user.uid)));
  return evict(tx, user, context.deps.clock());
}
