import { expect, test } from 'vitest';
import { codeDigits, completion } from './code-words.ts';

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

/** What is sent while somebody types these, one after the other. */
function sentWhileTyping(...typed: string[]): string[] {
  let last = '';
  return typed.filter((code) => {
    const now = completion(last, code);
    last = now.last;
    return now.send;
  });
}

test('a code is sent once when its last digit is there', () => {
  expect(sentWhileTyping('1', '12', '123', '1234', '1234')).toEqual(['1234']);
});

test('a corrected code is sent again, even the same one', () => {
  expect(sentWhileTyping('1234', '123', '1235')).toEqual(['1234', '1235']);
  expect(sentWhileTyping('1234', '123', '1234')).toEqual(['1234', '1234']);
});
