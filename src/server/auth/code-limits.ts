import { refuse } from '../api-error.ts';
import { passCaptcha } from '../captcha/ticket.ts';
import type { Database } from '../db/connect.ts';
import type { Deps } from '../deps.ts';
import { forgetTries, giveBackTry, secondsUntil, takeTry, triesTaken } from '../throttle.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** How many codes an account gets (decisions, "Codes"), whatever they are for. */
const oneAtATime = { tries: 1, windowMs: minuteMs };
const aDay = { tries: 3, windowMs: dayMs };
/** After so many requests from one address a captcha is asked for, and after more of them none is sent any more. */
const freeFromAddress = 100;
const fromAddress = { tries: 1000, windowMs: 60 * minuteMs };
/** Wrong and right ones from one address; many people share one behind a carrier. */
const guessesFromAddress = { tries: 300, windowMs: 15 * minuteMs };
/** Wrong codes of one account, ever; the e-mail link is left to it. */
const inALifetime = { tries: 100, windowMs: 100 * 365 * dayMs };
/** Wrong codes of a brand in a day; from then on asking needs a captcha. */
const ofABrand = { tries: 1000, windowMs: dayMs };

interface Asked {
  readonly brand: string;
  readonly account: string;
}

const keys = ({ brand, account }: Asked) => ({
  pause: `code pause ${brand} ${account}`,
  day: `code day ${brand} ${account}`,
  lifetime: `code failures ${brand} ${account}`,
  brand: `code failures ${brand}`,
});

/**
 * Counts that a code is asked for, and answers in how many seconds another can be. Refuses with 4598, with -3031 and
 * `waitSeconds`, or with -3035 where a captcha is due.
 */
export async function takeCodeRequest(
  deps: Deps,
  asked: Asked & { ip: string; captchaId?: string | undefined; captcha?: string | undefined },
  now: number,
): Promise<number> {
  const { db } = deps;
  const key = keys(asked);
  await assertLifetime(db, asked, now);
  const address = await takeTry(db, `code from ${asked.brand} ${asked.ip}`, fromAddress, now);
  if (!address.allowed) refuse(-3031, { waitSeconds: address.waitSeconds });
  const failures = await triesTaken(db, key.brand, now);
  const suspicious = address.count > freeFromAddress || failures >= ofABrand.tries;
  if (suspicious && !(await passCaptcha(deps, asked.brand, asked))) refuse(-3035);
  const pause = await takeTry(db, key.pause, oneAtATime, now);
  if (!pause.allowed) refuse(-3031, { waitSeconds: pause.waitSeconds });
  const day = await takeTry(db, key.day, aDay, now);
  if (day.allowed) return secondsUntil(day.count < aDay.tries ? pause.resetsAt : day.resetsAt, now);
  // no code was made, so the next refusal has to name the day's wait and not this minute's
  await forgetTries(db, key.pause);
  return refuse(-3031, { waitSeconds: day.waitSeconds });
}

/** Whether a code may be tried from here. Refuses with 4598, or with 17 and `waitSeconds`. */
export async function assertMayGuess(db: Database, guess: Asked & { ip: string }, now: number): Promise<void> {
  await assertLifetime(db, guess, now);
  const taken = await takeTry(db, guessKey(guess), guessesFromAddress, now);
  if (!taken.allowed) refuse(17, { waitSeconds: taken.waitSeconds });
}

/** A right code is no guess. */
export async function giveBackGuess(db: Database, guess: Asked & { ip: string }): Promise<void> {
  await giveBackTry(db, guessKey(guess));
}

export async function countWrongCode(db: Database, guess: Asked, now: number): Promise<void> {
  const key = keys(guess);
  await takeTry(db, key.lifetime, inALifetime, now);
  await takeTry(db, key.brand, ofABrand, now);
}

const guessKey = ({ brand, ip }: { brand: string; ip: string }) => `code guess ${brand} ${ip}`;

async function assertLifetime(db: Database, asked: Asked, now: number): Promise<void> {
  if ((await triesTaken(db, keys(asked).lifetime, now)) >= inALifetime.tries) refuse(4598);
}
