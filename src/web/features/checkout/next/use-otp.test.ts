import { expect, test } from 'vitest';
import { dialLink, otpDigits } from './otp-step.tsx';

test('accepts a code pasted from the message', () => {
  expect(otpDigits('Your code is 12 34-56.', 6)).toBe('123456');
  expect(otpDigits('12345678', 6)).toBe('123456');
  expect(otpDigits('', 6)).toBe('');
  expect(['١٢٣٤٥٦', '१२३४५६', '１２３ ４５６'].map((text) => otpDigits(text, 6))).toEqual(Array(3).fill('123456'));
});

test('passes a complete service code to the dialler', () => {
  expect(dialLink('#144*391#')).toBe('tel:%23144*391%23');
  expect(dialLink('*144#')).toBe('tel:*144%23');
  expect(dialLink('+254700000000')).toBe('tel:+254700000000');
});

test('dials nothing else, whatever a provider sends', () => {
  for (const text of ['', '1', 'javascript:alert(1)', '12 34', '#144#;ext=1', '#'.repeat(25)]) {
    expect(dialLink(text)).toBeUndefined();
  }
});
