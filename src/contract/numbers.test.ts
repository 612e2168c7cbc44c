import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languages, languageTable } from './fields.ts';
import { formatNumber, formatPercent } from './numbers.ts';

const sameSpaces = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, '\u00a0');

/** Whole hundredths, because implementations round halves differently. */
const hundredths = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 });

describe.each(languages)('numbers in %s have the format of Unicode CLDR:', (language) => {
  const { locale } = languageTable[language];
  const intlFormat = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options);

  it('with and without decimal places', () => {
    for (const digits of [0, 2]) {
      const format = intlFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits });
      fc.assert(
        fc.property(hundredths, (amount) => {
          const value = amount / 10 ** digits;
          expect(formatNumber(value, language, digits)).toBe(sameSpaces(format.format(value)));
        }),
      );
    }
  });

  it('percentages of discounts', () => {
    const format = intlFormat({ style: 'percent', maximumFractionDigits: 1 });
    for (const value of [0, 0.9, 5, 12.5, 33.3, 100])
      expect(formatPercent(value, language)).toBe(sameSpaces(format.format(value / 100)));
  });

  it('percentages of interest', () => {
    const format = intlFormat({ style: 'percent', maximumFractionDigits: 2 });
    for (const rate of [0, 0.0199, 0.0209, 0.025, 0.0299, 0.1])
      expect(formatPercent(rate * 100, language, 2)).toBe(sameSpaces(format.format(rate)));
  });
});

it('numbers in an unknown language have the English format', () => {
  expect(formatNumber(1234.5, 'xx', 1)).toBe('1,234.5');
});
