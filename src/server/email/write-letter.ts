import { customerKey } from '../auth/customer-key.ts';
import { findUser, type UserRow } from '../auth/find-user.ts';
import type { Brand } from '../brand/catalog.ts';
import type { Database } from '../db/connect.ts';
import type { letters } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import { accountExistsSms } from '../sms/account-exists-sms.ts';
import { codeSms } from '../sms/code-sms.ts';
import { accountExistsMail } from './account-exists-mail.ts';
import { codeMail } from './code-mail.ts';
import { confirmMail } from './confirm-mail.ts';
import { codeOr, lastingMs, linkOr, type Reader } from './letters-a-day.ts';
import { makeMailLink } from './mail-links.ts';
import { queueMail, queueSms } from './outbox.ts';
import { resetMail } from './reset-mail.ts';

type LetterRow = typeof letters.$inferSelect;
type Chance = Pick<Deps, 'clock' | 'random'>;

interface Wanted {
  readonly brand: Brand;
  readonly user: UserRow | undefined;
  readonly letter: LetterRow;
  readonly reader: Reader;
}

/**
 * Puts into the outbox what a letter asks for, or nothing where that is the right answer ([Note: Letters],
 * [Note: Letters a day]). `tx` is the transaction that takes the letter away.
 */
export async function writeLetter(tx: Database, brand: Brand, letter: LetterRow, chance: Chance): Promise<void> {
  const { account, accountType: type, asker } = letter;
  const user = await findUser(tx, brand.code, { account, type });
  const reader = { brand: brand.code, customer: customerKey(user, account), asker };
  const wanted = { brand, user, letter, reader };
  if (letter.kind === 'reset') await writeReset(tx, wanted, chance);
  else if (letter.kind === 'confirm') await writeConfirm(tx, wanted, chance);
  else await writeCodeOr(tx, wanted, chance);
}

/** A code for signing in or a new password goes to accounts, one for signing up to whoever has none yet. */
async function writeCodeOr(tx: Database, wanted: Wanted, chance: Chance): Promise<void> {
  const { user, letter, reader } = wanted;
  if (letter.scene !== 'signup' && !user) return;
  const byMail = letter.scene !== 'signup' && user !== undefined && user.email !== null;
  const what = await codeOr(tx, reader, { byMail, now: chance.clock() });
  if (what === 'code') await writeCode(tx, wanted, chance);
  if (what === 'link') await writeReset(tx, wanted, chance, { instead: true });
}

async function writeCode(tx: Database, { brand, user, letter }: Wanted, chance: Chance): Promise<void> {
  const { scene, code, language, account } = letter;
  if (scene === null || code === null) return;
  const exists = scene === 'signup' && user !== undefined;
  if (letter.accountType === 'phone') {
    const text = exists ? accountExistsSms(brand, language) : codeSms(brand, language, { scene, code });
    await queueSms(tx, { brand, to: account, text }, chance);
    return;
  }
  const mail = exists ? accountExistsMail(brand, language) : codeMail(brand, language, { scene, code });
  // an account whose owner has moved to another address is opened from there, not from the mailbox that was left
  await queueMail(tx, { brand, to: user?.email ?? account, ...mail }, chance);
}

/** `instead`: in the place of a code that could not be used. */
async function writeReset(
  tx: Database,
  { brand, user, letter: { language }, reader }: Wanted,
  chance: Chance,
  { instead = false }: { instead?: boolean } = {},
): Promise<void> {
  if (!user || user.email === null) return;
  const how = await linkOr(tx, reader, { kind: 'reset', now: chance.clock(), instead });
  if (how === 'nothing') return;
  const lasts = how === 'lasting';
  const link = { brand, uid: user.uid, purpose: 'reset', email: user.email, language } as const;
  const url = await makeMailLink(tx, { ...link, ...(lasts && { lifetimeMs: lastingMs }) }, chance);
  await queueMail(tx, { brand, to: user.email, ...resetMail(brand, language, url, { lasts, instead }) }, chance);
}

/** Only an account that is an address has one to confirm; a number is proved by SMS, an address bound to it by its link. */
async function writeConfirm(
  tx: Database,
  { brand, user, letter: { language }, reader }: Wanted,
  chance: Chance,
): Promise<void> {
  if (!user || user.email === null || user.accountType !== 'email' || user.verifiedAt !== null) return;
  // the usual link lasts long enough for both
  if ((await linkOr(tx, reader, { kind: 'confirm', now: chance.clock() })) === 'nothing') return;
  const link = { brand, uid: user.uid, purpose: 'confirm', email: user.email, language } as const;
  const url = await makeMailLink(tx, link, chance);
  await queueMail(tx, { brand, to: user.email, ...confirmMail(brand, language, url) }, chance);
}
