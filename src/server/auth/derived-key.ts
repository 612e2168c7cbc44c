import { createHmac } from 'node:crypto';
import type { Env } from '../env.ts';

/** A key of its own for each purpose, from the one secret, so that no signature means anything elsewhere. */
export function derivedKey({ SIGNING_SECRET }: Pick<Env, 'SIGNING_SECRET'>, purpose: string): Buffer {
  return createHmac('sha256', SIGNING_SECRET).update(purpose).digest();
}
