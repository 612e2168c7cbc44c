import {
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import { typedToken } from '../../contract/typed-text.ts';

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
 * What a typed number says, by the calling code that was chosen beside it (empty where none was): with or without that code,
 * once or twice, with `+` or `00`, and with the digits that its country dials before it. Undefined where it is no number
 * of any length that the country has.
 */
export function canonicalNumber(typed: string, areaCode = ''): CanonicalNumber | undefined {
  const text = typedToken(typed).replace(/^[(]?00/, '+');
  const digits = digitsOf(text);
  const code = digitsOf(areaCode);
  const found = (text.includes('+') ? [] : nationalReadings(digits, code)).concat(
    internationalReadings(digits, text, code),
  );
  // where a number begins like its own country's code, the reading is meant that a message can reach
  const number = found.find(isMobile) ?? found.find((one) => one.isValid()) ?? found.find((one) => one.isPossible());
  return number && described(number);
}

const isMobile = (number: PhoneNumber) => /MOBILE/.test(number.getType() ?? '');

/** Readings of digits to which the chosen code belongs. */
function nationalReadings(digits: string, code: string): PhoneNumber[] {
  if (code === '') return [];
  // the Dominican Republic and Puerto Rico were once listed with the area within +1
  const [calling, area] = /^1\d{3}$/.test(code) ? ['1', code.slice(1)] : [code, ''];
  const local = area !== '' && digits.length === 7 ? area + digits : digits;
  const repeated = local.startsWith(code) ? [local.slice(code.length)] : [];
  return [local, ...repeated, ...repeated.map((rest) => rest.replace(/^0+/, ''))].flatMap((national) =>
    variants(calling, national),
  );
}

/** Readings of digits that begin with the code of their country. */
function internationalReadings(digits: string, text: string, code: string): PhoneNumber[] {
  const known = /^1\d{3}$/.test(code) ? '1' : code;
  const isSaid = text.includes('+');
  if (!isSaid && code !== '') return [];
  const own = known !== '' && digits.startsWith(known) ? nationalReadings(digits.slice(known.length), known) : [];
  const parsed = parsePhoneNumberFromString(`+${digits}`, { extract: false });
  const countrys = parsed ? variants(parsed.countryCallingCode, parsed.nationalNumber) : [];
  return isSaid || code === '' ? [...(parsed ? [parsed] : []), ...countrys, ...own] : [];
}

/** A national number as it is, and without what Mexico and Argentina put between the country's code and a mobile number. */
function variants(calling: string, national: string): PhoneNumber[] {
  if (!callingCodes.some(([, code]) => code === calling)) return [];
  const others =
    calling === '52'
      ? [national.replace(/^(?:0?1|04[45])/, '')]
      : calling === '54'
        ? [national.replace(/^0?9/, '0')]
        : [];
  return [national, ...others].flatMap((one) => {
    const parsed = parsePhoneNumberFromString(one, { defaultCallingCode: calling, extract: false });
    return parsed?.countryCallingCode === calling ? [parsed] : [];
  });
}

function described(number: PhoneNumber): CanonicalNumber {
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

/** Every country with a calling code of the ITU, in no particular order. */
export const callingCodes: readonly (readonly [country: string, areaCode: string])[] = getCountries().map((country) => [
  country,
  getCountryCallingCode(country),
]);
