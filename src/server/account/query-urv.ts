import { and, eq, isNotNull } from 'drizzle-orm';
import type * as contract from '../../contract/account.ts';
import { users } from '../db/schema.ts';
import type { Handler } from '../mount.ts';

export const queryUrv: Handler<typeof contract.queryUrv> = async (_, { deps, user }) => {
  const { brand, uid, accountType, email, verifiedAt, passwordResetDue } = user;
  // the hash itself stays in the database
  const withPassword = await deps.db
    .select({ uid: users.uid })
    .from(users)
    .where(and(eq(users.brand, brand), eq(users.uid, uid), isNotNull(users.passwordHash)));
  // to a number an address is bound by a link that was mailed to it, and in no other way
  const emailVerified = email !== null && (accountType === 'phone' || verifiedAt !== null);
  return { emailVerified, passwordResetDue, hasPassword: withPassword.length > 0, email };
};
