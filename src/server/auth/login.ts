import type * as contract from '../../contract/auth.ts';
import { refuse } from '../api-error.ts';
import type { Handler } from '../mount.ts';
import { identityOf } from './account-rules.ts';
import { namedAs } from './customer-key.ts';
import { findUser } from './find-user.ts';
import { countGuess } from './login-limits.ts';
import { assertMayLogIn } from './may-log-in.ts';
import { fitsPassword, isStillPassword } from './password.ts';
import { signIn } from './sign-in.ts';

export const login: Handler<typeof contract.login> = async ({ body }, context) => {
  const { deps, brand, ip } = context;
  const identity = identityOf(brand, body);
  const guess = { brand: brand.code, account: identity.account, ip };
  const user = await findUser(deps.db, brand.code, identity);
  const { known } = namedAs(deps.env, user, { ...guess, device: body.device });
  const forget = await countGuess(deps, guess, { ...body, known });
  const fits = await fitsPassword(user?.passwordHash, body.password, ip);
  if (!fits || !user?.passwordHash) return refuse(3001);
  const { passwordHash } = user;
  assertMayLogIn(user);
  await forget();
  return deps.db.transaction(async (tx) => {
    if (!(await isStillPassword(tx, user, passwordHash))) return refuse(3001);
    return signIn(tx, user, context, { via: 'password', device: body.device });
  });
};
