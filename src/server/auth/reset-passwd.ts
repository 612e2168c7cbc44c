import type * as contract from '#contract/codes.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import { identityOf } from '#server/site/account-rules.ts';
import { assertCanBeSent, consumeCode } from './codes.ts';
import { limitSubjectOf } from './customer-key.ts';
import { lockCustomer } from './evict.ts';
import { findUser } from './find-user.ts';
import { assertStrongPassword } from './guessed-password.ts';
import { clearLoginGuesses } from './login-limits.ts';
import { hashPassword } from './password.ts';
import { setPassword } from './set-password.ts';

export const resetPasswd: Handler<typeof contract.resetPasswd> = async ({ body }, context) => {
  const { deps, brand, ip } = context;
  assertCanBeSent(context.refuse, deps, body.type);
  const identity = identityOf(context.refuse, brand, body);
  assertStrongPassword(body.password, { brand, account: identity.account, field: 'password' });
  const owner = { brand: brand.code, account: identity.account, ip };
  const { code, request, device } = body;
  // read before the code is consumed, so that it sets no password after an eviction meanwhile
  const user = await findUser(deps.db, brand.code, identity);
  const subject = limitSubjectOf(deps.env, user, { ...owner, device });
  await consumeCode(context.refuse, deps, { ...owner, ...subject, scene: 'reset', code, request });
  const passwordHash = await hashPassword(body.password, ip);
  // the code of an account that does not exist was sent to no one; a caller who guessed it learns nothing
  if (!user) return {};
  await deps.db.transaction(async (tx) => {
    const locked = await lockCustomer(tx, user);
    if (locked?.evictions !== user.evictions) return context.refuse('codeNotFound');
    const proof = identity.type === locked.accountType ? { isCreator: subject.known !== undefined } : undefined;
    return setPassword(tx, locked, passwordHash, context, proof);
  });
  await clearLoginGuesses(deps.db, owner);
  return {};
};
