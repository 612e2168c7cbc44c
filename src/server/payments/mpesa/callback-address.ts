import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Deps } from '#server/deps.ts';
import type { Env } from '#server/env.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import { webhookPath } from '../send-provider-request.ts';
import type { DarajaClient, MpesaAccount } from './client.ts';

export interface MpesaDeps extends Pick<Deps, 'db' | 'clock' | 'log' | 'catalog' | 'env'> {
  readonly account: MpesaAccount;
  readonly client: DarajaClient;
}

/** The kind of a callback: the result of a push or of a reversal, or a reversal that timed out at Safaricom. */
export type CallbackKind = 'push' | 'reversal' | 'timeout';
const kinds: readonly CallbackKind[] = ['push', 'reversal', 'timeout'];

/**
 * The secret last segment of a callback address. Daraja signs nothing, so each request has its own address, which
 * contains the payment's key and a MAC of this server. Only Safaricom receives it, over TLS. It is compared in
 * constant time and never logged; a proxy in front must not log it either.
 */
export function callbackSecret(env: Pick<Env, 'SIGNING_SECRET'>, kind: CallbackKind, key: string): string {
  return `${kind}.${key}.${macOf(env, kind, key).toString('hex')}`;
}

/** The payment of a callback; undefined for an address that was not made here. */
export function readCallbackSecret(
  env: Pick<Env, 'SIGNING_SECRET'>,
  secret: string,
): { kind: CallbackKind; key: string } | undefined {
  const [, told, key, code] = /^(\w{4,8})\.([\w-]{1,64})\.([\da-f]{64}|[\w-]{43})$/.exec(secret) ?? [];
  const kind = kinds.find((one) => one === told);
  if (kind === undefined || key === undefined || code === undefined) return undefined;
  // Compared as text, because the last character of base64url has spare bits and several spellings. Payments that began
  // before an update have the MAC in base64url.
  const given = Buffer.from(code);
  const expected = Buffer.from(macOf(env, kind, key).toString(code.length === 64 ? 'hex' : 'base64url'));
  return given.length === expected.length && timingSafeEqual(given, expected) ? { kind, key } : undefined;
}

function macOf(env: Pick<Env, 'SIGNING_SECRET'>, kind: CallbackKind, key: string): Buffer {
  return createHmac('sha256', derivedKey(env, 'mpesa callback')).update(`${kind} ${key}`).digest();
}

/**
 * The address of a callback, at the host of the brand. Daraja refuses addresses that contain words such as `mpesa`,
 * `safaricom`, `sql`, `exe` and `cmd`, so the path is neutral and the MAC is hexadecimal.
 */
export function callbackUrl({ catalog }: MpesaDeps, brand: string, secret: string): string {
  return `${catalog.byCode(brand)?.origin ?? ''}${webhookPath('mpesa')}/${secret}`;
}
