import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type * as contract from '../../contract/email.ts';
import { refuse } from '../request/api-error.ts';
import type { Database } from '../db/connect.ts';
import { users } from '../db/schema/users.ts';
import type { Handler } from '../request/bind.ts';
import { findSpentLink, spendMailLink, type GivenMailToken, type MailLink } from '../auth/mail-links.ts';
import { refuseToken } from './refuse-token.ts';

export const activeUser: Handler<typeof contract.activeUser> = async ({ body }, context) => {
  const { deps, brand } = context;
  const given = { brand: brand.code, token: body.token, purpose: 'confirm' } as const;
  const now = deps.clock();
  const email =
    (await deps.db.transaction((tx) => confirm(tx, given, now))) ?? (await confirmedBefore(deps.db, given, now));
  return email === undefined ? refuseToken(context) : { email };
};

/** Spends the link; undefined when there is none to spend. 10027 where the account's address is another by now. */
async function confirm(tx: Database, given: GivenMailToken, now: number): Promise<string | undefined> {
  const link = await spendMailLink(tx, given, now);
  if (!link) return undefined;
  const [user] = await tx
    .update(users)
    .set({ verifiedAt: sql`coalesce(${users.verifiedAt}, ${now})` })
    .where(ownerOf(link))
    .returning({ uid: users.uid });
  return user ? link.email : refuse(10027);
}

/** The address of a link that has done its work already: an answer may get lost, and its repeat is no error. */
async function confirmedBefore(db: Database, given: GivenMailToken, now: number): Promise<string | undefined> {
  const link = await findSpentLink(db, given, now);
  if (!link) return undefined;
  const [user] = await db
    .select({ uid: users.uid })
    .from(users)
    .where(and(ownerOf(link), isNotNull(users.verifiedAt)));
  return user && link.email;
}

const ownerOf = ({ brand, uid, email }: MailLink) =>
  and(eq(users.brand, brand), eq(users.uid, uid), eq(users.email, email));
