import { areGuessesExhausted } from '#server/auth/code-guesses.ts';
import type { Database } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { clearTries, countTry } from '#server/runtime/limits/throttle.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/**
 * [Note: Daily message limits] Whoever asks is answered the same, and what reaches a mailbox is decided here, where the customer
 * is known and nobody outside can tell. Strangers can ask as often as they are willing to work, so a mailbox gets ten
 * codes a day and five mails of each other kind as they are asked for. After that it gets one link in four hours, which
 * is good for four hours: so there is always one in it that works, and whoever asks meanwhile finds it there. The same
 * link comes in the place of a code when no code can be tried any more today ([Note: Guessing codes]). A known device has
 * limits of its own, which strangers cannot use up.
 */
const codes = { tries: 10, windowMs: dayMs };
const links = { tries: 5, windowMs: dayMs };
/** An SMS holds no link, so a number goes on with codes, now and then. */
const codesThen = { tries: 1, windowMs: hourMs };
const linksThen = { tries: 1, windowMs: 4 * hourMs };

/** How long the links of then are good for, in milliseconds. */
export const lastingMs = linksThen.windowMs;

export interface Reader {
  /** code of the brand */
  readonly brand: string;
  /** [Note: One customer, two names] */
  readonly customer: string;
  /** the known device that asked; empty for everybody else */
  readonly asker: string;
}

const keyOf = (what: string, { brand, customer, asker }: Reader) =>
  `messages ${what} ${brand} ${customer}${asker === '' ? '' : ` by ${asker}`}`;

/** Whether a code is sent now, a link in its place where there is an address for one, or nothing. */
export async function codeOr(
  tx: Database,
  reader: Reader,
  { byMail, now, env }: { byMail: boolean; now: number; env: Deps['env'] },
): Promise<'code' | 'link' | 'nothing'> {
  const known = reader.asker === '' ? undefined : reader.asker;
  const spent = await areGuessesExhausted({ db: tx, env }, { ...reader, known }, now);
  if (!spent && (await countTry(tx, keyOf('code', reader), codes, now)).allowed) return 'code';
  if (byMail) return 'link';
  return (await countTry(tx, keyOf('code then', reader), codesThen, now)).allowed ? 'code' : 'nothing';
}

/** Whether a link is sent now as usual, as one that lasts, or not at all because one that lasts is in the mailbox. */
export async function linkOr(
  tx: Database,
  reader: Reader,
  { kind, now, instead = false }: { kind: 'reset' | 'confirm'; now: number; instead?: boolean },
): Promise<'usual' | 'lasting' | 'nothing'> {
  if (!instead && (await countTry(tx, keyOf(kind, reader), links, now)).allowed) return 'usual';
  return (await countTry(tx, keyOf(`${kind} then`, reader), linksThen, now)).allowed ? 'lasting' : 'nothing';
}

/** After a link was followed it is in no mailbox any more, so the next one is sent at once. */
export async function clearLinkLimits(db: Database, reader: Omit<Reader, 'asker'>): Promise<void> {
  await clearTries(db, keyOf('reset then', { ...reader, asker: '' }));
}
