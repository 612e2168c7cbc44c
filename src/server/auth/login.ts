import { and, eq } from 'drizzle-orm';
import type * as contract from '../../contract/auth.ts';
import { refuse } from '../api-error.ts';
import { users } from '../db/schema.ts';
import type { Handler } from '../mount.ts';
import { identityOf } from './account-rules.ts';
import { clearGuesses, countGuess } from './login-limits.ts';
import { fitsPassword } from './password.ts';
import { signIn } from './sign-in.ts';

export const login: Handler<typeof contract.login> = async ({ body }, context) => {
  const { deps, brand, ip } = context;
  const { account } = identityOf(brand, body);
  const guess = { brand: brand.code, account, ip };
  await countGuess(deps.db, guess, deps.clock());
  const [user] = await deps.db
    .select()
    .from(users)
    .where(and(eq(users.brand, brand.code), eq(users.account, account)))
    .limit(1);
  const fits = await fitsPassword(user?.passwordHash, body.password);
  if (!user || !fits) return refuse(3001);
  await clearGuesses(deps.db, guess);
  return deps.db.transaction((tx) => signIn(tx, user, context));
};
