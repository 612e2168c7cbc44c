import { and, eq } from 'drizzle-orm';
import type * as contract from '#contract/settings.ts';
import { maskAccount } from '#contract/mask.ts';
import { assertConfirmed, consumeConfirmed } from '#server/auth/confirm-owner.ts';
import { newDeviceToken } from '#server/auth/device-token.ts';
import { revokeCodesAndLinks, lockActiveCustomer, numberOf, type UserRow } from '#server/auth/users.ts';
import { makeMailLink } from '#server/auth/mail-links.ts';
import { hasSession } from '#server/auth/session.ts';
import { type Database, violatedIndex } from '#server/db/connect.ts';
import { users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import { phoneRemovedMail } from '#server/messages/contact-changed.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import type { CustomerContext, Handler } from '#server/runtime/request/request-context.ts';

/**
 * Whether the customer can log in with the email address alone: by a link or code, or by the password. A bound address
 * of a phone account was confirmed. Passkeys and Google do not count, because they may be lost with the phone.
 */
export function isPhoneRemovable(user: Omit<UserRow, 'passwordHash'>, hasPassword: boolean): boolean {
  const { email, accountType, verifiedAt } = user;
  return numberOf(user) !== null && email !== null && (accountType === 'phone' || verifiedAt !== null || hasPassword);
}

export const removePhone: Handler<typeof contract.removePhone> = async ({ body }, context) => {
  const { deps } = context;
  assertConfirmed(context, 'contact', body.confirmation);
  try {
    const left = await deps.db.transaction((tx) => remove(tx, context, body.confirmation));
    return { account: left.account, type: left.accountType, deviceToken: newDeviceToken(deps, left) };
  } catch (error) {
    // the email address becomes the account name, which another account may have
    if (/^users_(account|email)$/.test(violatedIndex(error) ?? '')) return context.refuse('accountInUse');
    throw error;
  }
};

async function remove(
  tx: Database,
  context: CustomerContext<'operationUnsupported' | 'requestExpired'>,
  confirmation: string,
): Promise<UserRow> {
  const { brand, user, tokenHash } = context;
  const locked = await lockActiveCustomer(tx, user);
  // the session has ended since, perhaps by the owner against an attacker
  if (!locked || tokenHash === null || !(await hasSession(tx, brand.code, tokenHash)))
    return context.refuse('invalidToken');
  await consumeConfirmed(tx, context, 'contact', confirmation);
  // removed already, perhaps by this same call
  if (numberOf(locked) === null) return locked;
  return (await dropPhone(tx, context, locked)) ?? context.refuse('operationUnsupported');
}

/**
 * Removes the number of a locked customer and notifies them by email. Undefined if they could not log in without it.
 * Throws if the address becomes the account name, which another account has (`users_account`, `users_email`).
 */
export async function dropPhone(
  tx: Database,
  { brand, deps }: NotifyContext,
  locked: UserRow,
): Promise<UserRow | undefined> {
  const { uid, email, accountType, verifiedAt } = locked;
  if (email === null || !isPhoneRemovable(locked, locked.passwordHash !== null)) return undefined;
  await revokeCodesAndLinks(tx, locked);
  await notifyOfRemoval(tx, { brand, deps }, locked, email);
  const named = { account: email, accountType: 'email' as const, verifiedAt: verifiedAt ?? deps.clock() };
  const [left] = await tx
    .update(users)
    .set({ phone: null, areaCode: null, ...(accountType === 'phone' && named) })
    .where(and(eq(users.brand, brand.code), eq(users.uid, uid)))
    .returning();
  return left;
}

type NotifyContext = Pick<CustomerContext, 'brand'> & { readonly deps: Pick<Deps, 'clock' | 'random'> };

/** Notifies by email, with a link that restores the number; the number itself may belong to someone else by now. */
async function notifyOfRemoval(
  tx: Database,
  { brand, deps }: NotifyContext,
  before: UserRow,
  to: string,
): Promise<void> {
  const { uid, language, account, accountType, areaCode, email, phone, googleSub } = before;
  const was = { account, accountType, areaCode, email, phone, googleSub };
  const link = { brand, uid, purpose: 'restore', email: to, language, before: was } as const;
  const url = await makeMailLink(tx, link, deps);
  const removed = maskAccount(numberOf(before) ?? '');
  await queueMail(tx, { brand, to, ...phoneRemovedMail(brand, language, { removed, url }) }, deps);
}
