import { and, eq, or } from 'drizzle-orm';
import type { Database } from '../db/connect.ts';
import { users } from '../db/schema.ts';
import type { Identity } from './account-rules.ts';

export type UserRow = typeof users.$inferSelect;

/**
 * Who has this identity at the brand: an address is an account or was bound to a number later, a number is an account.
 * One query, whoever is looked for. `db` may be a transaction.
 */
export async function findUser(
  db: Database,
  brandCode: string,
  { account, type }: Pick<Identity, 'account' | 'type'>,
): Promise<UserRow | undefined> {
  const isAccount = eq(users.account, account);
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.brand, brandCode), type === 'email' ? or(isAccount, eq(users.email, account)) : isAccount))
    .limit(1);
  return user;
}
