import type * as contract from '#contract/email.ts';
import { customerKey } from '#server/auth/customer-key.ts';
import { lockCustomer } from '#server/auth/evict.ts';
import { assertStrongPassword } from '#server/auth/guessed-password.ts';
import { clearLoginGuesses } from '#server/auth/login-limits.ts';
import { maskAccount } from '#contract/mask.ts';
import { hashPassword } from '#server/auth/password.ts';
import { setPassword } from '#server/auth/set-password.ts';
import type { Database } from '#server/db/connect.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import { clearLinkLimits } from './daily-message-limits.ts';
import { findMailLink, consumeMailLink, type GivenMailToken } from '#server/auth/mail-links.ts';
import { refuseToken } from '#server/auth/refuse-token.ts';

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
  given: GivenMailToken,
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
