import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Deps } from '#server/deps.ts';
import type { Env } from '#server/env.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import type { UserRow } from './find-user.ts';

type Owner = { readonly brand: string; readonly account: string };

/**
 * [Note: Device token] Proof that this device has signed in to this account before (OWASP, "device cookie"): a nonce,
 * the customer's number of evictions at that time, and their signature with brand and account. It opens nothing. It
 * gives the device tries of its own, so that strangers who guess at an account lock out each other and not its owner,
 * and it spares a mail about a new device. It ends with the next eviction ([Note: Eviction]).
 *
 * It names the account and not the row, and only a device that has been in has one: whether it fits tells nobody else
 * whether there is such an account.
 */
export function newDeviceToken(
  { env, random }: Pick<Deps, 'env' | 'random'>,
  owner: Owner & Pick<UserRow, 'evictions'>,
): string {
  const nonce = random.token(16);
  const said = [nonce, ...(owner.evictions > 0 ? [String(owner.evictions)] : [])];
  return [...said, signature(env, owner, said).toString('base64url')].join('.');
}

interface DeviceToken {
  readonly nonce: string;
  /** how often everybody had been signed out when it was made */
  readonly evictions: number;
}

/** What a token says that we made for this brand and account, whether it still holds or not. */
export function readDeviceToken(env: Env, owner: Owner, token: string | undefined): DeviceToken | undefined {
  const parts = (token ?? '').split('.');
  const [nonce = '', evictions = '0'] = parts.slice(0, -1);
  const given = Buffer.from(parts.at(-1) ?? '', 'base64url');
  const expected = signature(env, owner, parts.slice(0, -1));
  const fits = given.length === expected.length && timingSafeEqual(given, expected);
  return fits ? { nonce, evictions: Number(evictions) } : undefined;
}

/** One of an account that nobody was ever evicted from says no number, as those do that were made before there was one. */
function signature(env: Pick<Env, 'SIGNING_SECRET'>, { brand, account }: Owner, said: readonly string[]): Buffer {
  return createHmac('sha256', derivedKey(env, 'device token'))
    .update(JSON.stringify([brand, account, ...said]))
    .digest();
}
