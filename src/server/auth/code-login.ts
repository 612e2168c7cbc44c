import type * as contract from '#contract/codes.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import { identityOf } from '#server/site/account-rules.ts';
import { assertCanBeSent, consumeCode } from './codes.ts';
import { limitSubjectOf } from './customer-key.ts';
import { findUser, assertMayLogIn } from './find-user.ts';
import { clearLoginGuesses } from './login-limits.ts';
import { proveAccount } from './prove-account.ts';
import { signIn } from './sign-in.ts';

export const codeLogin: Handler<typeof contract.codeLogin> = async ({ body }, context) => {
  const { deps, brand, ip } = context;
  if (!brand.config.login.codeLogin) return context.refuse('operationUnsupported');
  assertCanBeSent(context.refuse, deps, body.type);
  const identity = identityOf(context.refuse, brand, body);
  const owner = { brand: brand.code, account: identity.account, ip };
  const { code, request, device } = body;
  // read before the code is consumed, so that the login fails if the account is evicted meanwhile
  const user = await findUser(deps.db, brand.code, identity);
  const subject = limitSubjectOf(deps.env, user, { ...owner, device });
  await consumeCode(context.refuse, deps, { ...owner, ...subject, scene: 'login', code, request });
  // the code of an account that does not exist was sent to no one, so a guessed one is refused like any wrong code
  if (!user) return context.refuse('wrongCode', { triesLeft: 0 });
  assertMayLogIn(context.refuse, user);
  await clearLoginGuesses(deps.db, owner);
  return deps.db.transaction(async (tx) => {
    const proof = { isCreator: subject.known !== undefined };
    const proved = identity.type === user.accountType ? await proveAccount(tx, user, proof, context) : user;
    return signIn(tx, proved ?? user, context, { via: 'code', device });
  });
};
