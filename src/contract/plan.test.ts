import { describe, expect, it } from 'vitest';
import { periodOf, pricePerMonth, savedPercent, type Plan } from './plan.ts';

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

  it('names a period only where a plan lasts exactly that long', () => {
    expect([30, 180, 365, 31].map(periodOf)).toEqual(['month', 'halfYear', 'year', undefined]);
  });

  it('shows what thirty days cost', () => {
    expect(pricePerMonth(month)).toEqual({ amount: 2990, currency: 'BRL' });
    expect(pricePerMonth(year)).toEqual({ amount: 1972, currency: 'BRL' });
  });

  it('promises no more than is really saved', () => {
    expect(savedPercent(year, [month, year])).toBe(34);
    expect(savedPercent(month, [month, year])).toBe(0);
  });

  it('compares only with the same number of devices', () => {
    expect(savedPercent(plan(365, 23_990, 4), [month, year])).toBe(0);
  });

  it('never shows a plan that costs more as a saving', () => {
    expect(savedPercent(plan(365, 99_990), [month])).toBe(0);
  });
});
