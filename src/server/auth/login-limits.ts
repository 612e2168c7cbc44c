import type { Refuse } from '#server/runtime/request/api-error.ts';
import type { GivenCaptcha } from './captcha/captcha-owner.ts';
import { proves, refuseUnproven, type Proof } from './captcha/ticket.ts';
import type { Database } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { networksOf } from '#server/runtime/request/network.ts';
import {
  clearTries,
  uncountTry,
  uncountTryFrom,
  countTry,
  countTryFrom,
  type Taken,
} from '#server/runtime/limits/throttle.ts';

const windowMs = 15 * 60 * 1000;

/**
 * [Note: Login limits] Guessing is made dear narrowly for one account from one network, and loosely for an account from
 * everywhere and for a network against everyone, so that neither many addresses nor many accounts help a guesser. Who
 * has tried often is asked for a captcha, and then for work that grows ([Note: Difficulty of work]); nobody is refused, because
 * a stranger could have the owner refused, too. A device that signed in to this account before has tries of its own
 * ([Note: Device token]), and waits after twenty: only its own are counted. Nothing here depends on whether the account
 * exists.
 */
const freeTries = 10;
const narrow = { tries: 20, windowMs };
const accountLimit = { tries: 100, windowMs };
const networkLimit = { tries: 300, windowMs };

export interface Guess {
  /** code of the brand */
  readonly brand: string;
  /** as it was typed */
  readonly account: string;
  readonly ip: string;
}

export interface GuessWith extends GivenCaptcha {
  /** the nonce of a device that is known to the account */
  readonly known?: string | undefined;
}

type Room = Pick<Deps, 'db' | 'env' | 'clock'>;

/**
 * Counts a try before the password is looked at, so that simultaneous ones count too. Refuses with `wrongCaptcha` where a
 * captcha or work is due, and with `tooManyFailures` and `waitSeconds` a known device that has no try left. The answer
 * forgets what was counted: to be called for a right password.
 */
export async function countGuess(
  refuse: Refuse<'tooManyFailures' | 'wrongCaptcha'>,
  deps: Room,
  guess: Guess,
  given: GuessWith,
): Promise<() => Promise<void>> {
  const { db } = deps;
  if (given.known !== undefined) return countOnDevice(refuse, deps, guess, { ...given, known: given.known });
  const network = networkKey(guess);
  const taken = await takeAll(deps, guess);
  const due = dueAfter(taken);
  if (!(await proves(deps, guess, given, due))) {
    // no password was looked at: a missing captcha must not use up the tries of someone who is about to solve one
    await uncountTry(db, pairKey(guess));
    await uncountTry(db, accountKey(guess));
    await uncountTryFrom(db, network, guess.ip);
    refuseUnproven(refuse, due);
  }
  return async () => {
    await clearLoginGuesses(db, guess);
    // of the network this one try only: its other guesses were at other accounts
    await uncountTryFrom(db, network, guess.ip);
  };
}

/** Whoever proved to own the account may try again at once, from this network and from others. */
export async function clearLoginGuesses(db: Database, guess: Guess): Promise<void> {
  await clearTries(db, pairKey(guess));
  await clearTries(db, accountKey(guess));
}

const pairKey = ({ brand, account, ip }: Guess) => `login ${brand} ${account} ${networksOf(ip).near}`;
const accountKey = ({ brand, account }: Guess) => `login ${brand} ${account}`;
const networkKey = ({ brand }: Guess) => `logins from ${brand}`;

interface AllTaken {
  readonly pair: Taken;
  readonly account: Taken;
  readonly network: Taken;
}

async function takeAll({ db, clock }: Room, guess: Guess): Promise<AllTaken> {
  const now = clock();
  return {
    pair: await countTry(db, pairKey(guess), narrow, now),
    account: await countTry(db, accountKey(guess), accountLimit, now),
    network: await countTryFrom(db, networkKey(guess), guess.ip, networkLimit, now),
  };
}

function dueAfter({ pair, account, network }: AllTaken): Proof {
  if (!pair.allowed || !account.allowed || !network.allowed) return 'work';
  return pair.count > freeTries ? 'captcha' : 'none';
}

async function countOnDevice(
  refuse: Refuse<'tooManyFailures' | 'wrongCaptcha'>,
  deps: Room,
  guess: Guess,
  given: GuessWith & { readonly known: string },
): Promise<() => Promise<void>> {
  const key = `login ${guess.brand} ${guess.account} by ${given.known}`;
  const taken = await countTry(deps.db, key, narrow, deps.clock());
  if (!taken.allowed) refuse('tooManyFailures', { waitSeconds: taken.waitSeconds });
  const due = taken.count > freeTries ? 'captcha' : 'none';
  if (!(await proves(deps, guess, given, due))) {
    await uncountTry(deps.db, key);
    refuseUnproven(refuse, due);
  }
  return () => clearTries(deps.db, key);
}
