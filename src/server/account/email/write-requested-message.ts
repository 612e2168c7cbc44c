import { customerKey } from '#server/auth/customer-key.ts';
import { findUser, isNumberProved, type UserRow } from '#server/auth/find-user.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import type { messageRequests } from '#server/db/schema/sign-in.ts';
import type { Deps } from '#server/deps.ts';
import { accountExistsMail, confirmMail } from '#server/messages/account-mails.ts';
import { accountExistsSms, codeMail, codeSms } from '#server/messages/code-messages.ts';
import { codeOr, lastingMs, linkOr, type Reader } from './daily-message-limits.ts';
import { makeMailLink } from '#server/auth/mail-links.ts';
import { queueMail } from '#server/messages/outbox.ts';
import { queueSms, type SmsDeps } from '#server/messages/sms-budget.ts';
import { resetMail } from '#server/messages/reset-mail.ts';

type MessageRequestRow = typeof messageRequests.$inferSelect;
type MessageDeps = SmsDeps & Pick<Deps, 'sms'>;

interface Wanted {
  readonly brand: Brand;
  readonly user: UserRow | undefined;
  readonly request: MessageRequestRow;
  readonly reader: Reader;
}

/**
 * Puts into the outbox what was asked for, or nothing where that is the right answer ([Note: Message requests],
 * [Note: Daily message limits]). `tx` is the transaction that takes the request away.
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

/** What has nothing to do with whose the name is now: a sign-up, and a name that shall become a customer's. */
const forAnyone = (scene: MessageRequestRow['scene']) => scene === 'signup' || scene === 'contact';

/** A code for signing in or a new password goes to accounts, one for signing up to whoever has none yet. */
async function writeCodeOr(tx: Database, wanted: Wanted, chance: MessageDeps): Promise<void> {
  const { user, request, reader } = wanted;
  if (!forAnyone(request.scene) && !user) return;
  const byMail = !forAnyone(request.scene) && user !== undefined && user.email !== null;
  const what = await codeOr(tx, reader, { byMail, now: chance.clock(), env: chance.env });
  if (what === 'code') await writeCode(tx, wanted, chance);
  if (what === 'link') await writeReset(tx, wanted, chance, { instead: true });
}

async function writeCode(tx: Database, { brand, user, request, reader }: Wanted, chance: MessageDeps): Promise<void> {
  const { scene, code, language, account } = request;
  if (scene === null || code === null) return;
  const exists = scene === 'signup' && user !== undefined;
  if (request.accountType === 'phone') {
    // asked for while there was a provider
    if (!chance.sms) return;
    const isProved = reader.asker !== '' || (user !== undefined && isNumberProved(user));
    const text = exists ? accountExistsSms(brand, language) : codeSms(brand, language, { scene, code });
    await queueSms(tx, { brand, to: account, text, asked: true, isProved }, chance);
    return;
  }
  const mail = exists ? accountExistsMail(brand, language) : codeMail(brand, language, { scene, code });
  // an account whose owner has moved to another address is opened from there, not from the mailbox that was left
  const to = scene === 'contact' ? account : (user?.email ?? account);
  await queueMail(tx, { brand, to, asked: true, ...mail }, chance);
}

/** `instead`: in the place of a code that could not be used. */
async function writeReset(
  tx: Database,
  { brand, user, request: { language }, reader }: Wanted,
  chance: MessageDeps,
  { instead = false }: { instead?: boolean } = {},
): Promise<void> {
  if (!user || user.email === null) return;
  const how = await linkOr(tx, reader, { kind: 'reset', now: chance.clock(), instead });
  if (how === 'nothing') return;
  const lasts = how === 'lasting';
  const link = { brand, uid: user.uid, purpose: 'reset', email: user.email, language } as const;
  const url = await makeMailLink(tx, { ...link, ...(lasts && { lifetimeMs: lastingMs }) }, chance);
  await queueMail(
    tx,
    { brand, to: user.email, asked: true, ...resetMail(brand, language, url, { lasts, instead }) },
    chance,
  );
}

/** Only an account that is an address has one to confirm; a number is proved by SMS, an address bound to it by its link. */
async function writeConfirm(
  tx: Database,
  { brand, user, request: { language }, reader }: Wanted,
  chance: MessageDeps,
): Promise<void> {
  if (!user || user.email === null || user.accountType !== 'email' || user.verifiedAt !== null) return;
  // the usual link lasts long enough for both
  if ((await linkOr(tx, reader, { kind: 'confirm', now: chance.clock() })) === 'nothing') return;
  const link = { brand, uid: user.uid, purpose: 'confirm', email: user.email, language } as const;
  const url = await makeMailLink(tx, link, chance);
  await queueMail(tx, { brand, to: user.email, asked: true, ...confirmMail(brand, language, url) }, chance);
}
