import { and, eq } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { passkeys } from '#server/db/schema/passkeys.ts';
import { users } from '#server/db/schema/users.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { queueSms } from '#server/messages/sms-budget.ts';
import { passwordChangedMail, passwordChangedSms } from '#server/messages/password-mails.ts';
import type { RequestContext, Handler } from '#server/runtime/request/request-context.ts';
import { evictSessions, lockCustomer, isPhoneVerified, numberOf, findUser, type UserRow } from './users.ts';
import { verifyAccount, type Proof } from './verify-account.ts';
import type * as contract from '#contract/codes.ts';
import { identityOf } from '#server/site/account-rules.ts';
import { assertCanBeSent, consumeCode } from './codes.ts';
import { clearLoginGuesses, limitSubjectOf } from './login-limits.ts';
import { hashPassword, assertStrongPassword } from './password.ts';

/**
 * Sets a new password and evicts all sessions ([Note: Eviction]); `resetPasswordFirst` no longer applies. The customer
 * is notified, with what was removed. `proof`: a code or link has proved the account's name (`verifyAccount`). Returns
 * the current row.
 */
export async function setPassword(
  tx: Database,
  user: Pick<UserRow, 'brand' | 'uid' | 'evictions'>,
  passwordHash: string,
  context: Pick<RequestContext, 'deps' | 'brand'>,
  proof?: Pick<Proof, 'isCreator'>,
): Promise<UserRow | undefined> {
  if (proof) await verifyAccount(tx, user, { ...proof, setsPassword: true }, context);
  await tx
    .update(users)
    .set({ passwordHash, passwordResetDue: false })
    .where(and(eq(users.brand, user.brand), eq(users.uid, user.uid)));
  const own = and(eq(passkeys.brand, user.brand), eq(passkeys.uid, user.uid));
  const lost = await tx.$count(passkeys, own);
  const changed = await evictSessions(tx, user, context.deps.clock());
  if (changed) await notifyOfChange(tx, changed, lost, context);
  return changed;
}

async function notifyOfChange(
  tx: Database,
  user: UserRow,
  lostPasskeys: number,
  { deps, brand }: Pick<RequestContext, 'deps' | 'brand'>,
): Promise<void> {
  const { email, language } = user;
  const number = numberOf(user);
  if (email !== null) {
    const change = { at: deps.clock(), passkeys: lostPasskeys };
    await queueMail(tx, { brand, to: email, ...passwordChangedMail(brand, language, change) }, deps);
  } else if (deps.sms && number !== null)
    await queueSms(
      tx,
      { brand, to: number, text: passwordChangedSms(brand, language), isProved: isPhoneVerified(user) },
      deps,
    );
}

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
