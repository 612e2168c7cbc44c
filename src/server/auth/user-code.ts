import { createHash } from 'node:crypto';
import type { Random } from '#server/runtime/random.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import { uncountTryFrom, countTryFrom } from '#server/runtime/limits/throttle.ts';

/**
 * Wrong codes from one network; a right one is not counted, so that many devices of one household are not locked out.
 */
const limit = { tries: 20, windowMs: 10 * 60_000 };

interface Waiting {
  readonly state: string;
  /** epoch milliseconds */
  readonly expiresAt: number;
}

/**
 * The pending request of a TV's code, from `find`. `requestExpired`; `codeNotFound`: unknown, answered or used;
 * `tooFrequent`: too many attempts.
 */
export async function tryUserCode<T extends Waiting>(
  { deps, brand, ip, refuse }: RequestContext<'codeNotFound' | 'requestExpired' | 'tooFrequent'>,
  find: () => Promise<T | undefined>,
): Promise<T> {
  const now = deps.clock();
  const what = `device ${brand.code}`;
  const taken = await countTryFrom(deps.db, what, ip, limit, now);
  if (!taken.allowed) return refuse('tooFrequent', { waitSeconds: taken.waitSeconds });
  const found = await find();
  if (found) await uncountTryFrom(deps.db, what, ip);
  if (found?.state !== 'waiting') return refuse('codeNotFound');
  return found.expiresAt > now ? found : refuse('requestExpired');
}

/** No vowels, digits or similar letters (RFC 8628, 6.1). 20^8 codes, of which few are valid at a time. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

/** A code that a TV shows and a customer compares or types, `XXXX-XXXX`. */
export function newUserCode(random: Pick<Random, 'text'>): string {
  const letters = random.text(alphabet, length);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** The stored form: SHA-256 without the dash, hex. */
export const userCodeHash = (userCode: string): string =>
  createHash('sha256').update(userCode.replaceAll('-', '')).digest('hex');
