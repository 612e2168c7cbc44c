import { and, eq } from 'drizzle-orm';
import type * as contract from '#contract/settings.ts';
import { maskAccount } from '#contract/mask.ts';
import { assertCanBeSent, requestCode, consumeCode } from '#server/auth/codes.ts';
import { supportedLanguage } from '#server/auth/signup.ts';
import { findLimitSubject } from '#server/auth/login-limits.ts';
import { newDeviceToken } from '#server/auth/device-token.ts';
import {
  revokeCodesAndLinks,
  lockActiveCustomer,
  evictSessions,
  lockCustomer,
  findUser,
  isPhoneVerified,
  numberOf,
  type UserRow,
} from '#server/auth/users.ts';
import {
  endMailLinks,
  makeMailLink,
  findMailLink,
  consumeMailLink,
  refuseToken,
  type MailTokenInput,
} from '#server/auth/mail-links.ts';
import { assertConfirmed, consumeConfirmed } from '#server/auth/confirm-owner.ts';
import { hasSession } from '#server/auth/session.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { type Database, violatedIndex } from '#server/db/connect.ts';
import { users } from '#server/db/schema/users.ts';
import { countTry } from '#server/runtime/limits/throttle.ts';
import { contactChangedMail, contactChangedSms } from '#server/messages/contact-changed.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { queueSms, type SmsDeps } from '#server/messages/sms-budget.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import type { CustomerContext, RequestContext, Handler } from '#server/runtime/request/request-context.ts';
import { assertExists, identityOf, type Identity } from '#server/site/account-rules.ts';
import type { PreviousContact } from '#server/db/schema/sign-in.ts';
import { resetMail } from '#server/messages/password-mails.ts';

/** Codes to new contacts of one customer: more than anyone needs, and few enough to prevent spam. */
const limit = { tries: 10, windowMs: 24 * 60 * 60_000 };

/** A second name would still open the account after the owner of the first one has proved it (`verifyAccount`). */
function assertMayAdd({ user, refuse }: CustomerContext<'notVerified'>, { type }: Identity): void {
  if (user.verifiedAt === null && user.accountType !== type) return refuse('notVerified');
}

/** `operationUnsupported` for a number if the brand accepts none, or no SMS can be sent. */
function contactOf(
  { brand, deps, refuse }: CustomerContext<'emailFormat' | 'operationUnsupported' | 'phoneFormat'>,
  body: Parameters<typeof identityOf>[2],
): Identity {
  assertCanBeSent(refuse, deps, body.type);
  if (body.type === 'phone' && brand.config.validRules.phone === undefined) return refuse('operationUnsupported');
  const identity = identityOf(refuse, brand, body);
  assertExists(refuse, identity);
  return identity;
}

export const sendContactCode: Handler<typeof contract.sendContactCode> = async ({ body }, context) => {
  const { deps, brand, user, ip } = context;
  assertConfirmed(context, 'contact', body.confirmation);
  const identity = contactOf(context, body);
  assertMayAdd(context, identity);
  const taken = await countTry(deps.db, `contact codes ${brand.code} ${user.uid}`, limit, deps.clock());
  if (!taken.allowed) return context.refuse('tooFrequent', { waitSeconds: taken.waitSeconds });
  const { captchaId, captcha } = body;
  const language = supportedLanguage(brand, body.language);
  return requestCode(context.refuse, deps, {
    brand: brand.code,
    identity,
    scene: 'contact',
    language,
    ip,
    captchaId,
    captcha,
  });
};

export const changeContact: Handler<typeof contract.changeContact> = async ({ body }, context) => {
  const { deps, brand, ip } = context;
  assertConfirmed(context, 'contact', body.confirmation);
  const identity = contactOf(context, body);
  assertMayAdd(context, identity);
  const { account } = identity;
  const { code, request } = body;
  const { customer } = await findLimitSubject(deps, { brand: brand.code, identity });
  // outside the transaction: a refusal would roll back the count of the attempt
  await consumeCode(context.refuse, deps, {
    brand: brand.code,
    account,
    ip,
    customer,
    known: undefined,
    scene: 'contact',
    code,
    request,
  });
  const changed = await write(identity, context, body.confirmation);
  return { account: changed.account, type: changed.accountType, deviceToken: newDeviceToken(deps, changed) };
};

async function write(
  identity: Identity,
  context: CustomerContext<'accountInUse' | 'requestExpired'>,
  confirmation: string,
): Promise<UserRow> {
  const { deps, brand, user, tokenHash } = context;
  try {
    return await deps.db.transaction(async (tx) => {
      const locked = await lockActiveCustomer(tx, user);
      // the session has ended since, perhaps by the owner against an attacker
      if (!locked || tokenHash === null || !(await hasSession(tx, brand.code, tokenHash)))
        return context.refuse('invalidToken');
      await consumeConfirmed(tx, context, 'contact', confirmation);
      const owner = await findUser(tx, brand.code, identity);
      if (owner && owner.uid !== locked.uid) context.refuse('accountInUse');
      return replace(context.refuse, tx, { brand, before: locked, identity }, deps);
    });
  } catch (error) {
    // another account took the name between the check and the update
    if (/^users_(account|email|phone)$/.test(violatedIndex(error) ?? '')) context.refuse('accountInUse');
    throw error;
  }
}

interface Change {
  readonly brand: Brand;
  readonly before: UserRow;
  readonly identity: Identity;
}

/**
 * Codes and links for the previous name end. Devices stay logged in, because each has logged in itself; the owner can
 * end all sessions with the link in the email about the change.
 */
async function replace(
  refuse: Refuse,
  tx: Database,
  { brand, before, identity }: Change,
  deps: SmsDeps & Pick<CustomerContext['deps'], 'sms'>,
): Promise<UserRow> {
  const { account, type, areaCode } = identity;
  const now = deps.clock();
  const isNew = (type === 'email' ? before.email : (before.phone ?? before.account)) !== account;
  if (isNew) {
    await revokeCodesAndLinks(tx, before);
    await endMailLinks(tx, { brand: brand.code, uid: before.uid, purposes: ['confirm'] }, now);
    await notifyOfChange(tx, { brand, before, identity }, deps);
  }
  const [changed] = await tx
    .update(users)
    .set({
      // only a code to the account's own kind of name proves the account
      ...(before.accountType === type && { account, verifiedAt: now }),
      ...(type === 'email' ? { email: account } : { phone: account, areaCode }),
    })
    .where(and(eq(users.brand, brand.code), eq(users.uid, before.uid)))
    .returning();
  return changed ?? refuse('invalidToken');
}

/**
 * Notifies the previous address, with a link that restores it, and by SMS the previous number, or if there is no
 * address.
 */
async function notifyOfChange(
  tx: Database,
  { brand, before, identity }: Change,
  deps: SmsDeps & Pick<CustomerContext['deps'], 'sms'>,
): Promise<void> {
  const { uid, language, account, accountType, areaCode, email, phone, googleSub } = before;
  const change = { type: identity.type, to: maskAccount(identity.account) };
  if (email !== null) {
    // an unconfirmed address may belong to someone else, who could take over the account with the link in this email
    const isUnproved = accountType === 'email' && before.verifiedAt === null;
    const was = { account, accountType, areaCode, email, phone, googleSub };
    const link = { brand, uid, purpose: 'restore', email, language, before: was } as const;
    const url = isUnproved ? undefined : await makeMailLink(tx, link, deps);
    await queueMail(tx, { brand, to: email, ...contactChangedMail(brand, language, { ...change, url }) }, deps);
  }
  const number = numberOf(before);
  if (deps.sms && number !== null && (identity.type === 'phone' || email === null))
    await queueSms(
      tx,
      { brand, to: number, text: contactChangedSms(brand, language, change), isProved: isPhoneVerified(before) },
      deps,
    );
}

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
async function restoreNames(tx: Database, given: MailTokenInput, { deps, brand }: RequestContext): Promise<boolean> {
  const now = deps.clock();
  const waiting = await findMailLink(tx, given, now);
  const user = waiting && (await lockCustomer(tx, waiting));
  const link = user && (await consumeMailLink(tx, given, now));
  if (!user || !link?.before) return false;
  const { uid, language } = user;
  // while the row has the attacker's names: ends the messages to them
  await evictSessions(tx, user, now);
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
 * (`verifyAccount`).
 */
function namesBefore(before: PreviousContact, { verifiedAt }: Pick<UserRow, 'verifiedAt'>): PreviousContact {
  const accountType = before.accountType ?? (before.account.includes('@') ? 'email' : 'phone');
  const isFirst = verifiedAt === null && accountType === 'email';
  return { ...before, accountType, ...(isFirst && { phone: null, areaCode: null, googleSub: null }) };
}
