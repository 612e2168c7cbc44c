import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { totalForInstallments, installmentOptions, priceOf } from './pricing.ts';

const terms = { maxInstallments: 12, interestFreeUpTo: 3, interestBasisPoints: 199, smallest: 0 };

describe('the price of a purchase', () => {
  it('applies the discount of the method first and the coupon to the rest', () => {
    expect(priceOf(10_000, 10, { kind: 'percent', value: 50 })).toEqual({
      original: 10_000,
      discount: 5500,
      total: 4500,
      byMethod: 1000,
      byCoupon: 4500,
    });
    expect(priceOf(10_000, 10, { kind: 'amount', value: 1000 })).toEqual({
      original: 10_000,
      discount: 2000,
      total: 8000,
      byMethod: 1000,
      byCoupon: 1000,
    });
  });

  it('is rounded down to whole units for a method without smaller ones', () => {
    const half = { kind: 'percent', value: 33 } as const;
    expect(priceOf(45_000, 0, half, 100)).toMatchObject({ discount: 14_900, total: 30_100, byCoupon: 14_900 });
    expect(priceOf(45_000, 0, half)).toMatchObject({ total: 30_150 });
    expect(priceOf(45_000, 0, { kind: 'amount', value: 44_950 }, 100)).toMatchObject({ total: 0 });
  });

  it('never falls below zero and always adds up', () => {
    const coupon = fc.record({
      kind: fc.constantFrom('percent' as const, 'amount' as const),
      value: fc.integer({ min: 0, max: 1_000_000 }),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 0, max: 100 }),
        coupon,
        (original, percent, off) => {
          const price = priceOf(original, percent, off);
          expect(price.total).toBeGreaterThanOrEqual(0);
          expect(price.total + price.discount).toBe(original);
          expect(price.byMethod + price.byCoupon).toBe(price.discount);
        },
      ),
    );
  });
});

describe('paying in installments', () => {
  it('costs nothing extra up to the interest-free number', () => {
    expect(installmentOptions(4990, 'BRL', terms)[2]).toEqual({
      count: 3,
      amount: { amount: 1664, currency: 'BRL' },
      total: { amount: 4990, currency: 'BRL' },
      rate: 0,
      interestFree: true,
    });
  });

  it('costs interest beyond that number', () => {
    expect(installmentOptions(10_000, 'BRL', terms)[9]).toMatchObject({
      count: 10,
      amount: { amount: 1113 },
      total: { amount: 11_130 },
      rate: 0.0199,
      interestFree: false,
    });
    expect(totalForInstallments(10_000, 10, terms)).toBe(11_130);
  });

  it('is not offered beyond the maximum of the method', () => {
    expect(installmentOptions(10_000, 'BRL', terms)).toHaveLength(12);
    expect(totalForInstallments(10_000, 13, terms)).toBeUndefined();
  });

  it('is not offered below the smallest installment of the brand', () => {
    const counts = (total: number) =>
      installmentOptions(total, 'BRL', { ...terms, smallest: 3000 }).map(({ count }) => count);
    expect(counts(1990)).toEqual([1]);
    expect(counts(5999)).toEqual([1]);
    expect(counts(6000)).toEqual([1, 2]);
    expect(counts(17_990)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(totalForInstallments(1990, 2, { ...terms, smallest: 3000 })).toBeUndefined();
    expect(totalForInstallments(1990, 1, { ...terms, smallest: 3000 })).toBe(1990);
  });
});
