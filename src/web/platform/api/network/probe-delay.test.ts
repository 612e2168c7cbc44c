import { expect, test } from 'vitest';
import { probeDelay } from './network-state.ts';

test('the server is probed after a second at first, and every half minute in the end', () => {
  expect([1, 2, 3, 4, 5, 6, 20].map((failures) => probeDelay(failures, 0.5))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
  ]);
});

test('a thousand phones do not reconnect in the same second', () => {
  expect(probeDelay(6, 0)).toBe(22_500);
  expect(probeDelay(6, 0.999)).toBeLessThanOrEqual(37_500);
});
