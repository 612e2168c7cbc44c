import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';

export interface Random {
  /** base64url text of that many random bytes; 32 make a session token of 256 bits */
  token(bytes: number): string;
  /** UUID v4 */
  id(): string;
  /** 24 characters of [A-Z0-9]: unguessable, and fits `orderIdSchema` */
  orderId(): string;
  /** that many characters of the alphabet, uniformly distributed */
  text(alphabet: string, length: number): string;
}

const orderAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const orderIdLength = 24;

const randomText = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/**
 * A deterministic id in the form of a UUID, the same for the same parts: for records that have a natural key and must
 * not be created twice, not even by a shop that was restored from a backup.
 */
export function deriveId(...words: readonly (string | number)[]): string {
  const hex = createHash('sha256').update(JSON.stringify(words)).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

/** A deterministic order ID, the same for the same parts; unguessable if one of them is. */
export function deriveOrderId(...words: readonly (string | number)[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(words)).digest().subarray(0, orderIdLength);
  return Array.from(bytes, (byte) => orderAlphabet[byte % orderAlphabet.length]).join('');
}

/** Randomness from the operating system. */
export const systemRandom: Random = {
  token: (bytes) => randomBytes(bytes).toString('base64url'),
  id: () => randomUUID(),
  orderId: () => randomText(orderAlphabet, orderIdLength),
  text: randomText,
};
