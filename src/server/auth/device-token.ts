import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Deps } from '#server/deps.ts';
import type { Env } from '#server/env.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import type { UserRow } from './users.ts';

type Owner = { readonly brand: string; readonly account: string };

/**
 * A token that proves that this device has logged in to this account before (OWASP: "device cookie"): a nonce, the
 * customer's number of evictions, and a signature over these, brand and account. It authorizes nothing. It gives the
 * device attempts of its own, so that guessing attackers do not lock out the owner, and it avoids an email about a new
 * device. It ends with the next eviction ([Note: Eviction]). It contains the account name and only logged-in devices
 * get one, so it does not reveal whether an account exists.
 */
export function newDeviceToken(
  { env, random }: Pick<Deps, 'env' | 'random'>,
  owner: Owner & Pick<UserRow, 'evictions'>,
): string {
  const nonce = random.token(16);
  const payload = [nonce, ...(owner.evictions > 0 ? [String(owner.evictions)] : [])];
  return [...payload, signature(env, owner, payload).toString('base64url')].join('.');
}

interface DeviceToken {
  readonly nonce: string;
  /** the account's number of evictions when the token was created */
  readonly evictions: number;
}

/** The contents of a token that was signed for this brand and account, whether it is still valid or not. */
export function readDeviceToken(env: Env, owner: Owner, token: string | undefined): DeviceToken | undefined {
  const parts = (token ?? '').split('.');
  const [nonce = '', evictions = '0'] = parts.slice(0, -1);
  const given = Buffer.from(parts.at(-1) ?? '', 'base64url');
  const expected = signature(env, owner, parts.slice(0, -1));
  const fits = given.length === expected.length && timingSafeEqual(given, expected);
  return fits ? { nonce, evictions: Number(evictions) } : undefined;
}

/** Without evictions the number is left out, as in tokens of earlier versions. */
function signature(env: Pick<Env, 'SIGNING_SECRET'>, { brand, account }: Owner, payload: readonly string[]): Buffer {
  return createHmac('sha256', derivedKey(env, 'device token'))
    .update(JSON.stringify([brand, account, ...payload]))
    .digest();
}
