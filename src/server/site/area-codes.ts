import { Metadata, type CountryCode } from 'libphonenumber-js/max';
import { languageTable, type Language } from '#contract/fields.ts';
import { callingCodes } from '#server/runtime/phone-readings.ts';

const served: ReadonlySet<string> = new Set(callingCodes.map(([, areaCode]) => areaCode));

/** Whether it is the calling code of a country, or an area code within +1; digits only, without a plus. */
export function isServed(areaCode: string): boolean {
  return served.has(areaCode) || /^1\d{3}$/.test(areaCode);
}

interface ListedCountry {
  readonly country: string;
  readonly name: string;
  readonly areaCode: string;
  readonly pattern: string;
}

/** The methods of a numbering plan that the library's types omit. */
interface NumberingPlan {
  nationalNumberPattern(): string;
  nationalPrefix(): string | number | undefined;
  nationalPrefixForParsing(): string | number | undefined;
  IDDPrefix(): string;
}

const metadata = new Metadata();

/**
 * Brazil dials a carrier code before a number, and Mexico and Argentina had digits between area code and number (see
 * `canonicalNumber`).
 */
const dialledBefore: Readonly<Record<string, string>> = { BR: '(?:0|90)(?:\\d\\d)?', MX: '0?1|04[45]' };

/**
 * The pattern of a national number as typed, with the prefixes that are dialled within the country. Pages check a new
 * number with it before sending; `canonicalNumber` decides, and accepts nothing that the pattern excludes.
 */
function patternOf(country: string, areaCode: string): string {
  if (country === 'AR') return '\\d{10,15}';
  // as: the country comes from the library's own list
  metadata.selectNumberingPlan(country as CountryCode);
  // as: the types of the package omit the numbering plan
  const plan = metadata.numberingPlan as unknown as NumberingPlan;
  const parsed = String(plan.nationalPrefixForParsing() ?? '');
  const prefix = String(plan.nationalPrefix() ?? '');
  // a group is a carrier code, or a local number without its area code, which within +1 could be of any country
  const hasGroups = /\((?!\?)/.test(parsed) && areaCode !== '1' && !(country in dialledBefore);
  const isLocal = hasGroups && parsed.includes('\\d{');
  const before = dialledBefore[country] ?? (isLocal || areaCode === '1' ? prefix : `${prefix}|${parsed}`);
  const abroad = plan.IDDPrefix();
  // the browser already reads two zeros as a plus, and one may be dialled before a national number
  const alternatives = [...(isLocal ? [parsed] : []), ...(/^0{1,2}$/.test(abroad) ? [] : [`(?:${abroad})\\d{7,15}`])];
  return [`(?:${before})?(?:${plan.nationalNumberPattern()})`, ...alternatives].join('|');
}

/** All countries with a calling code, named and sorted in the requested language. */
export function areaCodesIn(language: Language): ListedCountry[] {
  const names = new Intl.DisplayNames(languageTable[language].locale, { type: 'region' });
  const { compare } = new Intl.Collator(languageTable[language].locale);
  return callingCodes
    .map(([country, areaCode]) => ({
      country,
      name: names.of(country) ?? country,
      areaCode,
      pattern: patternOf(country, areaCode),
    }))
    .sort((a, b) => compare(a.name, b.name));
}
