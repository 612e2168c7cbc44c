import { expect, test } from 'vitest';
import { otpDigits, sendsItself } from './otp-typing.ts';

test('a code may be pasted as the message has it', () => {
  expect(otpDigits('Your code is 12 34-56.', 6)).toBe('123456');
  expect(otpDigits('12345678', 6)).toBe('123456');
  expect(otpDigits('', 6)).toBe('');
});

test('a whole code is sent by itself, and the same one not again', () => {
  expect(sendsItself(undefined, '12345', 6)).toBe(false);
  expect(sendsItself(undefined, '123456', 6)).toBe(true);
  expect(sendsItself('123456', '123456', 6)).toBe(false);
  expect(sendsItself('123456', '123457', 6)).toBe(true);
});
