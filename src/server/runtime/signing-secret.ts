import { randomBytes, createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '#server/env.ts';

/** The secret of this installation: generated once, stored in the data folder with access for its owner only. */
export function storedSecret(folder: string): string {
  const file = join(folder, 'secret');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!exists) throw error;
  }
  return readFileSync(file, 'utf8').trim();
}

/** A separate key for each purpose, derived from the one secret, so that a signature is valid for one purpose only. */
export function derivedKey({ SIGNING_SECRET }: Pick<Env, 'SIGNING_SECRET'>, purpose: string): Buffer {
  return createHmac('sha256', SIGNING_SECRET).update(purpose).digest();
}

export type SecretsEnv = Pick<Env, 'SIGNING_SECRET' | 'FORMER_SIGNING_SECRETS'>;

/** The current secret and the former ones, newest first, to verify and decrypt what outlives a change of the secret. */
export const allSecrets = ({ SIGNING_SECRET, FORMER_SIGNING_SECRETS }: SecretsEnv) =>
  [SIGNING_SECRET, ...FORMER_SIGNING_SECRETS].map((secret) => ({ SIGNING_SECRET: secret }));
