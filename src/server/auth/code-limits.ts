import type { Refuse } from '#server/runtime/request/api-error.ts';
import type { CaptchaInput } from './captcha/captcha-owner.ts';
import { verifyCaptchaTicket, refuseWrongCaptcha, type CaptchaRequirement } from './captcha/ticket.ts';
import type { CodePurpose } from '#contract/codes.ts';
import type { Deps } from '#server/deps.ts';
import { networksOf } from '#server/runtime/request/network.ts';
import {
  clearTries,
  uncountTry,
  secondsUntil,
  countTry,
  countTryFrom,
  countedTries,
} from '#server/runtime/limits/throttle.ts';
import { assertCodesAllowed, brandFailures, deviceKeySuffix } from './code-guesses.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** One code a minute for each network, and three a day for each purpose without proof of work. */
const oneAtATime = { tries: 1, windowMs: minuteMs };
const aDay = { tries: 3, windowMs: dayMs };
/** Requests from one network before a captcha is required, and before proof of work is. */
const freeFromNetwork = 100;
const fromNetwork = { tries: 300, windowMs: 60 * minuteMs };

interface CodeRequester extends CaptchaInput {
  /** code of the brand */
  readonly brand: string;
  /** as typed */
  readonly account: string;
  readonly scene: CodePurpose;
  readonly ip: string;
  /** the nonce of a device that is known to the account */
  readonly known: string | undefined;
}

/**
 * Counts a request for a code and returns the seconds until the next is possible. Anyone can request codes for an
 * account, so no number of them blocks its owner: from the fourth of a day and purpose on, each costs proof of work.
 * Guesses (code-guesses.ts) and messages to one mailbox have fixed limits. A known device has three a day of its own.
 * `wrongCaptcha`: a captcha or proof of work is required; also `operationUnsupported`, `tooFrequent` with
 * `waitSeconds`.
 */
export async function countCodeRequest(
  refuse: Refuse<'operationUnsupported' | 'tooFrequent' | 'wrongCaptcha'>,
  deps: Deps,
  asked: CodeRequester,
  now: number,
): Promise<number> {
  const { db } = deps;
  const { brand, account, scene, ip, known } = asked;
  await assertCodesAllowed(refuse, deps, asked, now);
  const suspicion = known === undefined ? await suspicionOf(deps, asked, now) : 'none';
  const from = known === undefined ? ` ${networksOf(ip).near}` : deviceKeySuffix(known);
  const pauseKey = `code pause ${brand} ${account}${from}`;
  const pause = await countTry(db, pauseKey, oneAtATime, now);
  if (!pause.allowed) refuse('tooFrequent', { waitSeconds: pause.waitSeconds });
  const dayKey = `code day ${brand} ${account} ${scene}${deviceKeySuffix(known)}`;
  const day = await countTry(db, dayKey, aDay, now);
  const due = day.allowed ? suspicion : 'work';
  if (await verifyCaptchaTicket(deps, asked, asked, due)) return secondsUntil(pause.resetsAt, now);
  // no code was created
  await uncountTry(db, dayKey);
  await clearTries(db, pauseKey);
  return refuseWrongCaptcha(refuse, due);
}

/** What the network of the request, and the brand's failures of today, require. */
async function suspicionOf({ db }: Deps, { brand, ip }: CodeRequester, now: number): Promise<CaptchaRequirement> {
  const network = await countTryFrom(db, `code from ${brand}`, ip, fromNetwork, now);
  if (!network.allowed) return 'work';
  const failures = await countedTries(db, brandFailures.key(brand), now);
  return network.count > freeFromNetwork || failures >= brandFailures.limit.tries ? 'captcha' : 'none';
}
