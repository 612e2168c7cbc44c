import { createHmac } from 'node:crypto';
import type { payerNames } from '#server/db/schema/cards.ts';
import { allSecrets, derivedKey, type SecretsEnv } from '#server/runtime/signing-secret.ts';

/**
 * [Note: Payer names] A customer who calls says a name, but names are stored encrypted. So each word of a payer's name is
 * stored as a keyed hash as well, without case and accents. A search hashes the words it is given. The key is not in the
 * database, so a copy of the database shows neither a name nor which customers share one with another brand.
 */

const purpose = 'payer name';
const hashBytes = 16;
/** Real names have fewer words; more would only fill the table. */
const mostWords = 6;

type Secret = Pick<SecretsEnv, 'SIGNING_SECRET'>;
type Owner = { readonly brand: string; readonly uid: string };

/** "José D'Ávila-Souza" has the words jose, d, avila and souza; of these, single letters are left out. */
function wordsOf(name: string): string[] {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => Array.from(word).length > 1);
  return [...new Set(words)].slice(0, mostWords);
}

function hashOf(secret: Secret, brand: string, word: string): string {
  const mac = createHmac('sha256', derivedKey(secret, purpose)).update(JSON.stringify([brand, word]));
  return mac.digest().subarray(0, hashBytes).toString('base64url');
}

/**
 * The rows by which this customer is found after a purchase in this name. They are sorted, so that two purchases of a
 * customer at once lock them in the same order.
 */
export function payerNameRows(
  secret: Secret,
  { brand, uid }: Owner,
  name: string | null,
): (typeof payerNames.$inferInsert)[] {
  const hashes = wordsOf(name ?? '').map((word) => hashOf(secret, brand, word));
  return hashes.toSorted().map((word) => ({ brand, uid, word }));
}

/** For each word of a name its possible hashes: a row keeps that of the signing secret with which it was written. */
export function hashesOfName(env: SecretsEnv, brand: string, name: string): string[][] {
  const secrets = allSecrets(env);
  return wordsOf(name).map((word) => secrets.map((secret) => hashOf(secret, brand, word)));
}
