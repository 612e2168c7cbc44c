import { languageTable, type Language } from '../../contract/fields.ts';
import { callingCodes } from '../process/phone-number.ts';

const served: ReadonlySet<string> = new Set(callingCodes.map(([, areaCode]) => areaCode));

/** Whether it is the calling code of a country, or of an area within +1; digits only, without a plus. */
export function isServed(areaCode: string): boolean {
  return served.has(areaCode) || /^1\d{3}$/.test(areaCode);
}

/** All countries with a calling code, named and sorted in the asked language. */
export function areaCodesIn(language: Language): { country: string; name: string; areaCode: string }[] {
  const names = new Intl.DisplayNames(languageTable[language].locale, { type: 'region' });
  const { compare } = new Intl.Collator(languageTable[language].locale);
  return callingCodes
    .map(([country, areaCode]) => ({ country, name: names.of(country) ?? country, areaCode }))
    .sort((a, b) => compare(a.name, b.name));
}
