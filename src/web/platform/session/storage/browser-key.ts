import { get, update } from 'idb-keyval';
import { keyOf } from './stored.ts';
import { withinLimit } from './time-limit.ts';

const name = keyOf('key', { personal: false });

/** A store that is slower delays no login: the session is then not bound. In milliseconds. */
const createLimitMs = 3000;
/** Without its key a bound session cannot be used, so a slow phone gets longer. In milliseconds. */
const readLimitMs = 10_000;

/** The key that this page has read. */
let known: CryptoKeyPair | undefined;

/**
 * The key of this browser, to which sessions are bound (RFC 9449). No script can read its private half, and it proves
 * nothing without a token, so it stays after a logout. `unavailable`: the store fails or does not answer.
 */
export async function readBrowserKey(): Promise<CryptoKeyPair | 'missing' | 'unavailable'> {
  if (known) return known;
  const read = await withinLimit(async () => ({ value: await get<unknown>(name) }), readLimitMs);
  if (!read) return 'unavailable';
  if (!isKeyPair(read.value)) return 'missing';
  known = read.value;
  return known;
}

/**
 * The key of this browser, which is created if it is missing. Undefined where the browser cannot keep one: without
 * HTTPS, in a private window of Firefox, or if its store fails; and before Chrome 98, where `jose` does not work.
 */
export async function createBrowserKey(): Promise<CryptoKeyPair | undefined> {
  if (typeof structuredClone !== 'function') return undefined;
  return withinLimit(async () => {
    const created = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']);
    // one step, because a login in another tab may create one at the same time
    await update<unknown>(name, (stored) => (isKeyPair(stored) ? stored : created));
    const stored = await get<unknown>(name);
    if (!isKeyPair(stored)) return undefined;
    known = stored;
    return known;
  }, createLimitMs);
}

/** For tests: a page that has not read its key. */
export function forgetBrowserKey(): void {
  known = undefined;
}

/** Some engines store a key and return nothing of it. */
function isKeyPair(value: unknown): value is CryptoKeyPair {
  const isKey = (part: unknown, type: string) => part instanceof CryptoKey && part.type === type;
  if (typeof value !== 'object' || value === null || !('privateKey' in value) || !('publicKey' in value)) return false;
  return isKey(value.privateKey, 'private') && isKey(value.publicKey, 'public');
}
