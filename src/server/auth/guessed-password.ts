import { dictionary } from '@zxcvbn-ts/language-common';
import { minPasswordLength } from '#contract/limits.ts';
import { refuseInput } from '#server/runtime/request/api-error.ts';
import type { Brand } from '#server/brand/catalog.ts';

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
