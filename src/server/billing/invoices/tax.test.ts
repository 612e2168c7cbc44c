import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creditedAmount, taxedAmount } from './tax.ts';

describe('the tax in a gross price', () => {
  it.each([
    // 1990 * 19 / 119 = 317.73
    [1990, 19_000, 318],
    // exactly a half: 21 * 5 / 105 = 1, 105 * 50 / 150 = 35, 3 * 20 / 120 = 0.5
    [21, 5000, 1],
    [3, 20_000, 1],
    [9, 20_000, 2],
    [2, 20_000, 0],
    // 4990 * 2.925 / 102.925 = 141.81
    [4990, 2925, 142],
    // pesos of Chile have no minor unit: 9990 * 19 / 119 = 1595.04
    [9990, 19_000, 1595],
    [1990, 0, 0],
    [0, 19_000, 0],
    [1, 19_000, 0],
    // beyond the exact integers of a floating-point product
    [9_007_199_254_740_991, 19_000, 1_438_124_250_756_965],
  ])('of %i at %i thousandths of a per cent is %i', (gross, rate, tax) => {
    expect(taxedAmount(gross, rate)).toEqual({ gross, net: gross - tax, tax });
  });

  const amounts = fc.integer({ min: 1, max: 1_000_000_000 });
  const rates = fc.integer({ min: 0, max: 99_000 });

  it('is between nothing and the price, and within half a unit of the exact value', () => {
    fc.assert(
      fc.property(amounts, rates, (gross, rate) => {
        const { net, tax } = taxedAmount(gross, rate);
        expect(net + tax).toBe(gross);
        expect(net).toBeGreaterThanOrEqual(0);
        expect(Math.abs(tax - (gross * rate) / (100_000 + rate))).toBeLessThanOrEqual(0.5 + 1e-6);
      }),
    );
  });

  it('is returned completely by credit notes that add up to the price, in any parts', () => {
    fc.assert(
      fc.property(fc.array(amounts, { minLength: 1, maxLength: 8 }), rates, (parts, rate) => {
        const gross = parts.reduce((sum, part) => sum + part, 0);
        let left = taxedAmount(gross, rate);
        for (const part of parts) {
          const credit = creditedAmount(left.gross, part, rate);
          expect(credit.net + credit.tax).toBe(-part);
          expect(credit.net).toBeLessThanOrEqual(0);
          expect(credit.tax).toBeLessThanOrEqual(0);
          left = { gross: left.gross - part, net: left.net + credit.net, tax: left.tax + credit.tax };
          expect(left).toEqual(taxedAmount(left.gross, rate));
        }
        expect(left).toEqual({ gross: 0, net: 0, tax: 0 });
      }),
    );
  });
});
