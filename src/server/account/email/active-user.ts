import { and, eq, isNotNull } from 'drizzle-orm';
import type { Payload } from '#contract/endpoint.ts';
import type * as contract from '#contract/email.ts';
import type { Database } from '#server/db/connect.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import type { ContextOf, RequestContext, Handler } from '#server/runtime/request/request-context.ts';
import { lockCustomer, type UserRow } from '#server/auth/users.ts';
import {
  findMailLink,
  findUsedLink,
  makeMailLink,
  consumeMailLink,
  refuseToken,
  type MailTokenInput,
  type MailLink,
} from '#server/auth/mail-links.ts';
import { verifyAccount } from '#server/auth/verify-account.ts';
import { clearLoginGuesses, customerKey } from '#server/auth/login-limits.ts';
import { maskAccount } from '#contract/mask.ts';
import { hashPassword, assertStrongPassword } from '#server/auth/password.ts';
import { setPassword } from '#server/auth/set-password.ts';
import { clearLinkLimits } from './daily-message-limits.ts';

type Confirmed = Payload<typeof contract.activeUser>;

export const activeUser: Handler<typeof contract.activeUser> = async ({ body }, context) => {
  const { deps, brand } = context;
  const given = { brand: brand.code, token: body.token, purpose: 'confirm' } as const;
  const confirmed = await deps.db.transaction((tx) => confirm(tx, given, context));
  if (confirmed) return confirmed;
  const email = await confirmedBefore(deps.db, given, deps.clock());
  return email === undefined ? refuseToken(context) : { email };
};

/** Consumes the link. Undefined if it does not exist; `activationFailed` if the account's address has changed since. */
async function confirm(
  tx: Database,
  given: MailTokenInput,
  context: ContextOf<typeof contract.activeUser>,
): Promise<Confirmed | undefined> {
  const { deps, brand, tokenHash } = context;
  const now = deps.clock();
  const waiting = await findMailLink(tx, given, now);
  const locked = waiting && (await lockCustomer(tx, waiting));
  const link = locked && (await consumeMailLink(tx, given, now));
  if (!link) return undefined;
  const { uid, email } = link;
  if (locked.email !== email) return context.refuse('activationFailed');
  const isCreator = tokenHash !== null && (await isOfSignUp(tx, locked, tokenHash));
  const isFirst = locked.verifiedAt === null;
  const proved = await verifyAccount(tx, locked, { isCreator }, context);
  if (!proved || !isFirst || isCreator) return { email };
  const url = await makeMailLink(tx, { brand, uid, purpose: 'reset', email, language: proved.language }, deps);
  return { email, passwordToken: new URL(url).searchParams.get('token') ?? '' };
}

/**
 * The sign-up opens its session in the transaction that creates the account, so their times are close; milliseconds.
 */
const signUpMs = 5000;

/** Whether the sign-up opened this session: an attacker can bring a later one into the owner's browser. */
async function isOfSignUp(tx: Database, { brand, uid, createdAt }: UserRow, tokenHash: string): Promise<boolean> {
  const [session] = await tx
    .select({ kind: sessions.kind, createdAt: sessions.createdAt })
    .from(sessions)
    .where(and(eq(sessions.tokenHash, tokenHash), eq(sessions.brand, brand), eq(sessions.uid, uid)));
  return session?.kind === 'customer' && session.createdAt - createdAt <= signUpMs;
}

/** The address of a link that was used already, so that repeating a call after a lost answer succeeds. */
async function confirmedBefore(db: Database, given: MailTokenInput, now: number): Promise<string | undefined> {
  const link = await findUsedLink(db, given, now);
  if (!link) return undefined;
  const [user] = await db
    .select({ uid: users.uid })
    .from(users)
    .where(and(ownerOf(link), isNotNull(users.verifiedAt)));
  return user && link.email;
}

const ownerOf = ({ brand, uid, email }: MailLink) =>
  and(eq(users.brand, brand), eq(users.uid, uid), eq(users.email, email));

/** Reads the link without consuming it, so that programs that open links in advance use nothing up. */
export const obtainResetPasswordEmail: Handler<typeof contract.obtainResetPasswordEmail> = async (
  { body },
  context,
) => {
  const { deps, brand } = context;
  const link = await findMailLink(deps.db, { brand: brand.code, token: body.token, purpose: 'reset' }, deps.clock());
  if (!link) return refuseToken(context);
  return { email: maskAccount(link.email), expiresAt: link.expiresAt };
};

export const emailResetPassword: Handler<typeof contract.emailResetPassword> = async ({ body }, context) => {
  const { deps, brand, ip } = context;
  const given = { brand: brand.code, token: body.token, purpose: 'reset' } as const;
  // checked first, because hashing is expensive and must not be caused by invalid tokens
  const link = await findMailLink(deps.db, given, deps.clock());
  if (!link) return refuseToken(context);
  assertStrongPassword(body.password, { brand, account: link.email, field: 'password' });
  const passwordHash = await hashPassword(body.password, ip);
  const { account, uid } = await deps.db.transaction((tx) => setPasswordByLink(tx, given, passwordHash, context));
  await clearLinkLimits(deps.db, { brand: brand.code, customer: customerKey({ uid }, account) });
  // a customer who was locked out after a forgotten password can log in at once
  await clearLoginGuesses(deps.db, { brand: brand.code, account, ip });
  return {};
};

/** Sets the password and returns its account. `linkGone`; `resetPasswordFailed`: the account has another address. */
async function setPasswordByLink(
  tx: Database,
  given: MailTokenInput,
  passwordHash: string,
  context: RequestContext<'linkGone' | 'resetPasswordFailed'>,
): Promise<{ account: string; uid: string }> {
  const now = context.deps.clock();
  const waiting = await findMailLink(tx, given, now);
  const user = waiting && (await lockCustomer(tx, waiting));
  const link = await consumeMailLink(tx, given, now);
  if (!link) return context.refuse('linkGone');
  if (user?.email !== link.email) return context.refuse('resetPasswordFailed');
  // an email proves an account named by an email address; one named by a number stays unproved
  const proof = user.accountType === 'email' ? { isCreator: false } : undefined;
  await setPassword(tx, user, passwordHash, context, proof);
  return user;
}
