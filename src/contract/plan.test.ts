import { describe, expect, it } from 'vitest';
import { periodOf, pricePerMonth, recommendedPlanId, savedPercent, roundPercentDown, type Plan } from './plan.ts';

const plan = (days: number, amount: number, devices = 1): Plan => ({
  id: `${days}-${devices}`,
  name: 'Plan',
  days,
  devices,
  price: { amount, currency: 'BRL' },
  recommended: false,
  discounts: [],
});

describe('comparing plans', () => {
  const month = plan(30, 2990);
  const year = plan(365, 23_990);

  it('has a period label only if a plan lasts exactly that long', () => {
    expect([30, 180, 365, 31].map(periodOf)).toEqual(['month', 'halfYear', 'year', undefined]);
  });

  it('shows a price per month that never adds up to less than the plan', () => {
    expect(pricePerMonth(month)).toEqual({ amount: 2990, currency: 'BRL' });
    expect(pricePerMonth(year)).toEqual({ amount: 2000, currency: 'BRL' });
    expect(pricePerMonth(plan(180, 14_990))).toEqual({ amount: 2499, currency: 'BRL' });
    expect(pricePerMonth(plan(90, 7990))).toEqual({ amount: 2664, currency: 'BRL' });
    for (let amount = 1; amount < 4000; amount += 7) {
      expect(pricePerMonth(plan(365, amount)).amount * 12).toBeGreaterThanOrEqual(amount);
      expect(pricePerMonth(plan(180, amount)).amount * 6).toBeGreaterThanOrEqual(amount);
    }
  });

  it('shows no more than is saved', () => {
    expect(savedPercent(year, [month, year])).toBe(33);
    expect(savedPercent(month, [month, year])).toBe(0);
  });

  it('shows a discount with one decimal, rounded down', () => {
    expect([5, 4.39, 8.2, 1.1, 0.99].map(roundPercentDown)).toEqual([5, 4.3, 8.2, 1.1, 0.9]);
  });

  it('compares only with the same number of devices', () => {
    expect(savedPercent(plan(365, 23_990, 4), [month, year])).toBe(0);
  });

  it('shows no saving for a plan that costs more', () => {
    expect(savedPercent(plan(365, 99_990), [month])).toBe(0);
  });
});

describe('the recommended plan', () => {
  const refusal = { errCode: 6000, availableFrom: 1 };
  const month = plan(30, 2990, 3);
  const yearOfOne = { ...plan(365, 17_990), recommended: true };
  const yearOfThree = plan(365, 32_990, 3);
  const yearOfFive = plan(365, 42_990, 5);

  it('is the first plan that the brand recommends', () => {
    expect(recommendedPlanId([month, yearOfOne, { ...yearOfThree, recommended: true }])).toBe(yearOfOne.id);
    expect(recommendedPlanId([month])).toBeUndefined();
  });

  it('can always be bought: else another of the same length is recommended, the current plan first', () => {
    const refused = { ...yearOfOne, refusal };
    expect(recommendedPlanId([month, refused, yearOfThree, yearOfFive])).toBe(yearOfThree.id);
    expect(recommendedPlanId([month, refused, yearOfThree, { ...yearOfFive, yours: true }])).toBe(yearOfFive.id);
    expect(recommendedPlanId([month, refused, { ...yearOfThree, refusal }])).toBeUndefined();
  });
});
