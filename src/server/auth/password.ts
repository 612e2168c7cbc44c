import { hash, verify } from '@node-rs/argon2';

/**
 * Argon2id with the costs that OWASP advises: 19 MiB, two passes, one lane. The work runs on Node's thread pool, which
 * bounds how much of it happens at once.
 */
const costs = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Of a password that nobody has: an unknown account takes as long to refuse as a known one. */
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$bWFycXVlZS1ub2JvZHktc2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

export async function hashPassword(password: string): Promise<string> {
  return hash(password, costs);
}

/** Whether the password fits; false, after the same work, where there is no account. */
export async function fitsPassword(stored: string | undefined, password: string): Promise<boolean> {
  const fits = await verify(stored ?? nobodysHash, password);
  return stored !== undefined && fits;
}
