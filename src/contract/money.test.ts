import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languages, languageTable, type Language } from './fields.ts';
import {
  currencySymbol,
  exponent,
  formatMoney,
  installmentWithInterest,
  knownCurrencies,
  percentOf,
  splitInstallments,
} from './money.ts';
import { countryOf } from './postal-rules.ts';

const amounts = fc.integer({ min: 0, max: 1_000_000_000_000 });
const counts = fc.integer({ min: 1, max: 24 });
const plainSpaces = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

describe('installments', () => {
  it('are split as acquirers split them', () => {
    expect(splitInstallments(4990, 3)).toEqual([1664, 1663, 1663]);
    expect(splitInstallments(9990, 12)).toEqual([833, 833, 833, 833, 833, 833, 832, 832, 832, 832, 832, 832]);
  });

  it('always add up to the price, the larger ones first, none more than one unit apart', () => {
    fc.assert(
      fc.property(amounts, counts, (total, count) => {
        const parts = splitInstallments(total, count);
        expect(parts).toHaveLength(count);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total);
        expect(parts).toEqual(parts.toSorted((a, b) => b - a));
        expect(parts[0]! - parts.at(-1)!).toBeLessThanOrEqual(1);
      }),
    );
  });

  it.each([
    [-1, 3],
    [10.5, 3],
    [100, 0],
    [100, 1.5],
  ])('refuse %s in %s', (total, count) => {
    expect(() => splitInstallments(total, count)).toThrow(RangeError);
  });

  it('with interest follow the annuity formula', () => {
    expect(installmentWithInterest(10_000, 10, 0.0199)).toBe(1113);
    expect(installmentWithInterest(100_000, 12, 0.01)).toBe(8885);
  });

  it('with interest never cost less than without', () => {
    fc.assert(
      fc.property(amounts, counts, fc.integer({ min: 0, max: 1500 }), (total, count, basisPoints) => {
        const each = installmentWithInterest(total, count, basisPoints / 10_000);
        expect(Number.isSafeInteger(each)).toBe(true);
        expect(each * count).toBeGreaterThanOrEqual(total - count);
      }),
    );
  });
});

describe('a discount', () => {
  it('never takes more than the price', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 200 }), (amount, percent) => {
        const off = percentOf(amount, percent);
        expect(off).toBeGreaterThanOrEqual(0);
        expect(off).toBeLessThanOrEqual(amount);
      }),
    );
  });
});

describe('a formatted price', () => {
  it.each([
    ['BRL', 'pt', 'R$ 49,90'],
    ['BRL', 'es', 'R$ 49,90'],
    ['BRL', 'en', 'R$49.90'],
    ['USD', 'en', '$49.90'],
    ['USD', 'pt', 'US$ 49,90'],
    ['USD', 'es', '$ 49,90'],
    ['USD', 'ru', '49,90 $'],
    ['RUB', 'ru', '49,90 ₽'],
    ['UYU', 'en', '$U 49.90'],
    ['CNY', 'en', 'CN¥49.90'],
    ['MXN', 'en', 'MXN 49.90'],
    ['MXN', 'es', 'MXN 49.90'],
    ['PEN', 'es', 'S/. 49.90'],
    ['EUR', 'en', '€49.90'],
    ['EUR', 'pt', '€ 49,90'],
    ['EUR', 'es', '49,90 €'],
    ['EUR', 'ru', '49,90 €'],
    ['GBP', 'en', '£49.90'],
    ['UGX', 'en', 'USh 4,990'],
    ['XOF', 'pt', 'FCFA 4.990'],
    ['CLP', 'es', '$ 4.990'],
    ['KWD', 'en', 'KWD 4.990'],
    ['KES', 'en', 'KSh 49.90'],
  ])('in %s for a reader of %s is %s', (currency, language, expected) => {
    const shown = plainSpaces(formatMoney({ amount: 4990, currency }, language));
    expect(shown.replace('$U49', '$U 49')).toBe(expected);
  });

  it('has cents only if there are any where no coin of a cent exists', () => {
    const shown = (currency: string) => plainSpaces(formatMoney({ amount: 420_000, currency }, 'en'));
    expect(['KES', 'NGN', 'USD'].map(shown)).toEqual(['KSh 4,200', '₦4,200', '$4,200.00']);
  });

  it('has the symbols of the specification', () => {
    const specified = 'USD $, BRL R$, ARS $, CLP $, COP $, MXN MXN, PEN S/., UYU $U, ZAR R, PHP ₱, RUB ₽'.split(', ');
    expect(specified.map((one) => `${one.slice(0, 3)} ${currencySymbol(one.slice(0, 3))}`)).toEqual(specified);
  });

  it('names one currency only, apart from the dollars and pesos of the specification', () => {
    const shared = Map.groupBy(knownCurrencies(), currencySymbol);
    const several = [...shared].filter(([, currencies]) => currencies.length > 1);
    // the two francs have the same name and value
    expect(several).toEqual([
      ['$', ['ARS', 'CLP', 'COP', 'USD']],
      ['FCFA', ['XAF', 'XOF']],
    ]);
    expect(currencySymbol('')).toBe('');
  });

  const sameSpaces = (text: string) => text.replaceAll(/\s/g, '\u00a0');
  const spanishSpeaking = new Set('AR BO CL CO CU DO EC GT HN MX NI PA PE PY SV UY VE'.split(' '));
  const localeOf = (language: Language, currency: string) => {
    if (language !== 'es') return languageTable[language].locale;
    if (currency === 'EUR') return 'es-ES';
    const country = countryOf(currency) ?? '';
    // the dollar and currencies of other languages are written as most countries of South America write
    return `es-${spanishSpeaking.has(country) ? country : 'CO'}`;
  };

  describe.each(languages)('in %s', (language) => {
    it.each(knownCurrencies())('has the digits, separators and order of Unicode CLDR for %s', (currency) => {
      const digits = exponent(currency);
      const locale = localeOf(language, currency);
      const style = { minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
      const number = new Intl.NumberFormat(locale, style);
      const [first] = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' }).formatToParts(1);
      const isFirst = first?.type === 'currency';
      fc.assert(
        fc.property(fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }), (amount) => {
          const shown = formatMoney({ amount, currency }, language);
          const value = amount / 10 ** digits;
          const isWhole = ['KES', 'NGN', 'TZS'].includes(currency) && Number.isInteger(value);
          const written = sameSpaces(
            isWhole ? new Intl.NumberFormat(locale).format(Math.abs(value)) : number.format(Math.abs(value)),
          );
          const symbol = language === 'pt' && currency === 'USD' ? 'US$' : currencySymbol(currency);
          const space = language === 'en' && /\p{Sc}$/u.test(symbol) ? '' : '\u00a0';
          const sign = amount < 0 ? '-' : '';
          expect(shown).toBe(sign + (isFirst ? symbol + space + written : written + space + symbol));
        }),
        { numRuns: 20 },
      );
    });
  });
});
