import { randomBytes, randomInt, randomUUID } from 'node:crypto';

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

/** Chance from the operating system. */
export const systemRandom: Random = {
  token: (bytes) => randomBytes(bytes).toString('base64url'),
  id: () => randomUUID(),
  orderId: () => randomText(orderAlphabet, orderIdLength),
  text: randomText,
};
