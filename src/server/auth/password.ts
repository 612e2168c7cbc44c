import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { and, eq } from 'drizzle-orm';
import { normalizePassword } from '#contract/auth.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Database } from '#server/db/connect.ts';
import { users } from '#server/db/schema/users.ts';
import type { Handler } from '#server/runtime/request/request-context.ts';
import { createFairQueue } from '#server/runtime/limits/fair-queue.ts';
import { dictionary } from '@zxcvbn-ts/language-common';
import { minPasswordLength } from '#contract/limits.ts';
import { refuseInput } from '#server/runtime/request/api-error.ts';
import type { Brand } from '#server/brand/catalog.ts';

/** Argon2id with OWASP's recommended costs: 19 MiB, two passes, one lane. */
const costs = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The hash for unknown accounts: refusing one takes as long as refusing a known one. */
const unknownAccountHash =
  '$argon2id$v=19$m=19456,t=2,p=1$bWFycXVlZS1ub2JvZHktc2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/**
 * Hashes run in a fair queue by network. There is one queue for the process, because its thread pool is shared; one
 * core stays free for the event loop, and one thread for files and compression.
 */
const queue = createFairQueue({
  concurrency: Math.min(Math.max(1, availableParallelism() - 1), 3),
  capacity: 128,
  perNetwork: 64,
});

/**
 * A handler that hashes a password: it is admitted before it counts or consumes anything, or is refused with
 * `serviceBusy`.
 */
export function withHashingLimit<E extends Endpoint>(handler: Handler<E>): Handler<E> {
  return (input, context) => queue.admit(context.ip, async () => handler(input, context));
}

/** Hashes the composed (NFC) spelling of the password. `ip`: the caller's address. */
export async function hashPassword(password: string, ip: string): Promise<string> {
  return queue.run(ip, () => hash(normalizePassword(password), costs));
}

/**
 * Compares a password with a stored hash. `outdated`: it matches in a spelling from before passwords were composed; a
 * login then stores a new hash. `no` takes the same work if there is no account or no password.
 */
export async function comparePassword(
  stored: string | null | undefined,
  password: string,
  ip: string,
): Promise<'yes' | 'outdated' | 'no'> {
  const composed = normalizePassword(password);
  const spellings = [...new Set([composed, password, password.normalize('NFD')])];
  for (const spelling of spellings) {
    const fits = await queue.run(ip, () => verify(stored ?? unknownAccountHash, spelling));
    if (fits && typeof stored === 'string') return spelling === composed ? 'yes' : 'outdated';
  }
  return 'no';
}

/**
 * Whether the compared hash is still the customer's, because the password may have changed during the comparison. The
 * row stays locked until this transaction ends; a later change then ends its session, too.
 */
export async function isPasswordUnchanged(
  tx: Database,
  user: { brand: string; uid: string },
  passwordHash: string,
): Promise<boolean> {
  const rows = await tx
    .select({ uid: users.uid })
    .from(users)
    .where(and(eq(users.brand, user.brand), eq(users.uid, user.uid), eq(users.passwordHash, passwordHash)))
    .for('no key update');
  return rows.length > 0;
}

/** Stores a new hash of the same password, in a transaction that has locked the customer's row; all sessions stay. */
export async function replaceHash(
  tx: Database,
  user: { brand: string; uid: string },
  passwordHash: string,
): Promise<void> {
  await tx
    .update(users)
    .set({ passwordHash })
    .where(and(eq(users.brand, user.brand), eq(users.uid, user.uid)));
}

/** The most common leaked passwords of sufficient length, about 42,000. */
const leaked: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((one) => one.length >= minPasswordLength),
);

/** Public names of this product, which attackers try first. */
const shopWords = ['marquee', 'mediaplayer', 'storefront'];

interface Chosen {
  readonly brand: Pick<Brand, 'code' | 'name' | 'tenantId'>;
  /** the account that gets the password */
  readonly account: string;
  /** the field name in the request */
  readonly field: 'password' | 'newPassword';
}

/**
 * `invalidRequest` with the field for a new password that attackers try first: a common leaked one, the name of the
 * brand or product, or the account name; in any case, and with digits or signs around it (OWASP ASVS 5.0, 6.2.4,
 * 6.2.11, 6.2.12). It matters because six characters are enough.
 */
export function assertStrongPassword(password: string, { brand, account, field }: Chosen): void {
  const typed = password.toLowerCase();
  const [name = ''] = account.split('@');
  const words = [...shopWords, brand.code, brand.name, brand.tenantId, name].map(withoutDecoration);
  const word = withoutDecoration(typed);
  const isWord = word !== '' && words.includes(word);
  if (leaked.has(typed) || typed === account.toLowerCase() || isWord) refuseInput(field);
}

/** Removes signs, and digits around a word. A number stays as it is. */
function withoutDecoration(text: string): string {
  const word = text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return /\p{L}/u.test(word) ? word.replaceAll(/^\p{N}+|\p{N}+$/gu, '') : word;
}
