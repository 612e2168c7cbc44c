import { and, eq, sql } from 'drizzle-orm';
import type * as contract from '../../contract/settings.ts';
import { evict, lockCustomer } from '../auth/evict.ts';
import { endMailLinks, findMailLink, makeMailLink, spendMailLink, type GivenMailToken } from '../auth/mail-links.ts';
import type { Database } from '../db/connect.ts';
import { violatedIndex } from '../db/driver-results.ts';
import type { ContactBefore } from '../db/schema/sign-in.ts';
import { users } from '../db/schema/users.ts';
import { refuseToken } from '../email/refuse-token.ts';
import { queueMail } from '../messages/outbox.ts';
import { resetMail } from '../messages/reset-mail.ts';
import { refuse } from '../request/api-error.ts';
import type { Handler } from '../request/bind.ts';
import type { RequestContext } from '../request/request-context.ts';

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
    if (/^users_(account|email|phone|google)$/.test(violatedIndex(error) ?? '')) refuse(10025);
    throw error;
  }
};

/**
 * The kind of name that the account had. A link from before another change does not say it, and that change may have
 * made an address the name of an account that had a number.
 */
const typeOf = ({ account, email }: ContactBefore) => (account === email ? ('email' as const) : ('phone' as const));

/** False when there is no link to spend. */
async function putBack(tx: Database, given: GivenMailToken, { deps, brand }: RequestContext): Promise<boolean> {
  const now = deps.clock();
  const waiting = await findMailLink(tx, given, now);
  const user = waiting && (await lockCustomer(tx, waiting));
  const link = user && (await spendMailLink(tx, given, now));
  if (!user || !link?.before) return false;
  const { uid, language } = user;
  // what went to the thief's names first, and then what is left of anybody's
  await evict(tx, user, now);
  const { accountType = typeOf(link.before) } = link.before;
  const isProved = accountType === 'email' ? sql`coalesce(${users.verifiedAt}, ${now})` : users.verifiedAt;
  await tx
    .update(users)
    .set({ ...link.before, accountType, passwordHash: null, verifiedAt: sql`${isProved}` })
    .where(and(eq(users.brand, brand.code), eq(users.uid, uid)));
  await endMailLinks(tx, { brand: brand.code, uid, purposes: ['restore', 'confirm'] }, now);
  const { email } = link;
  const url = await makeMailLink(tx, { brand, uid, purpose: 'reset', email, language }, deps);
  await queueMail(tx, { brand, to: email, asked: true, ...resetMail(brand, language, url) }, deps);
  return true;
}
