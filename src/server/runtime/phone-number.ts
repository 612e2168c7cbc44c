import {
  parsePhoneNumberFromString,
  getCountries,
  getCountryCallingCode,
  Metadata,
  type PhoneNumber,
  type CountryCode,
} from 'libphonenumber-js/max';
import { normalizeToken } from '#contract/normalize-text.ts';

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

/** Every country with a calling code of the ITU, unordered. */
export const callingCodes: readonly (readonly [country: CountryCode, areaCode: string])[] = getCountries().map(
  (country) => [country, getCountryCallingCode(country)],
);

const codes = new Set(callingCodes.map(([, code]) => code));
const metadata = new Metadata();

const isMobile = (number: PhoneNumber) => /MOBILE/.test(number.getType() ?? '');
const isValid = (number: PhoneNumber) => number.isValid();

/** The numbers of one country that the digits can represent, grouped by what is removed from them. */
interface Readings {
  /** without the national prefix at most */
  readonly asTyped: readonly PhoneNumber[];
  /** without a repeated country code, with or without zeros; the shortest first */
  readonly withoutCode: readonly PhoneNumber[];
  /** without zeros that the country does not dial */
  readonly withoutZeros: readonly PhoneNumber[];
}

/** The digits after a repeated country code, with or without zeros. */
function behindCode(digits: string, code: string): string | undefined {
  const plain = digits.replace(/^0+/, '');
  return plain.startsWith(code) && plain.length > code.length ? plain.slice(code.length) : undefined;
}

function readingsIn(code: string, digits: string): Readings {
  const bare: string[] = [];
  for (let rest = behindCode(digits, code); rest !== undefined; rest = behindCode(rest, code)) bare.unshift(rest);
  const withFewerZeros = [...bare, digits].flatMap((one) => {
    const zeros = /^0*/.exec(one)?.[0].length ?? 0;
    return Array.from({ length: zeros }, (_, index) => one.slice(index + 1));
  });
  const [asTyped, withoutCode, withoutZeros] = [[digits], bare, withFewerZeros].map((spellings) =>
    spellings.flatMap((national) => variants(code, national)),
  );
  return { asTyped: asTyped ?? [], withoutCode: withoutCode ?? [], withoutZeros: withoutZeros ?? [] };
}

/** A national number, and without the extra mobile digits of Mexico and Argentina. */
function variants(code: string, national: string): PhoneNumber[] {
  if (!codes.has(code)) return [];
  const others =
    code === '52' ? [national.replace(/^(?:0?1|04[45])/, '')] : code === '54' ? [national.replace(/^0?9/, '0')] : [];
  return [national, ...others].flatMap((one) => {
    const parsed = parsePhoneNumberFromString(one, { defaultCallingCode: code, extract: false });
    return parsed?.countryCallingCode === code ? [parsed] : [];
  });
}

/** The most likely number: where digits can be a mobile number, that is the one that a message reaches. */
function mostLikelyNumber({ asTyped, withoutCode, withoutZeros }: Readings): PhoneNumber | undefined {
  return (
    asTyped.find(isMobile) ??
    withoutCode.find(isMobile) ??
    asTyped.find(isValid) ??
    withoutCode.find(isValid) ??
    withoutZeros.find(isMobile) ??
    withoutZeros.find(isValid) ??
    [...asTyped, ...withoutCode, ...withoutZeros].find((one) => one.isPossible())
  );
}

/**
 * Whether digits can be two mobile numbers: one that begins with the digits of its country's code, and one after that
 * code.
 */
function areTwoNumbers({ asTyped, withoutCode }: Readings): boolean {
  const [one, other] = [asTyped.find(isMobile), withoutCode.find(isMobile)];
  return one !== undefined && other !== undefined && one.number !== other.number;
}

/** The number for digits that begin with their country's code. */
function numberAbroad(digits: string): PhoneNumber | undefined {
  const whole = digits.replace(/^0+/, '');
  const code = [1, 2, 3].map((length) => whole.slice(0, length)).find((beginning) => codes.has(beginning));
  return code === undefined ? undefined : mostLikelyNumber(readingsIn(code, whole.slice(code.length)));
}

/**
 * The price zone of messages to a number: its calling code, or the country (ISO 3166-1) where it shares +1 with the
 * United States and Canada, because messages there cost many times as much. `unknown` for an invalid number.
 */
export function destinationOf(digits: string): string {
  const number = numberAbroad(digits);
  if (!number) return 'unknown';
  const { countryCallingCode: code, country } = number;
  const isApart = code === '1' && country !== undefined && country !== 'US' && country !== 'CA';
  return isApart ? country : code;
}

/** The destination of a brand's own numbers, by its calling code, or an area within +1 such as `1809`. */
export function destinationOfCode(areaCode: string): string {
  const code = areaCode.replaceAll(/\D/g, '');
  // the numbering plan assigns whole areas to countries, so any number of an area represents it
  return /^1\d{3}$/.test(code) ? destinationOf(`${code}5550123`) : code;
}

/** The part of a numbering plan that the types of the library leave out. */
interface TypedPlan {
  type(name: 'MOBILE'): { possibleLengths(): number[] } | undefined;
}

/**
 * Whether a country of the code has mobile numbers of this length. New ranges are opened faster than their metadata is
 * published.
 */
export function hasMobileLength(code: string, national: string): boolean {
  return callingCodes.some(([country, known]) => {
    if (known !== code) return false;
    metadata.selectNumberingPlan(country);
    // as: see TypedPlan
    const plan = metadata.numberingPlan as unknown as TypedPlan;
    return plan.type('MOBILE')?.possibleLengths().includes(national.length);
  });
}

/** The valid number after a country's international prefix, such as 011 within +1. */
function numberAfterPrefix(digits: string, code: string): PhoneNumber | undefined {
  const [country] = callingCodes.find(([, known]) => known === code) ?? [];
  if (country === undefined) return undefined;
  metadata.selectNumberingPlan(country);
  const [prefix = ''] = new RegExp(`^(?:${metadata.numberingPlan?.IDDPrefix() ?? ''})`).exec(digits) ?? [];
  // in a few islands the international prefix is a zero, which elsewhere is the national prefix
  const number = prefix.length > 1 ? numberAbroad(digits.slice(prefix.length)) : undefined;
  return number?.isValid() ? number : undefined;
}
