import type { CodeScene } from '../../contract/codes.ts';
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
import { makeMailLink } from './mail-links.ts';
import { queueMail, queueSms } from './outbox.ts';
import { resetMail } from './reset-mail.ts';

type LetterRow = typeof letters.$inferSelect;
type Chance = Pick<Deps, 'clock' | 'random'>;

/**
 * Puts into the outbox what a letter asks for, or nothing where that is the right answer ([Note: Letters]). `tx` is the
 * transaction that takes the letter away.
 */
export async function writeLetter(tx: Database, brand: Brand, letter: LetterRow, chance: Chance): Promise<void> {
  const user = await findUser(tx, brand.code, { account: letter.account, type: letter.accountType });
  const { scene, code } = letter;
  if (letter.kind === 'reset') await writeReset(tx, brand, user, letter, chance);
  else if (letter.kind === 'confirm') await writeConfirm(tx, brand, user, letter, chance);
  else if (scene !== null && code !== null) await writeCode(tx, brand, user, { ...letter, scene, code }, chance);
}

type CodeLetter = LetterRow & { scene: CodeScene; code: string };

/** A code for signing in or a new password goes to accounts, one for signing up to whoever has none yet. */
async function writeCode(
  tx: Database,
  brand: Brand,
  user: UserRow | undefined,
  letter: CodeLetter,
  chance: Chance,
): Promise<void> {
  const { scene, language, account } = letter;
  if (scene !== 'signup' && !user) return;
  const exists = scene === 'signup' && user !== undefined;
  if (letter.accountType === 'phone') {
    const text = exists ? accountExistsSms(brand, language) : codeSms(brand, language, letter);
    await queueSms(tx, { brand, to: account, text }, chance);
    return;
  }
  const mail = exists ? accountExistsMail(brand, language) : codeMail(brand, language, letter);
  // an account whose owner has moved to another address is opened from there, not from the mailbox that was left
  await queueMail(tx, { brand, to: user?.email ?? account, ...mail }, chance);
}

async function writeReset(
  tx: Database,
  brand: Brand,
  user: UserRow | undefined,
  { language }: LetterRow,
  chance: Chance,
): Promise<void> {
  if (!user || user.email === null) return;
  const link = { brand, uid: user.uid, purpose: 'reset', email: user.email, language } as const;
  const url = await makeMailLink(tx, link, chance);
  await queueMail(tx, { brand, to: user.email, ...resetMail(brand, language, url) }, chance);
}

/** Only an account that is an address has one to confirm; a number is proved by SMS, an address bound to it by its link. */
async function writeConfirm(
  tx: Database,
  brand: Brand,
  user: UserRow | undefined,
  { language }: LetterRow,
  chance: Chance,
): Promise<void> {
  if (!user || user.email === null || user.accountType !== 'email' || user.verifiedAt !== null) return;
  const link = { brand, uid: user.uid, purpose: 'confirm', email: user.email, language } as const;
  const url = await makeMailLink(tx, link, chance);
  await queueMail(tx, { brand, to: user.email, ...confirmMail(brand, language, url) }, chance);
}
