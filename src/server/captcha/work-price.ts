import type { Deps } from '../deps.ts';
import { networksOf } from '../network.ts';
import { takeTry, takeTryFrom } from '../throttle.ts';
import type { CaptchaOwner } from './captcha-owner.ts';

const unlimited = { tries: Number.MAX_SAFE_INTEGER, windowMs: 15 * 60_000 };

/** Numbers of the first puzzle: at most some 2 s of a cheap phone, which tries 50,000 in a second. */
const easiest = 100_000;

/**
 * [Note: Price of work] Each puzzle that is asked for makes the next ones dearer for a quarter of an hour: `every` so many
 * double the price, `most` times. It rises soonest for one network at one account, then for a network at any, and last
 * and least for an account from everywhere: that is what strangers can do to its owner, who waits 4 s on a cheap phone on
 * average and 8 s at most, while a guesser at one address comes to 32 s for each guess. The price is fixed when the
 * puzzle is made: one that rose with every stranger's try until it is handed in could never be paid by the owner.
 */
const pair = { every: 5, most: 4 };
const network = { every: 40, most: 3 };
const account = { every: 50, most: 2 };

/** Counts that a puzzle is asked for; answers the largest number that it may have. */
export async function priceOfWork({ db, clock }: Pick<Deps, 'db' | 'clock'>, owner: CaptchaOwner): Promise<number> {
  const now = clock();
  const { near } = networksOf(owner.ip);
  const ofPair = await takeTry(db, `work ${owner.brand} ${owner.account} ${near}`, unlimited, now);
  const ofNetwork = await takeTryFrom(db, `work from ${owner.brand}`, owner.ip, unlimited, now);
  const ofAccount = await takeTry(db, `work for ${owner.brand} ${owner.account}`, unlimited, now);
  const doublings = [steps(ofPair.count, pair), steps(ofNetwork.count, network), steps(ofAccount.count, account)];
  return easiest * 2 ** Math.max(...doublings) - 1;
}

const steps = (count: number, { every, most }: typeof pair) => Math.min(most, Math.floor((count - 1) / every));
