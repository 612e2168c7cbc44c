import { expect, test } from 'vitest';
import type { InstallmentOption } from '#contract/billing.ts';
import { installmentGroups } from '#contract/installment-parts.ts';
import { chargedTotal, chosenInstallments, initialInstallments } from './use-purchase.ts';

const option = (count: number, total: number, interestFree = true): InstallmentOption => ({
  count,
  amount: { amount: Math.ceil(total / count), currency: 'BRL' },
  total: { amount: total, currency: 'BRL' },
  rate: interestFree ? 0 : 0.0199,
  interestFree,
});

test('preselects three installments if the site says three', () => {
  expect(initialInstallments([option(1, 4990), option(2, 4990), option(3, 4990), option(4, 5200, false)], 3)).toBe(3);
});

test('preselects the most that a method allows below that', () => {
  expect(initialInstallments([option(1, 4990), option(2, 4990)], 3)).toBe(2);
  expect(initialInstallments([option(1, 4990)], 3)).toBe(1);
  expect(initialInstallments([], 3)).toBe(1);
});

test('retains a choice after a new price if it is still offered', () => {
  expect(chosenInstallments([option(1, 4000), option(2, 4000), option(3, 4000)], 2, 3)).toBe(2);
  expect(chosenInstallments([option(1, 4000)], 2, 3)).toBe(1);
});

test('shows which installment differs', () => {
  const money = (amount: number) => ({ amount, currency: 'BRL' });
  expect(installmentGroups(option(3, 4990))).toEqual([
    { times: 1, each: money(1664) },
    { times: 2, each: money(1663) },
  ]);
  expect(installmentGroups(option(10, 11130, false))).toEqual([{ times: 10, each: money(1113) }]);
});

test('includes the interest in the amount on the button', () => {
  const total = { amount: 10000, currency: 'BRL' };
  expect(chargedTotal(total, [option(1, 10000), option(10, 11130, false)], 10)).toEqual({
    amount: 11130,
    currency: 'BRL',
  });
  expect(chargedTotal(total, undefined, 1)).toEqual(total);
});
