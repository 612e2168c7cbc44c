import { typedToken } from '#contract/typed-text.ts';
import { callingCodeOf } from './calling-code.ts';

/** An entry of the list of countries, without its spelling in one language. */
export interface Country {
  readonly country: string;
  readonly areaCode: string;
}

export interface AreaCode {
  /** digits, without a plus */
  readonly areaCode: string;
  /** ISO 3166-1; several share one code */
  readonly countries: readonly string[];
}

const digits = (text: string) => typedToken(text).replaceAll(/\D/g, '');

/** The codes that the brand takes (all that are known where it does not say), in the order of the list. */
export function areaCodesOf(list: readonly Country[], allowed: readonly string[]): AreaCode[] {
  const wanted = new Set(allowed.map(digits));
  const found = new Map<string, string[]>();
  for (const { country, areaCode } of list) {
    const code = digits(areaCode);
    if (wanted.size === 0 || wanted.has(code)) found.set(code, [...(found.get(code) ?? []), country]);
  }
  for (const code of wanted) if (!found.has(code)) found.set(code, []);
  return [...found].map(([areaCode, countries]) => ({ areaCode, countries }));
}

export interface CountryOption {
  readonly areaCode: string;
  /** undefined for a code of which no country is known */
  readonly country: string | undefined;
  readonly label: string;
}

/**
 * One choice for each country, so that it is found by its name also where countries share a code: a list finds an entry by how
 * it begins, and the 25 countries of +1 in one entry are wider than any screen.
 */
export function countryOptions(codes: readonly AreaCode[], language: string): CountryOption[] {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return codes
    .flatMap(({ areaCode, countries }) =>
      (countries.length > 0 ? countries : [undefined]).map((country) => ({
        areaCode,
        country,
        label: `${country ? names.of(country) : ''} +${areaCode}`.trim(),
      })),
    )
    .toSorted((one, other) => one.label.localeCompare(other.label, language));
}

/** The country of a chosen code: the first of the likely ones that has it, else its only one, else unknown. */
export function countryOf(
  codes: readonly AreaCode[],
  areaCode: string,
  likely: readonly (string | undefined)[],
): string | undefined {
  const countries = codes.find((one) => one.areaCode === areaCode)?.countries ?? [];
  const known = likely.find((country) => country !== undefined && countries.includes(country));
  return known ?? (countries.length === 1 ? countries[0] : undefined);
}

/** The visitor's own country, else the brand's code, else the only one there is. */
export function guessAreaCode(
  codes: readonly AreaCode[],
  { countryCode, brandCode = '' }: { countryCode: string; brandCode?: string | undefined },
): string {
  const own = codes.find(({ countries }) => countries.includes(countryCode));
  const withCode = (code: string) => codes.find(({ areaCode }) => areaCode === code);
  const brand = withCode(digits(brandCode)) ?? withCode(callingCodeOf(brandCode));
  return (own ?? brand ?? (codes.length === 1 ? codes[0] : undefined))?.areaCode ?? '';
}

/** A number as it is typed or pasted: its digits, and the area code where it begins with a plus and one of ours. */
export function typedNumber(text: string, codes: readonly AreaCode[]): { number: string; areaCode?: string } {
  const whole = typedToken(text).replace(/^[(]?00/, '+');
  const number = digits(whole);
  if (!whole.startsWith('+')) return { number };
  const fitting = codes.filter(({ areaCode }) => areaCode !== '' && number.startsWith(areaCode));
  const longest = fitting.toSorted((a, b) => b.areaCode.length - a.areaCode.length)[0]?.areaCode;
  // one that is still being typed is no number yet
  if (longest === undefined || number.length === longest.length) return { number: whole.replaceAll(/[^\d+]/g, '') };
  return { number: number.slice(longest.length), areaCode: longest };
}
