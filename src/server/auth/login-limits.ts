import { refuse } from '../api-error.ts';
import { passCaptcha, type GivenCaptcha } from '../captcha/ticket.ts';
import type { Database } from '../db/connect.ts';
import type { Deps } from '../deps.ts';
import { forgetTries, giveBackTry, takeTry } from '../throttle.ts';
import { knownDevice } from './device-token.ts';

const windowMs = 15 * 60 * 1000;

/**
 * [Note: Login limits] Guessing is bounded narrowly for one account from one address, and loosely for an account from
 * everywhere and for an address against everyone, so that neither many addresses nor many accounts help a guesser. A
 * device that signed in to this account before has tries of its own instead of all three ([Note: Device token]):
 * whatever strangers do, its owner gets in. Nothing here depends on whether the account exists.
 */
const freeTries = 10;
const narrow = { tries: 20, windowMs };
const accountLimit = { tries: 100, windowMs };
const addressLimit = { tries: 300, windowMs };

export interface Guess {
  /** code of the brand */
  readonly brand: string;
  readonly account: string;
  readonly ip: string;
}

export interface GuessWith extends GivenCaptcha {
  readonly device?: string | undefined;
}

/**
 * Counts a try before the password is looked at, so that simultaneous ones count too. Refuses with -3035 where a
 * captcha is due, with 17 or 7004 and `waitSeconds` where no try is left. The answer forgets what was counted: to be
 * called for a right password.
 */
export async function countGuess(
  deps: Pick<Deps, 'db' | 'env' | 'clock'>,
  guess: Guess,
  given: GuessWith,
): Promise<() => Promise<void>> {
  const { db } = deps;
  const { brand, account, ip } = guess;
  const nonce = await knownDevice(deps, guess, given.device);
  if (nonce !== undefined) {
    const device = `login ${brand} ${account} by ${nonce}`;
    await takeNarrow(deps, brand, device, given);
    return () => forgetTries(db, device);
  }
  await takeNarrow(deps, brand, pairKey(guess), given);
  await takeWide(db, accountKey(guess), accountLimit, deps.clock());
  const address = `logins from ${brand} ${ip}`;
  await takeWide(db, address, addressLimit, deps.clock());
  return async () => {
    await forgetGuesses(db, guess);
    // of the address this one try only: its other guesses were at other accounts
    await giveBackTry(db, address);
  };
}

/** Whoever proved to own the account may try again at once, from this address and from others. */
export async function forgetGuesses(db: Database, guess: Guess): Promise<void> {
  await forgetTries(db, pairKey(guess));
  await forgetTries(db, accountKey(guess));
}

const pairKey = ({ brand, account, ip }: Guess) => `login ${brand} ${account} ${ip}`;
const accountKey = ({ brand, account }: Guess) => `login ${brand} ${account}`;

async function takeNarrow(
  deps: Pick<Deps, 'db' | 'env' | 'clock'>,
  brand: string,
  key: string,
  given: GivenCaptcha,
): Promise<void> {
  const taken = await takeTry(deps.db, key, narrow, deps.clock());
  if (!taken.allowed) refuse(17, { waitSeconds: taken.waitSeconds });
  if (taken.count <= freeTries || (await passCaptcha(deps, brand, given))) return;
  // no password was looked at: a missing captcha must not use up the tries of someone who is about to solve one
  await giveBackTry(deps.db, key);
  refuse(-3035);
}

async function takeWide(db: Database, key: string, limit: typeof narrow, now: number): Promise<void> {
  const taken = await takeTry(db, key, limit, now);
  if (!taken.allowed) refuse(7004, { waitSeconds: taken.waitSeconds });
}
