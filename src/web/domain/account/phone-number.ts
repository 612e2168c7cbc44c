import { normalizeToken } from '#contract/normalize-text.ts';

/** An entry of the list of countries, without its localized name. */
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

const digits = (text: string) => normalizeToken(text).replaceAll(/\D/g, '');

/** The codes that the brand accepts (all known codes if it does not restrict them), in the order of the list. */
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

interface CountryOption {
  readonly areaCode: string;
  /** undefined for a code without a known country */
  readonly country: string | undefined;
  readonly label: string;
}

/**
 * One option per country, so that type-ahead finds it by name even if countries share a code; one entry with the 25
 * countries of +1 would be wider than any screen.
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

/** The country of a chosen code: the first likely one that has it, else its only one, else undefined. */
export function countryOf(
  codes: readonly AreaCode[],
  areaCode: string,
  likely: readonly (string | undefined)[],
): string | undefined {
  const countries = codes.find((one) => one.areaCode === areaCode)?.countries ?? [];
  const known = likely.find((country) => country !== undefined && countries.includes(country));
  return known ?? (countries.length === 1 ? countries[0] : undefined);
}

/** The visitor's own country, else the brand's code, else the only one that exists. */
export function guessAreaCode(
  codes: readonly AreaCode[],
  { countryCode, brandCode = '' }: { countryCode: string; brandCode?: string | undefined },
): string {
  const own = codes.find(({ countries }) => countries.includes(countryCode));
  const withCode = (code: string) => codes.find(({ areaCode }) => areaCode === code);
  const brand = withCode(digits(brandCode)) ?? withCode(callingCodeOf(brandCode));
  return (own ?? brand ?? (codes.length === 1 ? codes[0] : undefined))?.areaCode ?? '';
}

/** Parses a typed or pasted number: its digits, and its area code if it starts with a plus and an accepted code. */
export function typedNumber(text: string, codes: readonly AreaCode[]): { number: string; areaCode?: string } {
  const whole = normalizeToken(text).replace(/^[(]?00/, '+');
  const number = digits(whole);
  if (!whole.startsWith('+')) return { number };
  const fitting = codes.filter(({ areaCode }) => areaCode !== '' && number.startsWith(areaCode));
  const longest = fitting.toSorted((a, b) => b.areaCode.length - a.areaCode.length)[0]?.areaCode;
  // the customer is still typing the code
  if (longest === undefined || number.length === longest.length) return { number: whole.replaceAll(/[^\d+]/g, '') };
  return { number: number.slice(longest.length), areaCode: longest };
}

/** A brand's calling code, digits only. For a Caribbean brand, whose code includes the area (`1809`), it is `1`. */
export const callingCodeOf = (brandCode: string): string => brandCode.replaceAll(/\D/g, '').replace(/^1\d{3}$/, '1');
