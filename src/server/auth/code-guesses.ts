import { createHmac } from 'node:crypto';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import type { Database } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import { uncountTry, countTry, countTryFrom, countedTries } from '#server/runtime/limits/throttle.ts';

const dayMs = 24 * 60 * 60_000;

/**
 * A code has four digits, so the number of attempts limits guessing, and proof of work does not replace it: three for
 * each code, nine a day for each customer over all codes and purposes (9 of 10,000, 0.09 %), and a hundred wrong ones
 * in a lifetime. Only the network or request that requested a code can try it, so attackers use up neither the owner's
 * code nor its attempts. They can use up the nine of the day; then the email contains a link instead of a code. A known
 * device has nine and a hundred of its own.
 */
const aDay = { tries: 9, windowMs: dayMs };
const inALifetime = { tries: 100, windowMs: 100 * 365 * dayMs };
/** Wrong codes of a brand in a day; beyond it, requests for codes require a captcha. */
export const brandFailures = {
  limit: { tries: 1000, windowMs: dayMs },
  key: (brand: string) => `code failures ${brand}`,
};
/** Attempts at codes that do not exist, by network; many customers share one behind a carrier. */
const missesFromNetwork = { tries: 300, windowMs: 15 * 60_000 };

export interface CodeGuessSource {
  /** code of the brand */
  readonly brand: string;
  /** as typed */
  readonly account: string;
  /** see `LimitSubject` */
  readonly customer: string;
  /** the nonce of a device that is known to the account */
  readonly known: string | undefined;
}

export const deviceKeySuffix = (known: string | undefined) => (known === undefined ? '' : ` by ${known}`);

type Keyed = Pick<Deps, 'db' | 'env'>;

/** Lifetime counts use an HMAC of the account, because they are stored beyond the deletion of an account. */
const nameMark = (env: Keyed['env'], name: string) =>
  createHmac('sha256', derivedKey(env, 'wrong codes of a name')).update(name).digest('base64url');

/**
 * The key of the count of wrong codes for a name of an account; the counts of its devices have a suffix after a space.
 */
export const failedCodesKey = (
  { env }: Pick<Keyed, 'env'>,
  { brand, account }: Pick<CodeGuessSource, 'brand' | 'account'>,
) => `code failures ${brand} ${nameMark(env, account)}`;

/** The key of the count of wrong codes for the customer, over all names. */
export const hiddenFailedCodesKey = (
  { env }: Pick<Keyed, 'env'>,
  { brand, customer }: Pick<CodeGuessSource, 'brand' | 'customer'>,
) => `code failures of ${brand} ${nameMark(env, customer)}`;

const keys = (deps: Pick<Keyed, 'env'>, guesser: CodeGuessSource) => {
  const { brand, account, customer, known } = guesser;
  const who = deviceKeySuffix(known);
  return {
    day: `code tries ${brand} ${account}${who}`,
    hiddenDay: `code tries of ${brand} ${customer}${who}`,
    lifetime: `${failedCodesKey(deps, guesser)}${who}`,
    hiddenLifetime: `${hiddenFailedCodesKey(deps, guesser)}${who}`,
  };
};

/**
 * Counts an attempt at an existing code. `tooManyFailures` with `waitSeconds`: none is left today. Returns false when
 * the customer has used up the attempts under another name: the code must then be refused as wrong (`LimitSubject`).
 */
export async function countCodeGuess(
  refuse: Refuse<'tooManyFailures'>,
  deps: Keyed,
  guesser: CodeGuessSource,
  now: number,
): Promise<boolean> {
  const { db } = deps;
  const key = keys(deps, guesser);
  const byName = await countTry(db, key.day, aDay, now);
  const byCustomer = await countTry(db, key.hiddenDay, aDay, now);
  const failures = await countedTries(db, key.hiddenLifetime, now);
  if (!byName.allowed) refuse('tooManyFailures', { waitSeconds: byName.waitSeconds });
  return byCustomer.allowed && failures < inALifetime.tries;
}

/** A right code is not counted as a guess. */
export async function uncountGuess(deps: Keyed, guesser: CodeGuessSource): Promise<void> {
  const { db } = deps;
  const key = keys(deps, guesser);
  await uncountTry(db, key.day);
  await uncountTry(db, key.hiddenDay);
}

export async function countWrongCode(deps: Keyed, guesser: CodeGuessSource, now: number): Promise<void> {
  const { db } = deps;
  const key = keys(deps, guesser);
  await countTry(db, key.lifetime, inALifetime, now);
  await countTry(db, key.hiddenLifetime, inALifetime, now);
  await countTry(db, brandFailures.key(guesser.brand), brandFailures.limit, now);
}

/**
 * Counts an attempt without an existing code, for its network only. `tooManyFailures` with `waitSeconds`: the network
 * has made too many.
 */
export async function countGuessWithoutCode(
  refuse: Refuse<'tooManyFailures'>,
  db: Database,
  { brand, ip }: { brand: string; ip: string },
  now: number,
): Promise<void> {
  const taken = await countTryFrom(db, `code guess ${brand}`, ip, missesFromNetwork, now);
  if (!taken.allowed) refuse('tooManyFailures', { waitSeconds: taken.waitSeconds });
}

/** `operationUnsupported` if too many codes have failed for this name; the email link still works. */
export async function assertCodesAllowed(
  refuse: Refuse<'operationUnsupported'>,
  deps: Keyed,
  guesser: Omit<CodeGuessSource, 'customer'>,
  now: number,
): Promise<void> {
  const { lifetime } = keys(deps, { ...guesser, customer: '' });
  if ((await countedTries(deps.db, lifetime, now)) >= inALifetime.tries) refuse('operationUnsupported');
}

/** Whether a code that is sent now could not be used today, because too many were guessed under any name. */
export async function areGuessesExhausted(
  deps: Keyed,
  guesser: Pick<CodeGuessSource, 'brand' | 'customer' | 'known'>,
  now: number,
): Promise<boolean> {
  const { db } = deps;
  const key = keys(deps, { ...guesser, account: '' });
  if ((await countedTries(db, key.hiddenDay, now)) >= aDay.tries) return true;
  return (await countedTries(db, key.hiddenLifetime, now)) >= inALifetime.tries;
}
