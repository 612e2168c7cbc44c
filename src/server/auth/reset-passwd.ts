import type * as contract from '../../contract/codes.ts';
import type { Handler } from '../mount.ts';
import { identityOf } from './account-rules.ts';
import { spendCode } from './codes.ts';
import { findUser } from './find-user.ts';
import { forgetGuesses } from './login-limits.ts';
import { hashPassword } from './password.ts';
import { setPassword } from './set-password.ts';

export const resetPasswd: Handler<typeof contract.resetPasswd> = async ({ body }, { deps, brand, ip }) => {
  const identity = identityOf(brand, body);
  const owner = { brand: brand.code, account: identity.account, ip };
  await spendCode(deps, { ...owner, scene: 'reset', code: body.code });
  const user = await findUser(deps.db, brand.code, identity);
  const passwordHash = await hashPassword(body.password, ip);
  // nobody was sent a code for an account that is none; whoever guessed it learns nothing
  if (!user) return {};
  await deps.db.transaction((tx) => setPassword(tx, user, passwordHash, { provenAt: deps.clock() }));
  await forgetGuesses(deps.db, owner);
  return {};
};
