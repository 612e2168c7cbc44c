import {
  getCountries,
  getCountryCallingCode,
  Metadata,
  parsePhoneNumberFromString,
  type CountryCode,
  type PhoneNumber,
} from 'libphonenumber-js/max';

/** Every country with a calling code of the ITU, unordered. */
export const callingCodes: readonly (readonly [country: CountryCode, areaCode: string])[] = getCountries().map(
  (country) => [country, getCountryCallingCode(country)],
);

const codes = new Set(callingCodes.map(([, code]) => code));
const metadata = new Metadata();

export const isMobile = (number: PhoneNumber) => /MOBILE/.test(number.getType() ?? '');
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

export function readingsIn(code: string, digits: string): Readings {
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
export function mostLikelyNumber({ asTyped, withoutCode, withoutZeros }: Readings): PhoneNumber | undefined {
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
export function areTwoNumbers({ asTyped, withoutCode }: Readings): boolean {
  const [one, other] = [asTyped.find(isMobile), withoutCode.find(isMobile)];
  return one !== undefined && other !== undefined && one.number !== other.number;
}

/** The number for digits that begin with their country's code. */
export function numberAbroad(digits: string): PhoneNumber | undefined {
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
export function numberAfterPrefix(digits: string, code: string): PhoneNumber | undefined {
  const [country] = callingCodes.find(([, known]) => known === code) ?? [];
  if (country === undefined) return undefined;
  metadata.selectNumberingPlan(country);
  const [prefix = ''] = new RegExp(`^(?:${metadata.numberingPlan?.IDDPrefix() ?? ''})`).exec(digits) ?? [];
  // in a few islands the international prefix is a zero, which elsewhere is the national prefix
  const number = prefix.length > 1 ? numberAbroad(digits.slice(prefix.length)) : undefined;
  return number?.isValid() ? number : undefined;
}
