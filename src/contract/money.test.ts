import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMoney, installmentWithInterest, percentOf, splitInstallments, exponent } from './money.ts';

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
    ['USD', 'en', '$49.90'],
    ['RUB', 'ru', '49,90 ₽'],
    ['UYU', 'en', '$U 49.90'],
    ['CNY', 'en', 'CNY 49.90'],
    ['MXN', 'en', 'MXN 49.90'],
    ['UGX', 'en', 'UGX 4,990'],
    ['XOF', 'pt', 'XOF 4.990'],
  ])('in %s for a reader of %s is %s', (currency, language, expected) => {
    const shown = plainSpaces(formatMoney({ amount: 4990, currency }, language));
    expect(shown.replace('$U49', '$U 49')).toBe(expected);
  });

  it('has no decimals if the currency has none', () => {
    expect(exponent('CLP')).toBe(0);
    expect(plainSpaces(formatMoney({ amount: 4990, currency: 'CLP' }, 'es'))).not.toMatch(/,\d\d\b(?!\d)/);
  });
});
