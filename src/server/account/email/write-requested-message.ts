import { customerKey } from '#server/auth/login-limits.ts';
import { codeLifetimeMs } from '#server/auth/codes.ts';
import { findUser, isPhoneVerified, type UserRow } from '#server/auth/users.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import type { messageRequests } from '#server/db/schema/sign-in.ts';
import type { Deps } from '#server/deps.ts';
import { accountExistsMail, confirmMail } from '#server/messages/account-mails.ts';
import { accountExistsSms, codeMail, codeSms } from '#server/messages/code-messages.ts';
import {
  decideCodeMessage,
  extendedLinkLifetimeMs,
  decideLinkMessage,
  type MessageRecipient,
} from './daily-message-limits.ts';
import { makeMailLink } from '#server/auth/mail-links.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { queueSms, type SmsDeps } from '#server/messages/sms-budget.ts';
import { resetMail } from '#server/messages/password-mails.ts';

type MessageRequestRow = typeof messageRequests.$inferSelect;
type MessageDeps = SmsDeps & Pick<Deps, 'sms'>;

interface Wanted {
  readonly brand: Brand;
  readonly user: UserRow | undefined;
  readonly request: MessageRequestRow;
  readonly reader: MessageRecipient;
}

/**
 * Queues the requested message, or none if that is the right answer ([Note: Message requests]; limits in
 * daily-message-limits.ts). `tx` is the transaction that deletes the request.
 */
export async function writeRequestedMessage(
  tx: Database,
  brand: Brand,
  request: MessageRequestRow,
  chance: MessageDeps,
): Promise<void> {
  const { account, accountType: type, asker } = request;
  const user = await findUser(tx, brand.code, { account, type });
  const reader = { brand: brand.code, customer: customerKey(user, account), asker };
  const wanted = { brand, user, request, reader };
  if (request.kind === 'reset') await writeReset(tx, wanted, chance);
  else if (request.kind === 'confirm') await writeConfirm(tx, wanted, chance);
  else await writeCodeOr(tx, wanted, chance);
}

/** Scenes in which the name need not belong to an account: a sign-up, and a new contact. */
const needsNoAccount = (scene: MessageRequestRow['scene']) => scene === 'signup' || scene === 'contact';

/** Codes for a login or a password are sent to accounts, codes for a sign-up to names without one. */
async function writeCodeOr(tx: Database, wanted: Wanted, chance: MessageDeps): Promise<void> {
  const { user, request, reader } = wanted;
  if (!needsNoAccount(request.scene) && !user) return;
  const byMail = !needsNoAccount(request.scene) && user !== undefined && user.email !== null;
  const what = await decideCodeMessage(tx, reader, { byMail, now: chance.clock(), env: chance.env });
  if (what === 'code') await writeCode(tx, wanted, chance);
  if (what === 'link') await writeReset(tx, wanted, chance, { instead: true });
}

async function writeCode(tx: Database, { brand, user, request, reader }: Wanted, chance: MessageDeps): Promise<void> {
  const { scene, code, language, account } = request;
  if (scene === null || code === null) return;
  const exists = scene === 'signup' && user !== undefined;
  if (request.accountType === 'phone') {
    // requested while there was an SMS provider
    if (!chance.sms) return;
    const isProved = reader.asker !== '' || (user !== undefined && isPhoneVerified(user));
    const text = exists ? accountExistsSms(brand, language) : codeSms(brand, language, { scene, code });
    await queueSms(tx, { brand, to: account, text, asked: true, isProved }, chance);
    return;
  }
  const mail = exists ? accountExistsMail(brand, language) : codeMail(brand, language, { scene, code });
  // an owner who changed to another email address gets the code there, not in the previous mailbox
  const to = scene === 'contact' ? account : (user?.email ?? account);
  await queueMail(tx, { brand, to, asked: true, ...mail, lifetimeMs: codeLifetimeMs }, chance);
}

/** `instead`: replaces a code that could not be used. */
async function writeReset(
  tx: Database,
  { brand, user, request: { language }, reader }: Wanted,
  chance: MessageDeps,
  { instead = false }: { instead?: boolean } = {},
): Promise<void> {
  if (!user || user.email === null) return;
  const how = await decideLinkMessage(tx, reader, { kind: 'reset', now: chance.clock(), instead });
  if (how === 'nothing') return;
  const lasts = how === 'lasting';
  const link = { brand, uid: user.uid, purpose: 'reset', email: user.email, language } as const;
  const url = await makeMailLink(tx, { ...link, ...(lasts && { lifetimeMs: extendedLinkLifetimeMs }) }, chance);
  await queueMail(
    tx,
    { brand, to: user.email, asked: true, ...resetMail(brand, language, url, { lasts, instead }) },
    chance,
  );
}

/**
 * Only an account named by an email address has one to confirm; a number is proved by SMS, a bound address by its link.
 */
async function writeConfirm(
  tx: Database,
  { brand, user, request: { language }, reader }: Wanted,
  chance: MessageDeps,
): Promise<void> {
  if (!user || user.email === null || user.accountType !== 'email' || user.verifiedAt !== null) return;
  // the usual link is valid long enough for both cases
  if ((await decideLinkMessage(tx, reader, { kind: 'confirm', now: chance.clock() })) === 'nothing') return;
  const link = { brand, uid: user.uid, purpose: 'confirm', email: user.email, language } as const;
  const url = await makeMailLink(tx, link, chance);
  await queueMail(tx, { brand, to: user.email, asked: true, ...confirmMail(brand, language, url) }, chance);
}
