import { expect, test } from 'vitest';
import { isNoCoin } from './coin-amount.ts';

test('nothing is told from the smallest part of a coin', () => {
  for (const none of ['0', '0.0', '0.000000', '00']) expect(isNoCoin(none)).toBe(true);
  for (const some of ['0.000000000000000001', '1', '10', '0.1']) expect(isNoCoin(some)).toBe(false);
});
