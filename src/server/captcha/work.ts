import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../auth/derived-key.ts';
import type { Deps } from '../deps.ts';
import type { Env } from '../env.ts';
import { networksOf } from '../network.ts';
import { spendOnce } from '../sign-on/spend-once.ts';
import { captchaLifetimeMs, type CaptchaOwner, type GivenCaptcha } from './captcha-owner.ts';

/** What a signature covers besides whom it is for. */
interface Terms {
  readonly nonce: string;
  /** epoch milliseconds */
  readonly expiresAt: number;
  /** the number is between 0 and this */
  readonly max: number;
}

/**
 * A puzzle for this account and this network. Nothing is kept of it: its id carries its terms and their signature, and
 * the number follows from them, so that asking for puzzles fills no table.
 */
export function makeWork(
  { clock, env, random }: Pick<Deps, 'clock' | 'env' | 'random'>,
  owner: CaptchaOwner,
  max: number,
) {
  const terms = { nonce: random.token(12), expiresAt: clock() + captchaLifetimeMs, max };
  const { nonce, expiresAt } = terms;
  const challenge = createHash('sha256')
    .update(`${nonce}${numberOf(env, owner, terms)}`)
    .digest('hex');
  const signed = signature(env, owner, terms).toString('base64url');
  const captchaId = ['w', nonce, expiresAt.toString(36), max.toString(36), signed].join('.');
  return { captchaId, salt: nonce, challenge, max, expiresAt };
}

/** Whether this is the number of a puzzle of this account and this network, in time, and for the first time. */
export async function passWork(
  { db, clock, env }: Pick<Deps, 'db' | 'clock' | 'env'>,
  owner: CaptchaOwner,
  { captchaId = '', captcha = '' }: GivenCaptcha,
): Promise<boolean> {
  const parts = /^w\.([\w-]{16})\.([0-9a-z]{1,10})\.([0-9a-z]{1,6})\.([\w-]{27})$/.exec(captchaId);
  if (!parts) return false;
  const [, nonce = '', expires = '', max = '', signed = ''] = parts;
  const terms = { nonce, expiresAt: Number.parseInt(expires, 36), max: Number.parseInt(max, 36) };
  if (!timingSafeEqual(Buffer.from(signed, 'base64url'), signature(env, owner, terms))) return false;
  if (terms.expiresAt <= clock() || captcha !== String(numberOf(env, owner, terms))) return false;
  return spendOnce(db, { brand: owner.brand, id: `work ${nonce}`, goodUntil: terms.expiresAt });
}

/** 20 bytes, because an id has 64 characters at most. */
const signature = (env: Env, owner: CaptchaOwner, terms: Terms) =>
  mac(env, 'captcha work', owner, terms).subarray(0, 20);

const numberOf = (env: Env, owner: CaptchaOwner, terms: Terms) =>
  mac(env, 'captcha number', owner, terms).readUIntBE(0, 6) % (terms.max + 1);

function mac(
  env: Env,
  purpose: string,
  { brand, account, ip }: CaptchaOwner,
  { nonce, expiresAt, max }: Terms,
): Buffer {
  return createHmac('sha256', derivedKey(env, purpose))
    .update(JSON.stringify([brand, account, networksOf(ip).near, nonce, expiresAt, max]))
    .digest();
}
