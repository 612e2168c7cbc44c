import { areaCodeDigits } from '#contract/limits.ts';
import { fitting, isReplacement, plainDigits } from './typed-digits.ts';

/** Maximum length of a number with its calling code (ITU-T E.164). */
export const longestNumber = 15;
/** Maximum length of a Brazilian number with its area code. */
const longestInBrazil = 11;
/** The same after a zero and a carrier code. */
const longestDialled = longestInBrazil + 3;

/** `international`: `+` or `00` announces a country code. */
function numberIn(text: string): { readonly international: boolean; readonly digits: string } {
  const [, prefix, rest = ''] = /^[\s(]*(\+|00)?(.*)$/s.exec(text) ?? [];
  return { international: prefix !== undefined, digits: plainDigits(rest) };
}

/**
 * A mobile number without the code before its field; one of another country stays complete. Digits without `+` stay as
 * typed: a national number may start with a zero or like its country's code, and the server reads both.
 */
export function typedMobile(text: string, before: string, country: string | undefined): string {
  const { international, digits } = numberIn(text);
  if (!international) return fitting(text, before, longestNumber);
  return country && digits.startsWith(country) ? digits.slice(country.length) : `+${digits}`;
}

/** Formats Brazilian numbers as (11) 98765-4321; others stay plain digits. */
function formatNumber(digits: string, country: string | undefined): string {
  if (country !== '55' || digits.startsWith('0') || digits.length <= areaCodeDigits || digits.length > longestInBrazil)
    return digits;
  const local = digits.slice(areaCodeDigits);
  const half = local.length > 8 ? 5 : 4;
  return `(${digits.slice(0, areaCodeDigits)}) ${[local.slice(0, half), local.slice(half)].filter(Boolean).join('-')}`;
}

/**
 * A phone number with its area code, typed or pasted as `+55 (11) 98888-7777` or `011 98888-7777`; one of another
 * country keeps its plus. The server reads Brazilian dialling prefixes, such as `0 15 11 98888-7777`.
 */
export function typedPhone(text: string, before: string, country: string | undefined): string {
  const { international, digits } = numberIn(text);
  const own = international && country !== undefined && digits.startsWith(country);
  // a country code that is still being typed, or that of another country
  if (international && !(own && digits.length > country.length)) return `+${digits}`;
  const national = own ? digits.slice(country.length) : fitting(text, before, maxDigits(digits, country));
  // a carrier code may follow a typed zero, also after digits are deleted; elsewhere numbers may start with zero
  const isTrunk = country === '55' && national.length <= longestInBrazil + 1 && isReplacement(text, before);
  return formatNumber(isTrunk ? national.replace(/^0/, '') : national, country);
}

/** Only Brazilian lengths are known here; the server checks those of other countries. */
function maxDigits(digits: string, country: string | undefined): number {
  if (country !== '55') return longestNumber;
  if (digits.startsWith('0')) return longestDialled;
  return longestInBrazil + (digits.startsWith(country) ? country.length : 0);
}
