import { typedToken } from '../../../contract/typed-text.ts';

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

/** The visitor's own country, else the brand's code, else the only one there is. */
export function guessAreaCode(
  codes: readonly AreaCode[],
  { countryCode, brandCode = '' }: { countryCode: string; brandCode?: string | undefined },
): string {
  const own = codes.find(({ countries }) => countries.includes(countryCode));
  const brand = codes.find(({ areaCode }) => areaCode === digits(brandCode));
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
