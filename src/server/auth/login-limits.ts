import { eq, sql } from 'drizzle-orm';
import { refuse } from '../api-error.ts';
import type { Database } from '../db/connect.ts';
import { throttles } from '../db/schema.ts';
import { forgetTries, takeTry } from '../throttle.ts';

const windowMs = 15 * 60 * 1000;

/**
 * Guessing is bounded three times: narrowly for one account from one address, and loosely for an account from
 * everywhere and for an address against everyone, so that neither many addresses nor many accounts help a guesser.
 */
const pairLimit = { tries: 10, windowMs };
const accountLimit = { tries: 100, windowMs };
const addressLimit = { tries: 300, windowMs };

export interface Guess {
  readonly brand: string;
  readonly account: string;
  readonly ip: string;
}

const keys = ({ brand, account, ip }: Guess) => ({
  pair: `login ${brand} ${account} ${ip}`,
  account: `login ${brand} ${account}`,
  address: `login ${brand} from ${ip}`,
});

/** Counts a try before the password is looked at, so that simultaneous ones count too. Refuses with 17 or 7004. */
export async function countGuess(db: Database, guess: Guess, now: number): Promise<void> {
  const key = keys(guess);
  const pair = await takeTry(db, key.pair, pairLimit, now);
  if (!pair.allowed) refuse(17, { waitSeconds: pair.waitSeconds });
  const account = await takeTry(db, key.account, accountLimit, now);
  if (!account.allowed) refuse(7004, { waitSeconds: account.waitSeconds });
  const address = await takeTry(db, key.address, addressLimit, now);
  if (!address.allowed) refuse(7004, { waitSeconds: address.waitSeconds });
}

/** A right password clears what was counted for it; the address gets back this try only. */
export async function clearGuesses(db: Database, guess: Guess): Promise<void> {
  const key = keys(guess);
  await forgetTries(db, key.pair);
  await forgetTries(db, key.account);
  await db
    .update(throttles)
    .set({ count: sql`greatest(${throttles.count} - 1, 0)` })
    .where(eq(throttles.key, key.address));
}
