import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Deps } from '#server/deps.ts';
import type { Env } from '#server/env.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import { webhookPath } from '../webhook-path.ts';
import type { DarajaClient, MpesaAccount } from './client.ts';

export interface MpesaDeps extends Pick<Deps, 'db' | 'clock' | 'log' | 'catalog' | 'env'> {
  readonly account: MpesaAccount;
  readonly client: DarajaClient;
}

/** What a callback tells: how a push or a reversal ended, or that a reversal waited too long at Safaricom. */
export type CallbackKind = 'push' | 'reversal' | 'timeout';
const kinds: readonly CallbackKind[] = ['push', 'reversal', 'timeout'];

/**
 * Daraja signs nothing. Each request therefore names an address of its own, whose last part holds the payment's key and a
 * code that only this shop can make; whoever knows it was told by this shop, which tells Safaricom alone, over TLS. It is
 * compared in constant time and logged nowhere; a proxy in front must not log it either.
 */
export function callbackSecret(env: Pick<Env, 'SIGNING_SECRET'>, kind: CallbackKind, key: string): string {
  return `${kind}.${key}.${macOf(env, kind, key).toString('hex')}`;
}

/** Whose callback it is; undefined for an address that was not made here. */
export function readCallbackSecret(
  env: Pick<Env, 'SIGNING_SECRET'>,
  secret: string,
): { kind: CallbackKind; key: string } | undefined {
  const [, told, key, code] = /^(\w{4,8})\.([\w-]{1,64})\.([\da-f]{64}|[\w-]{43})$/.exec(secret) ?? [];
  const kind = kinds.find((one) => one === told);
  if (kind === undefined || key === undefined || code === undefined) return undefined;
  // as text: the last character of a code has bits to spare, and more than one spelling would be good. Addresses of
  // payments that began before an update have it in base64url
  const given = Buffer.from(code);
  const expected = Buffer.from(macOf(env, kind, key).toString(code.length === 64 ? 'hex' : 'base64url'));
  return given.length === expected.length && timingSafeEqual(given, expected) ? { kind, key } : undefined;
}

function macOf(env: Pick<Env, 'SIGNING_SECRET'>, kind: CallbackKind, key: string): Buffer {
  return createHmac('sha256', derivedKey(env, 'mpesa callback')).update(`${kind} ${key}`).digest();
}

/**
 * The address of a callback, at the brand that sells. Daraja refuses addresses with words such as `mpesa`, `safaricom`,
 * `sql`, `exe` and `cmd` in them, so the path is neutral and the code is hexadecimal.
 */
export function callbackUrl({ catalog }: MpesaDeps, brand: string, secret: string): string {
  return `${catalog.byCode(brand)?.origin ?? ''}${webhookPath('mpesa')}/${secret}`;
}
