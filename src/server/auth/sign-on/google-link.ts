import { and, eq, isNotNull, isNull, or } from 'drizzle-orm';
import type { UserRow } from '../find-user.ts';
import { proveAccount } from '../prove-account.ts';
import type { Database } from '#server/db/connect.ts';
import { users } from '#server/db/schema/users.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import type { GoogleIdentity } from './google-provider.ts';

/**
 * Links an account to the Google account with the same verified address. Undefined when it is linked to another Google
 * account, because addresses change owners and `sub` never does, or when its email goes to another address, whose owner
 * could take the account back. For an unconfirmed address this is the first proof (`proveAccount`). An address bound to
 * a phone account was confirmed when it was bound.
 */
export async function linkGoogle(
  tx: Database,
  { brand, uid }: Pick<UserRow, 'brand' | 'uid'>,
  { sub: googleSub, email }: Pick<GoogleIdentity, 'sub' | 'email'>,
  context: Pick<RequestContext, 'deps' | 'brand'>,
): Promise<UserRow | undefined> {
  const isCustomer = and(eq(users.brand, brand), eq(users.uid, uid));
  const unlinked = and(isCustomer, eq(users.email, email), isNull(users.googleSub));
  const [proved] = await tx
    .update(users)
    .set({ googleSub })
    .where(and(unlinked, or(isNotNull(users.verifiedAt), eq(users.accountType, 'phone'))))
    .returning();
  if (proved) return proved;
  const unproved = and(unlinked, isNull(users.verifiedAt));
  const [waiting] = await tx.select().from(users).where(unproved).for('no key update');
  if (!waiting || !(await proveAccount(tx, waiting, { isCreator: false }, context))) return undefined;
  const [taken] = await tx.update(users).set({ googleSub }).where(isCustomer).returning();
  return taken;
}

/** The customer of this Google account at the brand. */
export async function findByGoogle(db: Database, brand: string, googleSub: string): Promise<UserRow | undefined> {
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.brand, brand), eq(users.googleSub, googleSub)))
    .limit(1);
  return user;
}
