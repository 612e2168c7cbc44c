import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { discountCodeSchema, normalizeCoupon } from '#contract/coupons.ts';

const spellings: Readonly<Record<string, readonly string[]>> = {
  A: ['А', 'а', 'Α', 'α', 'Á', 'ａ', 'Ａ'],
  B: ['В', 'в', 'Β', 'Ｂ'],
  C: ['С', 'с', 'Ϲ', 'ϲ', 'Ç', 'ç', 'Ｃ'],
  D: ['Ԁ', 'ԁ', 'Ｄ'],
  E: ['Е', 'е', 'Ε', 'É', 'Ｅ'],
  G: ['Ԍ', 'ԍ', 'Ｇ'],
  H: ['Н', 'н', 'Һ', 'һ', 'Η', 'Ｈ'],
  I: ['І', 'і', 'Ӏ', 'Ι', 'İ', 'ı', 'Ｉ'],
  K: ['К', 'к', 'Κ', 'Ｋ'],
  M: ['М', 'м', 'Μ', 'Ｍ'],
  N: ['Ν', 'Ñ', 'ñ', 'Ｎ'],
  O: ['О', 'о', 'Ο', 'Õ', 'Ｏ'],
  P: ['Р', 'р', 'Ρ', 'Ｐ'],
  S: ['Ѕ', 'ѕ', 'Ｓ'],
  T: ['Т', 'т', 'Τ', 'Ｔ'],
  V: ['Ѵ', 'ѵ', 'Ｖ'],
  X: ['Х', 'х', 'Χ', 'Ｘ'],
  Y: ['У', 'у', 'Υ', 'Ｙ'],
  '0': ['０', '٠', '۰'],
  '5': ['５', '٥', '۵'],
  '-': ['‐', '‑', '–', '—', '−', '－', 'ー'],
};
const character = fc
  .constantFrom(...Object.keys(spellings))
  .chain((plain) =>
    fc.tuple(fc.constant(plain), fc.constantFrom(plain, plain.toLowerCase(), ...(spellings[plain] ?? []))),
  );
const around = fc.constantFrom('', ' 🎉', ' ', '"', '“', '”', '«', '»', '.', ',', '\u200B', '\uFEFF', '\n', '\u00A0');

describe('a coupon', () => {
  it('is recognized with look-alike letters, other dashes and digits, accents, spaces and quotes', () => {
    fc.assert(
      fc.property(fc.array(character, { minLength: 2, maxLength: 12 }), around, around, (characters, before, after) => {
        const issued = characters.map(([plain]) => plain).join('');
        const typed = before + characters.map(([, other]) => other).join('') + after;
        expect(v.parse(discountCodeSchema, typed)).toBe(issued);
      }),
    );
  });

  it.each([
    'Code: SAVE10',
    'coupon code： save10',
    'Promo code: "SAVE10"',
    'Código: SAVE10.',
    'Cupom: SAVE10',
    'Cupón: SAVE10',
    'Промокод: SAVE10',
    'код: «SAVE10»',
  ])('is recognized with its label: %s', (typed) => {
    expect(v.parse(discountCodeSchema, typed)).toBe('SAVE10');
  });

  it.each(['CODE10', 'CODE-10', 'PROMO', 'CUPOM10'])('can begin like a label: %s', (code) => {
    expect(v.parse(discountCodeSchema, code)).toBe(code);
  });

  it.each(['', 'A', 'ЖИЗНЬ', 'SAVE:10', 'A_B', 'SAVE 10%OFF', '優惠券'])('is not %j', (typed) => {
    expect(v.is(discountCodeSchema, typed)).toBe(false);
  });

  it('stays the same when normalized twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(normalizeCoupon(normalizeCoupon(text))).toBe(normalizeCoupon(text));
      }),
    );
  });
});
