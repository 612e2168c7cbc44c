import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Env } from '#server/env.ts';
import type { Random } from './random.ts';
import { allSecrets, derivedKey, type SecretsEnv } from './signing-secret.ts';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

interface Owner {
  readonly brand: string;
  readonly uid: string;
}

/** The owner is authenticated data, so that a row cannot be decrypted as another customer's. */
const additional = ({ brand, uid }: Owner) => Buffer.from(JSON.stringify([brand, uid]));

/** Encrypts a value as JSON (AES-256-GCM) with a key for this purpose, which the database does not contain. */
export function seal(
  { env, random }: { readonly env: Pick<Env, 'SIGNING_SECRET'>; readonly random: Pick<Random, 'token'> },
  purpose: string,
  owner: Owner,
  value: unknown,
): string {
  // the initialisation vector has 96 bits, so one token of 128 bits is enough
  const iv = Buffer.from(random.token(ivBytes), 'base64url').subarray(0, ivBytes);
  const cipher = createCipheriv(algorithm, derivedKey(env, purpose), iv).setAAD(additional(owner));
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
}

/** The decrypted value; undefined where no secret fits, for another owner, and for a modified text. */
export function unseal(env: SecretsEnv, purpose: string, owner: Owner, sealed: string): unknown {
  for (const secret of allSecrets(env)) {
    const value = unsealWith(derivedKey(secret, purpose), owner, sealed);
    if (value !== undefined) return value;
  }
  return undefined;
}

function unsealWith(key: Buffer, owner: Owner, sealed: string): unknown {
  const bytes = Buffer.from(sealed, 'base64url');
  const iv = bytes.subarray(0, ivBytes);
  try {
    const decipher = createDecipheriv(algorithm, key, iv).setAAD(additional(owner));
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
    return JSON.parse(text.toString('utf8'));
  } catch {
    return undefined;
  }
}
