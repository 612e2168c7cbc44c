import { and, eq } from 'drizzle-orm';
import type * as contract from '#contract/settings.ts';
import { evict, lockCustomer } from '#server/auth/evict.ts';
import type { UserRow } from '#server/auth/find-user.ts';
import {
  endMailLinks,
  findMailLink,
  makeMailLink,
  consumeMailLink,
  type GivenMailToken,
} from '#server/auth/mail-links.ts';
import type { Database } from '#server/db/connect.ts';
import { violatedIndex } from '#server/db/driver-results.ts';
import type { ContactBefore } from '#server/db/schema/sign-in.ts';
import { users } from '#server/db/schema/users.ts';
import { refuseToken } from '#server/auth/refuse-token.ts';
import { queueMail } from '#server/messages/outbox.ts';
import { resetMail } from '#server/messages/reset-mail.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';

/**
 * Restores an account that was taken over: names and Google account are as before, all sessions end, and the password,
 * which the attacker may know, is removed. An email to the previous address has a link for a new one.
 */
export const restoreContact: Handler<typeof contract.restoreContact> = async ({ body }, context) => {
  const { deps, brand } = context;
  const given = { brand: brand.code, token: body.token, purpose: 'restore' } as const;
  try {
    const done = await deps.db.transaction((tx) => restoreNames(tx, given, context));
    return done ? {} : await refuseToken(context);
  } catch (error) {
    // another customer has created an account with the previous name meanwhile
    if (/^users_(account|email|phone|google)$/.test(violatedIndex(error) ?? '')) return context.refuse('accountInUse');
    throw error;
  }
};

/** False when there is no link to consume. */
async function restoreNames(tx: Database, given: GivenMailToken, { deps, brand }: RequestContext): Promise<boolean> {
  const now = deps.clock();
  const waiting = await findMailLink(tx, given, now);
  const user = waiting && (await lockCustomer(tx, waiting));
  const link = user && (await consumeMailLink(tx, given, now));
  if (!user || !link?.before) return false;
  const { uid, language } = user;
  // while the row has the attacker's names: ends the messages to them
  await evict(tx, user, now);
  const names = namesBefore(link.before, user);
  const verifiedAt = names.accountType === 'email' ? (user.verifiedAt ?? now) : user.verifiedAt;
  await tx
    .update(users)
    .set({ ...names, passwordHash: null, verifiedAt })
    .where(and(eq(users.brand, brand.code), eq(users.uid, uid)));
  await endMailLinks(tx, { brand: brand.code, uid, purposes: ['restore', 'confirm'] }, now);
  const { email } = link;
  const url = await makeMailLink(tx, { brand, uid, purpose: 'reset', email, language }, deps);
  await queueMail(tx, { brand, to: email, asked: true, ...resetMail(brand, language, url) }, deps);
  return true;
}

/**
 * The names to restore. Links of earlier versions do not contain the account type, which may have changed since
 * (`removePhone`). If the account was never proved, other names are not restored, because the link is its first proof
 * (`proveAccount`).
 */
function namesBefore(before: ContactBefore, { verifiedAt }: Pick<UserRow, 'verifiedAt'>): ContactBefore {
  const accountType = before.accountType ?? (before.account.includes('@') ? 'email' : 'phone');
  const isFirst = verifiedAt === null && accountType === 'email';
  return { ...before, accountType, ...(isFirst && { phone: null, areaCode: null, googleSub: null }) };
}
