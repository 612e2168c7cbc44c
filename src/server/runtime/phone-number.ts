import { parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max';
import { typedToken } from '#contract/typed-text.ts';
import {
  areTwoNumbers,
  isMobile,
  mostLikelyNumber,
  numberAbroad,
  numberAfterPrefix,
  readingsIn,
} from './phone-readings.ts';

/** A telephone number by ITU-T E.164: one spelling for one telephone, however it was typed. */
export interface CanonicalNumber {
  /** the country's code and the national number, digits only */
  readonly digits: string;
  /** the country's calling code */
  readonly areaCode: string;
  /** without the country's code and what is dialled before it within the country */
  readonly national: string;
  /** the number's length and beginning exist in its country */
  readonly isValid: boolean;
}

const digitsOf = (text: string) => text.replaceAll(/\D/g, '');

/**
 * The number that was typed, by the calling code that was chosen beside it (empty where none was): with or without that code,
 * any number of times, with `+`, `00` or the international prefix of its country, and with the digits that are dialled before
 * it within the country. Undefined where it is no number of a length that the country has, or may be either of two.
 */
export function canonicalNumber(typed: string, areaCode = ''): CanonicalNumber | undefined {
  const plain = typedToken(typed);
  const chosen = digitsOf(areaCode);
  // the Dominican Republic and Puerto Rico were once listed with the area within +1
  const [code, area] = /^1\d{3}$/.test(chosen) ? ['1', chosen.slice(1)] : [chosen, ''];
  const behindPrefix = code === '' ? undefined : numberAfterPrefix(digitsOf(plain), code);
  const text = plain.replace(/^[(]?00/, '+');
  const digits = digitsOf(text);
  if (text.includes('+') || code === '') {
    const number = mobileBehindZero(text) ?? numberAbroad(digits);
    if (!number?.isValid()) return described(nationalWithZeros(plain, code) ?? behindPrefix ?? number);
    // `001 65…` is +1 65… to most countries, and +65… to Singapore
    const isAmbiguous = behindPrefix !== undefined && behindPrefix.number !== number.number;
    return isAmbiguous && number.countryCallingCode !== code ? undefined : described(number);
  }
  const readings = readingsIn(code, area !== '' && digits.length === 7 ? area + digits : digits);
  if (areTwoNumbers(readings)) return undefined;
  const number = mostLikelyNumber(readings);
  return described(number?.isValid() ? number : (behindPrefix ?? number));
}

/**
 * The mobile number of `+39 (0)312 345 6789`, whose zero people write by habit. Of a shorter one the zero is retained: Italian
 * landlines begin with it, and `+39 (0)31 234 5678` is one.
 */
function mobileBehindZero(text: string): PhoneNumber | undefined {
  const [, national] = /^\+39\(0\)(\d{10})$/.exec(text) ?? [];
  const number = national === undefined ? undefined : numberAbroad(`39${national}`);
  return number && isMobile(number) ? number : undefined;
}

/** In a few countries two zeros can begin a mobile number, with the zero that is dialled elsewhere before one. */
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

/** Argentina tells mobile numbers by a 9 that is often left out; a message needs it, and no two telephones differ by it alone. */
function withMobileDigit(areaCode: string, national: string): string {
  if (areaCode !== '54' || national.length !== 10) return national;
  return parsePhoneNumberFromString(`+549${national}`)?.isValid() ? `9${national}` : national;
}

/** Whether both are the same telephone; digits that are no number are compared as they are. */
export function isSameNumber(one: string, other: string): boolean {
  const plain = (text: string) => canonicalNumber(`+${digitsOf(text)}`)?.digits ?? digitsOf(text);
  return digitsOf(one) !== '' && plain(one) === plain(other);
}

/**
 * Under which spellings accounts of a number may have been stored before numbers had one: the code of the country was put
 * before whatever was typed. The canonical one comes first.
 */
export function storedSpellings(account: string): readonly string[] {
  const number = canonicalNumber(`+${account}`);
  if (!number || number.digits !== account) return [account];
  const { areaCode: code, national } = number;
  const typed = [national, ...beforeNational(code, national)].flatMap((one) => [one, `0${one}`]);
  const again = [national, `0${national}`].flatMap((one) => [`${code}${one}`, `00${code}${one}`]);
  return [...new Set([...typed, ...again].map((one) => `${code}${one}`))];
}

/** What people type in countries that dial something else than a zero before a number, or within it. */
function beforeNational(code: string, national: string): string[] {
  if (code === '7') return [`8${national}`];
  if (code === '52') return ['1', '01', '044', '045'].map((prefix) => prefix + national);
  if (code !== '54' || !/^9\d{10}$/.test(national)) return [];
  const local = national.slice(1);
  const with15 = [2, 3, 4].map((area) => `${local.slice(0, area)}15${local.slice(area)}`);
  return [local, ...with15, ...with15.map((one) => `9${one}`)];
}
