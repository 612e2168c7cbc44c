import { expect, test } from 'vitest';
import { codeDigits } from './code-words.ts';

test('pasting the whole line of a message leaves the code', () => {
  expect(codeDigits(' 12 34 ')).toBe('1234');
  expect(codeDigits('Your code is 0042.')).toBe('0042');
  expect(codeDigits('Order 77120: your code is 0042, good for 10 minutes')).toBe('0042');
});

test('a pasted number that is no code does not become one', () => {
  expect(codeDigits('123456')).toBe('123456');
  expect(codeDigits('2026 1234')).toBe('20261234');
});

test('a digit typed after the last one changes nothing', () => {
  expect(codeDigits('12345', '1234')).toBe('1234');
  expect(codeDigits('123', '12')).toBe('123');
});
