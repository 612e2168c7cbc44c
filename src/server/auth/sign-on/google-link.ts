import { and, eq, isNotNull, isNull, or } from 'drizzle-orm';
import type { UserRow } from '../find-user.ts';
import { proveAccount } from '../prove-account.ts';
import type { Database } from '#server/db/connect.ts';
import { users } from '#server/db/schema/users.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import type { GoogleIdentity } from './google-provider.ts';

/**
 * Joins an account with the Google account that has the same verified address. Undefined when it is joined with another
 * one already, because addresses change hands and `sub` never does, and when its mail goes to another address, whose
 * reader could take it back.
 *
 * Nobody has proved the address of an account that was never confirmed: whoever signed up may have taken the address of
 * somebody else, and wait until its owner comes by Google: this is the [Note: First proof]. An address that was bound to a number is there only because its reader said yes to it.
 */
export async function linkGoogle(
  tx: Database,
  { brand, uid }: Pick<UserRow, 'brand' | 'uid'>,
  { sub: googleSub, email }: Pick<GoogleIdentity, 'sub' | 'email'>,
  context: Pick<RequestContext, 'deps' | 'brand'>,
): Promise<UserRow | undefined> {
  const itself = and(eq(users.brand, brand), eq(users.uid, uid));
  const unlinked = and(itself, eq(users.email, email), isNull(users.googleSub));
  const [proved] = await tx
    .update(users)
    .set({ googleSub })
    .where(and(unlinked, or(isNotNull(users.verifiedAt), eq(users.accountType, 'phone'))))
    .returning();
  if (proved) return proved;
  const unproved = and(unlinked, isNull(users.verifiedAt));
  const [waiting] = await tx.select().from(users).where(unproved).for('no key update');
  if (!waiting || !(await proveAccount(tx, waiting, { isCreator: false }, context))) return undefined;
  const [taken] = await tx.update(users).set({ googleSub }).where(itself).returning();
  return taken;
}

/** Who signs in by this Google account at the brand. */
export async function findByGoogle(db: Database, brand: string, googleSub: string): Promise<UserRow | undefined> {
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.brand, brand), eq(users.googleSub, googleSub)))
    .limit(1);
  return user;
}
