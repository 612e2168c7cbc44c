import { dictionary } from '@zxcvbn-ts/language-common';
import { minPasswordLength } from '#contract/limits.ts';
import { refuseInput } from '#server/runtime/request/api-error.ts';
import type { Brand } from '#server/brand/catalog.ts';

/** Passwords that leaks have shown to be used most, as far as they are long enough to be chosen here: some 42,000. */
const leaked: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((one) => one.length >= minPasswordLength),
);

/** What is said about this shop everywhere, and so is tried first at it. */
const shopWords = ['marquee', 'mediaplayer', 'storefront'];

interface Chosen {
  readonly brand: Pick<Brand, 'code' | 'name' | 'tenantId'>;
  /** whose password it becomes */
  readonly account: string;
  /** as the call names it */
  readonly field: 'password' | 'newPassword';
}

/**
 * Refuses with `invalidRequest` and the field a new password that guessers try first: one of those that leaked most, the
 * name of the brand or of the shop, or the account itself; each in any case, and with digits or signs around it (OWASP ASVS
 * 5.0, 6.2.4, 6.2.11, 6.2.12). Six characters are few, so they must at least not be these.
 */
export function assertStrongPassword(password: string, { brand, account, field }: Chosen): void {
  const typed = password.toLowerCase();
  const [name = ''] = account.split('@');
  const words = [...shopWords, brand.code, brand.name, brand.tenantId, name].map(bare);
  const word = bare(typed);
  const isWord = word !== '' && words.includes(word);
  if (leaked.has(typed) || typed === account.toLowerCase() || isWord) refuseInput(field);
}

/** A word without what people put around it to make it look like a password. A number stays as it is. */
function bare(text: string): string {
  const word = text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return /\p{L}/u.test(word) ? word.replaceAll(/^\p{N}+|\p{N}+$/gu, '') : word;
}
