import { expect, test } from 'vitest';
import { codeDigits } from './use-code.ts';

test('extracts the code from a pasted line', () => {
  expect(codeDigits(' 12 34 ')).toBe('1234');
  expect(codeDigits('Your code is 0042.')).toBe('0042');
  expect(codeDigits('Order 77120: your code is 0042, good for 10 minutes')).toBe('0042');
});

test('does not turn another pasted number into a code', () => {
  expect(codeDigits('123456')).toBe('123456');
  expect(codeDigits('2026 1234')).toBe('20261234');
});

test('ignores a digit after the last one', () => {
  expect(codeDigits('12345', '1234')).toBe('1234');
  expect(codeDigits('123', '12')).toBe('123');
});
