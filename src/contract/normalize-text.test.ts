import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removeInvisible, normalizeToken, toAsciiDigits } from './normalize-text.ts';

const invisible = [
  ...Array.from('\u00AD\u034F\u061C\u115F\u180E\u200B\u200C\u200D\u200E\u200F\u202A\u202B\u202C\u202D\u202E'),
  ...Array.from('\u2060\u2061\u2066\u2067\u2068\u2069\uFE0E\uFE0F\uFEFF\u{E0100}\u{E0041}\u3164\u0007\u001B\u007F'),
];
const spaces = [' ', '\t', '\n', '\r', '\v', '\u0085', '\u00A0', '\u1680', '\u2003', '\u2009', '\u202F', '\u3000'];

const noise = fc.array(fc.constantFrom(...invisible, ...spaces), { maxLength: 3 }).map((parts) => parts.join(''));
const value = fc.stringMatching(/^[A-Za-z0-9@.+'-]{1,30}$/);

describe('a value without spaces', () => {
  it('is recognized with any pasted spaces and invisible characters', () => {
    fc.assert(
      fc.property(value, fc.array(noise, { minLength: 31, maxLength: 31 }), (plain, noises) => {
        const pasted = noises.map((added, index) => added + (plain[index] ?? '')).join('');
        expect(normalizeToken(pasted)).toBe(plain);
      }),
    );
  });

  it('stays the same when normalized twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(normalizeToken(normalizeToken(text))).toBe(normalizeToken(text));
      }),
    );
  });

  it.each([
    ['full-width', '\uFF21\uFF22\uFF0D\uFF11\uFF12', 'AB-12'],
    ['Arabic-Indic', '\u0660\u0661\u0662\u0669', '0129'],
    ['Persian', '\u06F0\u06F4\u06F9', '049'],
    ['Devanagari', '\u0966\u096F', '09'],
    ['Thai', '\u0E51\u0E52', '12'],
    ['mathematical', '\u{1D7D9}\u{1D7E0}', '18'],
    ['long dashes', 'A\u2010B\u2013C\u2014D\u2212E\u30FCF', 'A-B-C-D-E-F'],
    ['curly apostrophes', 'o\u2019brien\u00B4s', "o'brien's"],
  ])('is converted to ASCII from %s characters', (_, typed, plain) => {
    expect(normalizeToken(typed)).toBe(plain);
  });
});

it('converts the digits of every Unicode script', () => {
  const digits = Array.from({ length: 0x2_00_00 }, (_, codePoint) => String.fromCodePoint(codePoint));
  const read = digits.filter((character) => /\p{Nd}/u.test(character)).map(toAsciiDigits);
  expect(read.length).toBeGreaterThan(600);
  expect(read.every((digit, index) => digit === String(index % 10))).toBe(true);
});

it('keeps visible text of every language unchanged', () => {
  for (const text of ['Zoë D’Angelo', '王小明', 'محمد علي', 'Анна-Мария', 'नमस्ते']) {
    expect(removeInvisible(text)).toBe(text);
  }
});
