import { and, eq } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { passkeys } from '#server/db/schema/passkeys.ts';
import { users } from '#server/db/schema/users.ts';
import {
  accountVerifiedMail,
  accountVerifiedSms,
  removable,
  type RemovedPart,
} from '#server/messages/password-mails.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { queueSms } from '#server/messages/sms-budget.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import { evictSessions, lockCustomer, type UserRow } from './users.ts';
import { endMailLinks } from './mail-links.ts';

type CustomerKey = Pick<UserRow, 'brand' | 'uid' | 'evictions'>;

export interface Proof {
  /** the caller also has a session or a known device of the account, so the account's creator proves it */
  readonly isCreator: boolean;
  /** a new password is set as well, so the email does not mention the removed one */
  readonly setsPassword?: boolean;
}

/**
 * Records the first proof of an account's name. Without a sign-up code, an attacker can create an account with another
 * person's address or number and wait until its owner proves it. So nothing can be added to an account before, and the
 * first proof removes every way back for its creator: other names, password, Google account, passkeys, sessions, links
 * and codes ([Note: Eviction]; Sudhodanan and Paverd, "Pre-hijacked accounts", USENIX Security 2022). A creator who
 * proves the name on a known device loses nothing.
 * Only the account's own name counts: an email address proves nothing about an account named by a number. The owner is
 * notified of what was removed. Returns the current row; undefined after an eviction since `who` was read.
 */
export async function verifyAccount(
  tx: Database,
  who: CustomerKey,
  { isCreator, setsPassword = false }: Proof,
  { deps, brand }: Pick<RequestContext, 'deps' | 'brand'>,
): Promise<UserRow | undefined> {
  const now = deps.clock();
  const locked = await lockCustomer(tx, who);
  if (locked?.evictions !== who.evictions) return undefined;
  if (locked.verifiedAt !== null) return locked;
  const removed = isCreator ? [] : await otherLoginMethods(tx, locked, { setsPassword });
  if (!isCreator) {
    await evictSessions(tx, locked, now);
    // links that restore names stay valid after other evictions; for an unproved name they may be the attacker's
    await endMailLinks(tx, { brand: locked.brand, uid: locked.uid, purposes: ['restore', 'confirm'] }, now);
  }
  const [proved] = await tx
    .update(users)
    .set({ verifiedAt: now, ...(!isCreator && ownNameOnly(locked)) })
    .where(and(eq(users.brand, locked.brand), eq(users.uid, locked.uid)))
    .returning();
  if (removed.length > 0) {
    const { account: to, accountType, language } = locked;
    if (accountType === 'email')
      await queueMail(tx, { brand, to, ...accountVerifiedMail(brand, language, removed) }, deps);
    else if (deps.sms)
      await queueSms(tx, { brand, to, text: accountVerifiedSms(brand, language), isProved: true }, deps);
  }
  return proved;
}

/** The other login methods of the account, which the proof removes. */
async function otherLoginMethods(
  tx: Database,
  { brand, uid, accountType, email, phone, googleSub, passwordHash }: UserRow,
  { setsPassword }: { readonly setsPassword: boolean },
): Promise<RemovedPart[]> {
  const methods: Record<RemovedPart, boolean> = {
    password: passwordHash !== null && !setsPassword,
    email: accountType === 'phone' && email !== null,
    phone: accountType === 'email' && phone !== null,
    google: googleSub !== null,
    passkeys: (await tx.$count(passkeys, and(eq(passkeys.brand, brand), eq(passkeys.uid, uid)))) > 0,
  };
  return removable.filter((method) => methods[method]);
}

/** The columns of an account with its own name as the only login method. */
function ownNameOnly({ account, accountType, areaCode }: UserRow) {
  const isEmail = accountType === 'email';
  return {
    email: isEmail ? account : null,
    phone: isEmail ? null : account,
    areaCode: isEmail ? null : areaCode,
    passwordHash: null,
    passwordResetDue: false,
    googleSub: null,
  };
}
