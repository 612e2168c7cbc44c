import { areaCodeDigits } from '#contract/limits.ts';
import { fitting, isReplacement, plainDigits } from './typed-digits.ts';

/** Digits of any number with its calling code, at most (ITU-T E.164). */
export const longestNumber = 15;
/** Digits of a number of Brazil with its area code, at most. */
const longestInBrazil = 11;
/** The same after a zero and the code of a carrier. */
const longestDialled = longestInBrazil + 3;

/** `international`: `+` or `00` says that a country code follows. */
function numberIn(text: string): { readonly international: boolean; readonly digits: string } {
  const [, prefix, rest = ''] = /^[\s(]*(\+|00)?(.*)$/s.exec(text) ?? [];
  return { international: prefix !== undefined, digits: plainDigits(rest) };
}

/**
 * A mobile number without the code that stands before its field; another country's stays whole. Digits without `+` stay as they
 * are typed: a national number may begin with a zero, or like its country's code, and the server reads both.
 */
export function typedMobile(text: string, before: string, country: string | undefined): string {
  const { international, digits } = numberIn(text);
  if (!international) return fitting(text, before, longestNumber);
  return country && digits.startsWith(country) ? digits.slice(country.length) : `+${digits}`;
}

/** Brazil writes its numbers as (11) 98765-4321; others are left as their digits. */
function grouped(digits: string, country: string | undefined): string {
  if (country !== '55' || digits.startsWith('0') || digits.length <= areaCodeDigits || digits.length > longestInBrazil)
    return digits;
  const local = digits.slice(areaCodeDigits);
  const half = local.length > 8 ? 5 : 4;
  return `(${digits.slice(0, areaCodeDigits)}) ${[local.slice(0, half), local.slice(half)].filter(Boolean).join('-')}`;
}

/**
 * A telephone number with its area code, typed or pasted as people write it, `+55 (11) 98888-7777` or `011 98888-7777`;
 * one of another country keeps its plus. The server reads what Brazil dials before a number, such as `0 15 11 98888-7777`.
 */
export function typedPhone(text: string, before: string, country: string | undefined): string {
  const { international, digits } = numberIn(text);
  const own = international && country !== undefined && digits.startsWith(country);
  // a country's code that is still being typed, or another country's
  if (international && !(own && digits.length > country.length)) return `+${digits}`;
  const national = own ? digits.slice(country.length) : fitting(text, before, longestOf(digits, country));
  // a carrier's code may follow a zero that is typed, also after digits are deleted; elsewhere numbers may begin with zero
  const isTrunk = country === '55' && national.length <= longestInBrazil + 1 && isReplacement(text, before);
  return grouped(isTrunk ? national.replace(/^0/, '') : national, country);
}

/** Only the lengths of Brazil are known here; the server checks those of other countries. */
function longestOf(digits: string, country: string | undefined): number {
  if (country !== '55') return longestNumber;
  if (digits.startsWith('0')) return longestDialled;
  return longestInBrazil + (digits.startsWith(country) ? country.length : 0);
}
