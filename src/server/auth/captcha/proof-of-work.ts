import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import type { Deps } from '#server/deps.ts';
import type { Env } from '#server/env.ts';
import { networksOf } from '#server/runtime/request/network.ts';
import { captchaLifetimeMs, type CaptchaOwner, type CaptchaInput } from './captcha-owner.ts';
import { countTry, countTryFrom, consumeOnce } from '#server/runtime/limits/throttle.ts';

/** What the signature covers besides the owner. */
interface Terms {
  readonly nonce: string;
  /** epoch milliseconds */
  readonly expiresAt: number;
  /** the secret number is between 0 and this */
  readonly max: number;
}

/**
 * Creates a puzzle for this account and network. Nothing is stored: the ID contains the terms and their signature, and
 * the number is derived from them, so that requests for puzzles fill no table.
 */
export function createProofOfWork(
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

/** Whether the number solves a puzzle of this account and network that has not expired and was not used before. */
export async function verifyProofOfWork(
  { db, clock, env }: Pick<Deps, 'db' | 'clock' | 'env'>,
  owner: CaptchaOwner,
  { captchaId = '', captcha = '' }: CaptchaInput,
): Promise<boolean> {
  const parts = /^w\.([\w-]{16})\.([0-9a-z]{1,10})\.([0-9a-z]{1,6})\.([\w-]{27})$/.exec(captchaId);
  if (!parts) return false;
  const [, nonce = '', expires = '', max = '', signed = ''] = parts;
  const terms = { nonce, expiresAt: Number.parseInt(expires, 36), max: Number.parseInt(max, 36) };
  if (!timingSafeEqual(Buffer.from(signed, 'base64url'), signature(env, owner, terms))) return false;
  if (terms.expiresAt <= clock() || captcha !== String(numberOf(env, owner, terms))) return false;
  return consumeOnce(db, { brand: owner.brand, id: `work ${nonce}`, validUntil: terms.expiresAt });
}

/** 20 bytes, because an ID has at most 64 characters. */
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

const unlimited = { tries: Number.MAX_SAFE_INTEGER, windowMs: 15 * 60_000 };

/** Range of the first puzzle: at most about 2 s on a cheap phone, which tries 50,000 numbers in a second. */
const easiest = 100_000;

/**
 * Each requested puzzle makes later ones harder for 15 minutes: every `every` puzzles double the range, at most `most`
 * times. It rises soonest for one network and account, then for a network, and least for an account from all networks,
 * because attackers can cause that for its owner, who waits 4 s on average and 8 s at most on a cheap phone. A guess at
 * one address rises to 32 s. The difficulty is fixed when the puzzle is created; otherwise an attacker's attempts could
 * make it unsolvable for the owner.
 */
const pair = { every: 5, most: 4 };
const network = { every: 40, most: 3 };
const account = { every: 50, most: 2 };

/** Counts a request for a puzzle and returns the range of its number. */
export async function proofOfWorkDifficulty(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  owner: CaptchaOwner,
): Promise<number> {
  const now = clock();
  const { near } = networksOf(owner.ip);
  const ofPair = await countTry(db, `work ${owner.brand} ${owner.account} ${near}`, unlimited, now);
  const ofNetwork = await countTryFrom(db, `work from ${owner.brand}`, owner.ip, unlimited, now);
  const ofAccount = await countTry(db, `work for ${owner.brand} ${owner.account}`, unlimited, now);
  const doublings = [steps(ofPair.count, pair), steps(ofNetwork.count, network), steps(ofAccount.count, account)];
  return easiest * 2 ** Math.max(...doublings) - 1;
}

const steps = (count: number, { every, most }: typeof pair) => Math.min(most, Math.floor((count - 1) / every));
