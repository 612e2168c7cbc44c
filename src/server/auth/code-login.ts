import type * as contract from '../../contract/codes.ts';
import { refuse } from '../request/api-error.ts';
import { users } from '../db/schema/users.ts';
import { and, eq, isNull } from 'drizzle-orm';
import type { Handler } from '../request/bind.ts';
import { identityOf } from '../site/account-rules.ts';
import { assertCanBeSent, spendCode } from './codes.ts';
import { limitSubjectOf } from './customer-key.ts';
import { findUser, assertMayLogIn } from './find-user.ts';
import { forgetGuesses } from './login-limits.ts';
import { signIn } from './sign-in.ts';

export const codeLogin: Handler<typeof contract.codeLogin> = async ({ body }, context) => {
  const { deps, brand, ip } = context;
  if (!brand.config.login.codeLogin) refuse(4598);
  assertCanBeSent(deps, body.type);
  const identity = identityOf(brand, body);
  const owner = { brand: brand.code, account: identity.account, ip };
  const { code, request, device } = body;
  // before the code is spent, so that whoever was evicted since does not come in by it
  const user = await findUser(deps.db, brand.code, identity);
  await spendCode(deps, {
    ...owner,
    ...limitSubjectOf(deps.env, user, { ...owner, device }),
    scene: 'login',
    code,
    request,
  });
  // nobody was sent this code: whoever guessed it hears what every wrong guess hears
  if (!user) return refuse(11, { triesLeft: 0 });
  assertMayLogIn(user);
  await forgetGuesses(deps.db, owner);
  return deps.db.transaction(async (tx) => {
    await tx
      .update(users)
      .set({ verifiedAt: deps.clock() })
      .where(and(eq(users.brand, brand.code), eq(users.uid, user.uid), isNull(users.verifiedAt)));
    return signIn(tx, user, context, { via: 'code', device });
  });
};
