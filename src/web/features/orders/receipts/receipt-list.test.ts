import { expect, test } from 'vitest';
import { anOrder } from '#tests/builders/an-order-response.ts';
import { byYear } from './receipt-list.ts';

const paidIn = (orderId: string, year: number) =>
  anOrder({ orderId, paidAt: new Date(year, 11, 31, 23, 30).getTime() });

test('groups receipts by local year of payment, newest first, without duplicates', () => {
  const [old, last] = [paidIn('A', 2024), paidIn('B', 2026)];
  const years = byYear([last, last, old, paidIn('C', 2024)]);
  expect(years.map(({ year, orders }) => [year, orders.map(({ orderId }) => orderId)])).toEqual([
    [2026, ['B']],
    [2024, ['A', 'C']],
  ]);
});
