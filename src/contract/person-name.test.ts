import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { cardSchema, payerSchema } from './card.ts';
import { isPersonName, normalizeName } from './person-name.ts';

const apostrophes = ["'", '\u2018', '\u2019', '\u00B4', '`', '\u02BC', '\u02BB', '\u2032', '\u201B', '\uFF07'];
const dashes = ['-', '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212', '\uFF0D', '\uFE63'];
const spaces = [' ', '\u00A0', '\u2009', '\u202F', '\u3000', '\t', '  '];
const invisible = ['', '\u200B', '\u200E', '\u202A', '\u2060', '\uFEFF', '\u00AD'];
const word = fc.stringMatching(/^[A-Za-zÀ-ÖØ-öø-ÿА-я]{1,8}$/).map((letters) => letters.normalize('NFC'));

describe('a name', () => {
  it('is sent in the same form from every keyboard', () => {
    const joined = (signs: readonly string[], plain: string) =>
      fc.constantFrom(...signs).map((sign) => ({ sign, plain }));
    const joint = fc.oneof(joined(apostrophes, "'"), joined(dashes, '-'), joined(spaces, ' '));
    fc.assert(
      fc.property(word, joint, word, fc.constantFrom(...invisible), (first, { sign, plain }, second, mark) => {
        const typed = ` ${mark}${first}${sign}${mark}${second.normalize('NFD')} `;
        expect(normalizeName(typed)).toBe(`${first}${plain}${second}`);
        expect(isPersonName(typed)).toBe(true);
      }),
    );
  });

  it.each([
    ['王', 'one letter'],
    ['O', 'one letter'],
    ["'t Hooft", 'a leading apostrophe'],
    ['’t Hooft', 'a leading curly apostrophe'],
    ['3M LTDA', 'digits of a company'],
    ['C&A Modas', 'a sign of a company'],
    ['D´Angelo', 'an acute accent'],
    ['Silva & Filhos (Brasil), S/A', 'punctuation of a company'],
    ['Gal·la', 'a middle dot'],
    ['买买提·艾力', 'a middle dot in Chinese'],
    ['マリー・アントワネット', 'Japanese'],
    ['ＪＯＨＮ', 'full-width letters'],
    ['محمد علي', 'Arabic'],
    ['علی\u200Cرضا', 'a joiner inside a word'],
    ['क्षत्रिय', 'Devanagari'],
    ['Nguyễn Thị', 'Vietnamese'],
    ['Sta. Maria Jr.', 'full stops'],
    ['José 2º', 'an ordinal'],
    ['ООО "Ромашка"', 'quotes of a company'],
    ['ООО «Ромашка»', 'guillemets'],
    ['ООО „Ромашка“', 'low and high quotes'],
    ['Yahoo!', 'an exclamation mark'],
    ['Mercado #1', 'a number sign'],
    ['Acme®', 'a registered trade mark'],
    ['Acme™ Ltda', 'a trade mark'],
    ['צ״ל', 'a Hebrew abbreviation'],
    ['12.345.678 JOAO DA SILVA', 'a company of one person in Brazil'],
    ['12345678 JOAO DA SILVA', 'the same without full stops'],
    ['JOAO DA SILVA 12345678901', 'the same as it was named before 2022'],
    ['JOAO DA SILVA 123.456.789-01', 'the same with its punctuation'],
  ])('may be %s (%s)', (name) => {
    expect(isPersonName(name)).toBe(true);
    expect(isPersonName(normalizeName(name))).toBe(true);
  });

  it.each([
    '',
    ' ',
    '\u200B',
    '4242',
    '-',
    "'",
    '...',
    'Ana <b>',
    'ana@example.com',
    'R$',
    '😀',
    'Ana 4242424242424242',
    'Ana Lima 4242424242424242',
    'Ana Lima 4242 4242 4242 4242',
    'Ana 11987654321',
    'Ana Lima 5555 5555',
    '12345678901',
    '12.345.678',
    '12.345.678 Ana',
    '12.345.678 Ana Lima 12345678901',
    '12345678901 Ana Lima',
    '"',
    '«»',
    '!',
    '®',
  ])('is not %j', (name) => {
    expect(isPersonName(name)).toBe(false);
  });

  it.each([
    ['ООО «Ромашка»', 'ООО "Ромашка"'],
    ['ООО „Ромашка“', 'ООО "Ромашка"'],
    ['ООО ＂Ромашка＂', 'ООО "Ромашка"'],
    ['צ״ל', 'צ"ל'],
    ['Acme® Ltda', 'Acme Ltda'],
    ['Acme™', 'Acme'],
  ])('is sent without special characters of keyboards: %s', (typed, sent) => {
    expect(normalizeName(typed)).toBe(sent);
    expect(normalizeName(sent)).toBe(sent);
  });

  it('keeps the joiners of Persian and drops all other invisible characters', () => {
    expect(normalizeName('\u200Eعلی\u200Cرضا\u200C\u200F')).toBe('علی\u200Cرضا');
  });
});

it('accepts a customer without a last name, and a last name of one letter', () => {
  expect(v.parse(payerSchema, { firstName: 'Suharto', lastName: ' ' })).toEqual({ firstName: 'Suharto', lastName: '' });
  const card = { number: '4242424242424242', expiry: '12/30', code: '123', holderFirstName: 'Suharto' };
  expect(v.parse(cardSchema, card).holderLastName).toBe('');
  expect(v.parse(cardSchema, { ...card, holderLastName: '李' }).holderLastName).toBe('李');
});
