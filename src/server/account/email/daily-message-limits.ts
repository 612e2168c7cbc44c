import { areGuessesExhausted } from '#server/auth/code-guesses.ts';
import type { Database } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { clearTries, countTry } from '#server/runtime/limits/throttle.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/**
 * Limits messages to one mailbox. Every request gets the same answer; the limits apply here, in the job, where the
 * customer is known and no caller can observe it. Attackers can request as often as they pay with proof of work, so a
 * mailbox gets ten codes a day and five emails of each other kind. After that it gets one link in four hours, valid for
 * four hours, so that it always contains one that works. The same link replaces a code when no code can be tried any
 * more today. A known device has limits of its own, which attackers cannot use up.
 */
const codes = { tries: 10, windowMs: dayMs };
const links = { tries: 5, windowMs: dayMs };
/** An SMS contains no link, so a number gets a further code once an hour. */
const codesAfterLimit = { tries: 1, windowMs: hourMs };
const linksAfterLimit = { tries: 1, windowMs: 4 * hourMs };

/** The lifetime of links after the limit, in milliseconds. */
export const extendedLinkLifetimeMs = linksAfterLimit.windowMs;

export interface MessageRecipient {
  /** code of the brand */
  readonly brand: string;
  /** see `LimitSubject` */
  readonly customer: string;
  /** the known device of the request; empty without one */
  readonly asker: string;
}

const keyOf = (what: string, { brand, customer, asker }: MessageRecipient) =>
  `messages ${what} ${brand} ${customer}${asker === '' ? '' : ` by ${asker}`}`;

/** Whether a code is sent, a link instead if there is an email address, or nothing. */
export async function decideCodeMessage(
  tx: Database,
  reader: MessageRecipient,
  { byMail, now, env }: { byMail: boolean; now: number; env: Deps['env'] },
): Promise<'code' | 'link' | 'nothing'> {
  const known = reader.asker === '' ? undefined : reader.asker;
  const exhausted = await areGuessesExhausted({ db: tx, env }, { ...reader, known }, now);
  if (!exhausted && (await countTry(tx, keyOf('code', reader), codes, now)).allowed) return 'code';
  if (byMail) return 'link';
  return (await countTry(tx, keyOf('code then', reader), codesAfterLimit, now)).allowed ? 'code' : 'nothing';
}

/** Whether a usual link is sent, one with the longer lifetime, or none because the mailbox has one. */
export async function decideLinkMessage(
  tx: Database,
  reader: MessageRecipient,
  { kind, now, instead = false }: { kind: 'reset' | 'confirm'; now: number; instead?: boolean },
): Promise<'usual' | 'lasting' | 'nothing'> {
  if (!instead && (await countTry(tx, keyOf(kind, reader), links, now)).allowed) return 'usual';
  return (await countTry(tx, keyOf(`${kind} then`, reader), linksAfterLimit, now)).allowed ? 'lasting' : 'nothing';
}

/** A used link does not work again, so the next one is sent at once. */
export async function clearLinkLimits(db: Database, reader: Omit<MessageRecipient, 'asker'>): Promise<void> {
  await clearTries(db, keyOf('reset then', { ...reader, asker: '' }));
}
