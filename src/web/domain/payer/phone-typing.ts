import { areaCodeDigits } from '../../../contract/limits.ts';
import { fitting, plainDigits } from './typed-digits.ts';

/** Digits of any number with its country's code (ITU-T E.164), at most. */
const longestMobile = 15;
/** Digits of a telephone number with its area code. */
const longestNational = 11;

interface Number {
  /** `+` and `00` say that a country code follows */
  readonly international: boolean;
  readonly digits: string;
}

function numberIn(text: string): Number {
  const [, prefix, rest = ''] = /^[\s(]*(\+|00)?(.*)$/s.exec(text) ?? [];
  return { international: prefix !== undefined, digits: plainDigits(rest) };
}

/**
 * A mobile number without the code that stands before its field; another country's stays whole. Digits without `+` stay as they
 * are typed: a national number may begin with a zero, or like its country's code, and the server reads both.
 */
export function typedMobile(text: string, before: string, country: string | undefined): string {
  const { international, digits } = numberIn(text);
  if (!international) return fitting(text, before, longestMobile);
  return country && digits.startsWith(country) ? digits.slice(country.length) : `+${digits}`;
}

/** Brazil writes its numbers as (11) 98765-4321; others are left as their digits. */
function grouped(digits: string, country: string | undefined): string {
  if (country !== '55' || digits.length <= areaCodeDigits || digits.length > longestNational) return digits;
  const local = digits.slice(areaCodeDigits);
  const half = local.length > 8 ? 5 : 4;
  return `(${digits.slice(0, areaCodeDigits)}) ${[local.slice(0, half), local.slice(half)].filter(Boolean).join('-')}`;
}

/**
 * A telephone number with its area code, typed or pasted as people write it, `+55 (11) 98888-7777` or `011 98888-7777`;
 * one of another country stays as it is, and is refused with words.
 */
export function typedPhone(text: string, before: string, country: string | undefined): string {
  const { international, digits } = numberIn(text);
  const own = international && country !== undefined && digits.startsWith(country);
  // a country's code that is still being typed, or another country's
  if (international && !(own && digits.length > country.length)) return `+${digits}`;
  // the zero that is dialled before an area code is no part of the number
  const longest = digits.startsWith('0') ? longestNational + 1 : longestNational;
  const national = own ? digits.slice(country.length) : fitting(text, before, longest);
  return grouped(national.replace(/^0/, ''), country);
}
