import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyFilling, fillCode } from './code-completion.ts';

/** Returns the codes that are sent while a field has these values one after the other. */
function codesSentFor(...values: string[]): string[] {
  let filling = emptyFilling;
  return values.filter((value) => {
    const { now, send } = fillCode(filling, value, 4);
    filling = now;
    return send;
  });
}

test('sends a code once when an empty field is completed: typed, pasted or autofilled', () => {
  expect(codesSentFor('1', '12', '123', '1234', '1234')).toEqual(['1234']);
  expect(codesSentFor('1', '12', '1', '12', '123', '1234')).toEqual(['1234']);
  expect(codesSentFor('1234')).toEqual(['1234']);
});

test('sends the next code when the field was emptied, or all of it was replaced', () => {
  expect(codesSentFor('1234', '', '5', '56', '567', '5678')).toEqual(['1234', '5678']);
  expect(codesSentFor('1234', '', '1234')).toEqual(['1234', '1234']);
  expect(codesSentFor('1234', '5', '56', '567', '5678')).toEqual(['1234', '5678']);
  expect(codesSentFor('1234', '5678')).toEqual(['1234', '5678']);
});

test('does not send when one digit of a whole code is corrected', () => {
  expect(codesSentFor('1234', '123', '1235')).toEqual(['1234']);
  expect(codesSentFor('1234', '134', '1834')).toEqual(['1234']);
  expect(codesSentFor('1234', '12', '1', '12', '125', '1256')).toEqual(['1234']);
  expect(codesSentFor('1234', '1235')).toEqual(['1234']);
});

test('never sends a corrected digit, whichever it is', () => {
  const digit = fc.integer({ min: 0, max: 9 }).map(String);
  const code = fc.array(digit, { minLength: 4, maxLength: 4 }).map((digits) => digits.join(''));
  fc.assert(
    fc.property(code, fc.integer({ min: 0, max: 3 }), digit, (whole, at, other) => {
      const without = whole.slice(0, at) + whole.slice(at + 1);
      const corrected = whole.slice(0, at) + other + whole.slice(at + 1);
      expect(codesSentFor(whole, without, corrected)).toEqual([whole]);
      expect(codesSentFor(whole, corrected)).toEqual([whole]);
    }),
  );
});
