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
 * For whoever was robbed: names and Google account are as they were, everybody is out, and the password, which the thief
 * may know or have set, is gone; a mail to the old address brings the link for a new one.
 */
export const restoreContact: Handler<typeof contract.restoreContact> = async ({ body }, context) => {
  const { deps, brand } = context;
  const given = { brand: brand.code, token: body.token, purpose: 'restore' } as const;
  try {
    const done = await deps.db.transaction((tx) => putBack(tx, given, context));
    return done ? {} : await refuseToken(context);
  } catch (error) {
    // somebody else has made an account of the name that was left
    if (/^users_(account|email|phone|google)$/.test(violatedIndex(error) ?? '')) return context.refuse('accountInUse');
    throw error;
  }
};

/** False when there is no link to spend. */
async function putBack(tx: Database, given: GivenMailToken, { deps, brand }: RequestContext): Promise<boolean> {
  const now = deps.clock();
  const waiting = await findMailLink(tx, given, now);
  const user = waiting && (await lockCustomer(tx, waiting));
  const link = user && (await consumeMailLink(tx, given, now));
  if (!user || !link?.before) return false;
  const { uid, language } = user;
  // what went to the thief's names first, and then what is left of anybody's
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
 * Links of earlier versions do not say what kind of name the account was, and it may have changed since (`removePhone`). Of
 * an account that was never proved, no other name is restored: the link is its first proof ([Note: First proof]).
 */
function namesBefore(before: ContactBefore, { verifiedAt }: Pick<UserRow, 'verifiedAt'>): ContactBefore {
  const accountType = before.accountType ?? (before.account.includes('@') ? 'email' : 'phone');
  const isFirst = verifiedAt === null && accountType === 'email';
  return { ...before, accountType, ...(isFirst && { phone: null, areaCode: null, googleSub: null }) };
}
