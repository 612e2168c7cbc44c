import { and, eq } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { passkeys } from '#server/db/schema/passkeys.ts';
import { users } from '#server/db/schema/users.ts';
import { queueMail } from '#server/messages/outbox.ts';
import { queueSms } from '#server/messages/sms-budget.ts';
import { passwordChangedMail, passwordChangedSms } from '#server/messages/password-changed.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import { evict } from './evict.ts';
import { isNumberProved, numberOf, type UserRow } from './find-user.ts';
import { proveAccount, type Proof } from './prove-account.ts';

/**
 * Sets a new password and evicts all sessions ([Note: Eviction]); `resetPasswordFirst` no longer applies. The customer
 * is notified, with what was removed. `proof`: a code or link has proved the account's name (`proveAccount`). Returns
 * the current row.
 */
export async function setPassword(
  tx: Database,
  user: Pick<UserRow, 'brand' | 'uid' | 'evictions'>,
  passwordHash: string,
  context: Pick<RequestContext, 'deps' | 'brand'>,
  proof?: Pick<Proof, 'isCreator'>,
): Promise<UserRow | undefined> {
  if (proof) await proveAccount(tx, user, { ...proof, setsPassword: true }, context);
  await tx
    .update(users)
    .set({ passwordHash, passwordResetDue: false })
    .where(and(eq(users.brand, user.brand), eq(users.uid, user.uid)));
  const own = and(eq(passkeys.brand, user.brand), eq(passkeys.uid, user.uid));
  const lost = await tx.$count(passkeys, own);
  const changed = await evict(tx, user, context.deps.clock());
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
      { brand, to: number, text: passwordChangedSms(brand, language), isProved: isNumberProved(user) },
      deps,
    );
}
