import { and, eq, ne, or } from 'drizzle-orm';
import type * as contract from '#contract/email.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import { lockCustomer } from '#server/auth/users.ts';
import { violatedIndex, type Database } from '#server/db/connect.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import type { Handler } from '#server/runtime/request/request-context.ts';
import { bindMail } from '#server/messages/account-mails.ts';
import {
  endMailLinks,
  findMailLink,
  findUsedLink,
  makeMailLink,
  consumeMailLink,
  type MailTokenInput,
  type MailLink,
  refuseToken,
} from '#server/auth/mail-links.ts';
import { queueMail } from '#server/messages/message-requests.ts';

type Owner = Pick<MailLink, 'brand' | 'uid' | 'email'>;

/**
 * Emails an address a link that binds it to an account; nothing changes before its owner confirms. `email` is
 * normalized and valid for the brand. An account whose name is not proved gets no second name (`verifyAccount`).
 */
export async function startBinding(
  tx: Database,
  { brand, uid, email }: { brand: Brand; uid: string; email: string },
  deps: Pick<Deps, 'clock' | 'random'>,
): Promise<'queued' | 'accountNotFound' | 'accountNotProved' | 'emailInUse'> {
  const [user] = await tx
    .select({ language: users.language, verifiedAt: users.verifiedAt })
    .from(users)
    .where(and(eq(users.brand, brand.code), eq(users.uid, uid)));
  if (!user) return 'accountNotFound';
  if (user.verifiedAt === null) return 'accountNotProved';
  if (await belongsToAnother(tx, { brand: brand.code, uid, email })) return 'emailInUse';
  const { language } = user;
  const url = await makeMailLink(tx, { brand, uid, purpose: 'bind', email, language }, deps);
  await queueMail(tx, { brand, to: email, asked: true, ...bindMail(brand, language, url) }, deps);
  return 'queued';
}

export const bindEmailConfirmed: Handler<typeof contract.bindEmailConfirmed> = async ({ body }, context) => {
  const { deps, brand } = context;
  const given = { brand: brand.code, token: body.token, purpose: 'bind' } as const;
  const now = deps.clock();
  const email = (await bindOnce(context.refuse, deps.db, given, now)) ?? (await boundBefore(deps.db, given, now));
  return email === undefined ? refuseToken(context) : { email };
};

/**
 * Consumes the link; undefined when it does not exist. `emailBindingFailed`: the address belongs to another account by now.
 */
async function bindOnce(
  refuse: Refuse<'emailBindingFailed'>,
  db: Database,
  given: MailTokenInput,
  now: number,
): Promise<string | undefined> {
  try {
    return await db.transaction(async (tx) => {
      const waiting = await findMailLink(tx, given, now);
      const owner = waiting && (await lockCustomer(tx, waiting));
      // an unproved account gets no second name
      if (owner?.verifiedAt === null) return undefined;
      const link = await consumeMailLink(tx, given, now);
      if (!link) return undefined;
      if (await belongsToAnother(tx, link)) refuse('emailBindingFailed');
      await bindTo(tx, link, now);
      return link.email;
    });
  } catch (error) {
    // another account took the address between the check and the update
    if (violatedIndex(error) === 'users_email') refuse('emailBindingFailed');
    throw error;
  }
}

async function bindTo(tx: Database, { brand, uid, email }: Owner, now: number): Promise<void> {
  // links that were sent to the previous address end
  await endMailLinks(tx, { brand, uid, purposes: ['reset', 'confirm'] }, now);
  await tx
    .update(users)
    .set({ email })
    .where(and(eq(users.brand, brand), eq(users.uid, uid)));
}

/** The address of a link that was used already, so that repeating a call after a lost answer succeeds. */
async function boundBefore(db: Database, given: MailTokenInput, now: number): Promise<string | undefined> {
  const link = await findUsedLink(db, given, now);
  if (!link) return undefined;
  const [user] = await db
    .select({ uid: users.uid })
    .from(users)
    .where(and(eq(users.brand, link.brand), eq(users.uid, link.uid), eq(users.email, link.email)));
  return user && link.email;
}

/** Whether another customer uses this address for login or email. */
async function belongsToAnother(tx: Database, { brand, uid, email }: Owner): Promise<boolean> {
  const rows = await tx
    .select({ uid: users.uid })
    .from(users)
    .where(and(eq(users.brand, brand), ne(users.uid, uid), or(eq(users.email, email), eq(users.account, email))))
    .limit(1);
  return rows.length > 0;
}
