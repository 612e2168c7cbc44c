import { parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max';
import { normalizeToken } from '#contract/normalize-text.ts';
import {
  areTwoNumbers,
  isMobile,
  mostLikelyNumber,
  numberAbroad,
  numberAfterPrefix,
  readingsIn,
} from './phone-readings.ts';

/** A phone number by ITU-T E.164, with one spelling however it was typed. */
export interface CanonicalNumber {
  /** the country's code and the national number, digits only */
  readonly digits: string;
  /** the country's calling code */
  readonly areaCode: string;
  /** without the country's code and the national prefix */
  readonly national: string;
  /** the number's length and prefix exist in its country */
  readonly isValid: boolean;
}

const digitsOf = (text: string) => text.replaceAll(/\D/g, '');

/**
 * Parses a typed number with the calling code selected beside it (empty where none was): with or without that code,
 * even repeated, with `+`, `00` or the country's international prefix, and with its national prefix. Undefined where
 * the number has no possible length in the country, or is ambiguous.
 */
export function canonicalNumber(typed: string, areaCode = ''): CanonicalNumber | undefined {
  const plain = normalizeToken(typed);
  const chosen = digitsOf(areaCode);
  // the Dominican Republic and Puerto Rico were once listed with the area within +1
  const [code, area] = /^1\d{3}$/.test(chosen) ? ['1', chosen.slice(1)] : [chosen, ''];
  const behindPrefix = code === '' ? undefined : numberAfterPrefix(digitsOf(plain), code);
  const text = plain.replace(/^[(]?00/, '+');
  const digits = digitsOf(text);
  if (text.includes('+') || code === '') {
    const number = mobileBehindZero(text) ?? numberAbroad(digits);
    if (!number?.isValid()) return described(nationalWithZeros(plain, code) ?? behindPrefix ?? number);
    // `001 65…` is +1 65… in most countries, and +65… in Singapore
    const isAmbiguous = behindPrefix !== undefined && behindPrefix.number !== number.number;
    return isAmbiguous && number.countryCallingCode !== code ? undefined : described(number);
  }
  const readings = readingsIn(code, area !== '' && digits.length === 7 ? area + digits : digits);
  if (areTwoNumbers(readings)) return undefined;
  const number = mostLikelyNumber(readings);
  return described(number?.isValid() ? number : (behindPrefix ?? number));
}

/**
 * The mobile number of `+39 (0)312 345 6789`, whose zero is a common mistake. In a shorter one the zero stays: Italian
 * landline numbers begin with it, and `+39 (0)31 234 5678` is one.
 */
function mobileBehindZero(text: string): PhoneNumber | undefined {
  const [, national] = /^\+39\(0\)(\d{10})$/.exec(text) ?? [];
  const number = national === undefined ? undefined : numberAbroad(`39${national}`);
  return number && isMobile(number) ? number : undefined;
}

/** In a few countries two zeros can begin a mobile number, of which one is the national prefix of other countries. */
function nationalWithZeros(plain: string, code: string): PhoneNumber | undefined {
  if (code === '' || !plain.startsWith('00')) return undefined;
  const { asTyped, withoutZeros } = readingsIn(code, digitsOf(plain));
  return [...asTyped, ...withoutZeros].find((one) => isMobile(one) && one.nationalNumber.startsWith('0'));
}

function described(number: PhoneNumber | undefined): CanonicalNumber | undefined {
  if (!number) return undefined;
  const { countryCallingCode: areaCode } = number;
  const national = withMobileDigit(areaCode, number.nationalNumber);
  return { digits: `${areaCode}${national}`, areaCode, national, isValid: number.isValid() };
}

/** Argentine mobile numbers have a 9 that is often omitted; messages need it, and no two numbers differ only by it. */
function withMobileDigit(areaCode: string, national: string): string {
  if (areaCode !== '54' || national.length !== 10) return national;
  return parsePhoneNumberFromString(`+549${national}`)?.isValid() ? `9${national}` : national;
}

/** Whether both are the same number; digits that are not a phone number are compared as they are. */
export function isSameNumber(one: string, other: string): boolean {
  const plain = (text: string) => canonicalNumber(`+${digitsOf(text)}`)?.digits ?? digitsOf(text);
  return digitsOf(one) !== '' && plain(one) === plain(other);
}

/**
 * The spellings under which accounts may have been stored before numbers were canonical: the country's code was put
 * before the typed digits. The canonical spelling comes first.
 */
export function storedSpellings(account: string): readonly string[] {
  const number = canonicalNumber(`+${account}`);
  if (!number || number.digits !== account) return [account];
  const { areaCode: code, national } = number;
  const typed = [national, ...beforeNational(code, national)].flatMap((one) => [one, `0${one}`]);
  const again = [national, `0${national}`].flatMap((one) => [`${code}${one}`, `00${code}${one}`]);
  return [...new Set([...typed, ...again].map((one) => `${code}${one}`))];
}

/** What people type in countries whose national prefix is not a zero. */
function beforeNational(code: string, national: string): string[] {
  if (code === '7') return [`8${national}`];
  if (code === '52') return ['1', '01', '044', '045'].map((prefix) => prefix + national);
  if (code !== '54' || !/^9\d{10}$/.test(national)) return [];
  const local = national.slice(1);
  const with15 = [2, 3, 4].map((area) => `${local.slice(0, area)}15${local.slice(area)}`);
  return [local, ...with15, ...with15.map((one) => `9${one}`)];
}
