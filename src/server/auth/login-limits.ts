import type { Refuse } from '#server/runtime/request/api-error.ts';
import type { CaptchaInput } from './captcha/captcha-owner.ts';
import { verifyCaptchaTicket, refuseWrongCaptcha, type CaptchaRequirement } from './captcha/ticket.ts';
import type { Database } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { networksOf } from '#server/runtime/request/network.ts';
import {
  clearTries,
  uncountTry,
  uncountTryFrom,
  countTry,
  countTryFrom,
  type TryResult,
} from '#server/runtime/limits/throttle.ts';
import type { Env } from '#server/env.ts';
import type { Identity } from '#server/site/account-rules.ts';
import { readDeviceToken } from './device-token.ts';
import { findUser, type UserRow } from './users.ts';

const windowMs = 15 * 60 * 1000;

/**
 * Limits password guesses narrowly for one account from one network, and loosely for an account from all networks and
 * for a network over all accounts, so that neither many addresses nor many accounts help. Many attempts require a
 * captcha, and then proof of work that gets harder. No attempt is refused, because an attacker could then lock out the
 * owner. A known device has attempts of its own and waits after twenty. Nothing here depends on whether the account
 * exists.
 */
const freeTries = 10;
const narrow = { tries: 20, windowMs };
const accountLimit = { tries: 100, windowMs };
const networkLimit = { tries: 300, windowMs };

interface LoginAttempt {
  /** code of the brand */
  readonly brand: string;
  /** as typed */
  readonly account: string;
  readonly ip: string;
}

interface LoginAttemptInput extends CaptchaInput {
  /** the nonce of a device that is known to the account */
  readonly known?: string | undefined;
}

type LimitDeps = Pick<Deps, 'db' | 'env' | 'clock' | 'metrics'>;

/**
 * Counts an attempt before the password is compared, so that concurrent ones count too. `wrongCaptcha`: a captcha or
 * proof of work is required. `tooManyFailures` with `waitSeconds`: a known device has no attempt left. The returned
 * function clears the counts; call it for a right password.
 */
export async function countLoginAttempt(
  refuse: Refuse<'tooManyFailures' | 'wrongCaptcha'>,
  deps: LimitDeps,
  guess: LoginAttempt,
  given: LoginAttemptInput,
): Promise<() => Promise<void>> {
  const { db } = deps;
  if (given.known !== undefined) return countOnDevice(refuse, deps, guess, { ...given, known: given.known });
  const network = networkKey(guess);
  const taken = await countAll(deps, guess);
  const due = dueAfter(taken);
  if (!(await verifyCaptchaTicket(deps, guess, given, due))) {
    // the password was not compared: a missing captcha must not use up attempts of a customer who is about to solve one
    await uncountTry(db, pairKey(guess));
    await uncountTry(db, accountKey(guess));
    await uncountTryFrom(db, network, guess.ip);
    refuseWrongCaptcha(refuse, due);
  }
  return async () => {
    await clearLoginGuesses(db, guess);
    // only this attempt of the network: its other guesses were at other accounts
    await uncountTryFrom(db, network, guess.ip);
  };
}

/** Clears the counts of an account after its owner has logged in, for all networks. */
export async function clearLoginGuesses(db: Database, guess: LoginAttempt): Promise<void> {
  await clearTries(db, pairKey(guess));
  await clearTries(db, accountKey(guess));
}

const pairKey = ({ brand, account, ip }: LoginAttempt) => `login ${brand} ${account} ${networksOf(ip).near}`;
const accountKey = ({ brand, account }: LoginAttempt) => `login ${brand} ${account}`;
const networkKey = ({ brand }: LoginAttempt) => `logins from ${brand}`;

interface AllTaken {
  readonly pair: TryResult;
  readonly account: TryResult;
  readonly network: TryResult;
}

async function countAll({ db, clock }: LimitDeps, guess: LoginAttempt): Promise<AllTaken> {
  const now = clock();
  return {
    pair: await countTry(db, pairKey(guess), narrow, now),
    account: await countTry(db, accountKey(guess), accountLimit, now),
    network: await countTryFrom(db, networkKey(guess), guess.ip, networkLimit, now),
  };
}

function dueAfter({ pair, account, network }: AllTaken): CaptchaRequirement {
  if (!pair.allowed || !account.allowed || !network.allowed) return 'work';
  return pair.count > freeTries ? 'captcha' : 'none';
}

async function countOnDevice(
  refuse: Refuse<'tooManyFailures' | 'wrongCaptcha'>,
  deps: LimitDeps,
  guess: LoginAttempt,
  given: LoginAttemptInput & { readonly known: string },
): Promise<() => Promise<void>> {
  const key = `login ${guess.brand} ${guess.account} by ${given.known}`;
  const taken = await countTry(deps.db, key, narrow, deps.clock());
  if (!taken.allowed) refuse('tooManyFailures', { waitSeconds: taken.waitSeconds });
  const due = taken.count > freeTries ? 'captcha' : 'none';
  if (!(await verifyCaptchaTicket(deps, guess, given, due))) {
    await uncountTry(deps.db, key);
    refuseWrongCaptcha(refuse, due);
  }
  return () => clearTries(deps.db, key);
}

/**
 * The subject of the limits for guessing. A phone number and an email address may open the same account, so guesses at
 * both are counted for one customer. Two counts exist: one by the typed name, which answers report, and one by
 * customer, which is never reported, because a count that changes for one name after attempts at another would reveal
 * that both belong together. Attempts over the second limit fail like a wrong code.
 */
interface LimitSubject {
  /** identifies the customer, or the name if no account has it; never shown */
  readonly customer: string;
  /** the device token's nonce, if the device has logged in to this account before */
  readonly known: string | undefined;
}

/** One query, whether the account exists or not. */
export async function findLimitSubject(
  { db, env }: { db: Database; env: Env },
  {
    brand,
    identity,
    device,
  }: { brand: string; identity: Pick<Identity, 'account' | 'type'>; device?: string | undefined },
): Promise<LimitSubject> {
  return limitSubjectOf(env, await findUser(db, brand, identity), { brand, account: identity.account, device });
}

/** The same for a customer that has been read already. */
export function limitSubjectOf(
  env: Env,
  user: Pick<UserRow, 'uid' | 'account' | 'evictions'> | undefined,
  { brand, account, device }: { brand: string; account: string; device?: string | undefined },
): LimitSubject {
  // a device is known to the account, whichever of its names is used to log in
  const token = readDeviceToken(env, { brand, account: user?.account ?? account }, device);
  const known = token !== undefined && token.evictions === user?.evictions ? token.nonce : undefined;
  return { customer: customerKey(user, account), known };
}

/** The key of the hidden counts of a customer. */
export const customerKey = (user: Pick<UserRow, 'uid'> | undefined, account: string) =>
  user ? `uid ${user.uid}` : account;
