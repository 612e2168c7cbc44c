import { expect, test } from 'vitest';
import type { InstallmentOption } from '#contract/billing.ts';
import { installmentGroups } from '#contract/installment-parts.ts';
import { chargedTotal, chosenInstallments, initialInstallments } from './installments.ts';

const option = (count: number, total: number, interestFree = true): InstallmentOption => ({
  count,
  amount: { amount: Math.ceil(total / count), currency: 'BRL' },
  total: { amount: total, currency: 'BRL' },
  rate: interestFree ? 0 : 0.0199,
  interestFree,
});

test('three installments are chosen at first where the site says three', () => {
  expect(initialInstallments([option(1, 4990), option(2, 4990), option(3, 4990), option(4, 5200, false)], 3)).toBe(3);
});

test('a method that allows fewer starts with the most it allows', () => {
  expect(initialInstallments([option(1, 4990), option(2, 4990)], 3)).toBe(2);
  expect(initialInstallments([option(1, 4990)], 3)).toBe(1);
  expect(initialInstallments([], 3)).toBe(1);
});

test('a choice survives a new price, unless it is no longer offered', () => {
  expect(chosenInstallments([option(1, 4000), option(2, 4000), option(3, 4000)], 2, 3)).toBe(2);
  expect(chosenInstallments([option(1, 4000)], 2, 3)).toBe(1);
});

test('installments that are not all equal say which is which', () => {
  const money = (amount: number) => ({ amount, currency: 'BRL' });
  expect(installmentGroups(option(3, 4990))).toEqual([
    { times: 1, each: money(1664) },
    { times: 2, each: money(1663) },
  ]);
  expect(installmentGroups(option(10, 11130, false))).toEqual([{ times: 10, each: money(1113) }]);
});

test('the amount on the button has the interest in it', () => {
  const total = { amount: 10000, currency: 'BRL' };
  expect(chargedTotal(total, [option(1, 10000), option(10, 11130, false)], 10)).toEqual({
    amount: 11130,
    currency: 'BRL',
  });
  expect(chargedTotal(total, undefined, 1)).toEqual(total);
});
