import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';

export interface Random {
  /** base64url text of so many random bytes; 32 make a session token of 256 bits */
  token(bytes: number): string;
  /** UUID v4 */
  id(): string;
  /** 24 characters of [A-Z0-9]: unguessable, and fits `orderIdSchema` */
  orderId(): string;
  /** so many characters of the alphabet, each as likely as any other */
  text(alphabet: string, length: number): string;
}

const orderAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const orderIdLength = 24;

const randomText = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/**
 * An id in the form of a UUID that is the same for the same words: of what has a name already, and must not be made a second
 * time, not even by a shop that was restored and has forgotten the first.
 */
export function idNamed(...words: readonly (string | number)[]): string {
  const hex = createHash('sha256').update(JSON.stringify(words)).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

/** Chance from the operating system. */
export const systemRandom: Random = {
  token: (bytes) => randomBytes(bytes).toString('base64url'),
  id: () => randomUUID(),
  orderId: () => randomText(orderAlphabet, orderIdLength),
  text: randomText,
};
