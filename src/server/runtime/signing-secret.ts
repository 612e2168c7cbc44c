import { randomBytes, createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '#server/env.ts';

/** The secret of this installation: made once, kept in the data folder for its owner alone. */
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

/** A key of its own for each purpose, from the one secret, so that no signature means anything elsewhere. */
export function derivedKey({ SIGNING_SECRET }: Pick<Env, 'SIGNING_SECRET'>, purpose: string): Buffer {
  return createHmac('sha256', SIGNING_SECRET).update(purpose).digest();
}
