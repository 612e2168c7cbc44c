import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../deps.ts';
import type { Env } from '../env.ts';
import { derivedKey } from './derived-key.ts';

type Owner = { readonly brand: string; readonly account: string };

/**
 * [Note: Device token] Proof that this device has signed in to this account before (OWASP, "device cookie"): a nonce
 * and its signature with brand and account. It opens nothing. It gives the device tries of its own, so that strangers
 * who guess at an account lock out each other and not its owner, and it spares a mail about a new device. It names the
 * account and not the row, so that it is checked before anyone looks whether there is such an account.
 */
export function newDeviceToken({ env, random }: Pick<Deps, 'env' | 'random'>, owner: Owner): string {
  const nonce = random.token(16);
  return `${nonce}.${signature(env, owner, nonce).toString('base64url')}`;
}

/** The nonce of a token that was made for exactly this brand and account; undefined for any other. */
export function knownDevice(env: Env, owner: Owner, token: string | undefined): string | undefined {
  const [nonce = '', signed = '', ...rest] = (token ?? '').split('.');
  const given = Buffer.from(signed, 'base64url');
  const expected = signature(env, owner, nonce);
  const fits = given.length === expected.length && timingSafeEqual(given, expected);
  return fits && rest.length === 0 ? nonce : undefined;
}

function signature(env: Pick<Env, 'SIGNING_SECRET'>, { brand, account }: Owner, nonce: string): Buffer {
  return createHmac('sha256', derivedKey(env, 'device token'))
    .update(JSON.stringify([brand, account, nonce]))
    .digest();
}
