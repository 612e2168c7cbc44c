import fc from 'fast-check';
import { expect, test } from 'vitest';
import { areaCodesOf, countryOf, countryOptions, guessAreaCode, typedNumber, callingCodeOf } from './phone-number.ts';

const list = [
  { country: 'BR', areaCode: '55' },
  { country: 'KZ', areaCode: '7' },
  { country: 'RU', areaCode: '7' },
  { country: 'DO', areaCode: '1809' },
  { country: 'US', areaCode: '1' },
];
const all = areaCodesOf(list, []);

test('lists countries with the same code as one code', () => {
  expect(all.find(({ areaCode }) => areaCode === '7')?.countries).toEqual(['KZ', 'RU']);
});

test('finds each country by the start of its name, even if it shares a code', () => {
  const options = countryOptions(areaCodesOf([...list, { country: 'JM', areaCode: '1' }], []), 'en');
  expect(options.map(({ label }) => label)).toEqual([
    'Brazil +55',
    'Dominican Republic +1809',
    'Jamaica +1',
    'Kazakhstan +7',
    'Russia +7',
    'United States +1',
  ]);
  expect(countryOptions(areaCodesOf([], ['351']), 'pt')).toEqual([{ areaCode: '351', label: '+351' }]);
  expect(countryOptions(all, 'ru').map(({ label }) => label)).toContain('Казахстан +7');
});

test('resolves a shared code to the chosen country, else the visitor’s, else none', () => {
  expect(countryOf(all, '7', ['KZ', 'RU'])).toBe('KZ');
  expect(countryOf(all, '7', [undefined, 'RU'])).toBe('RU');
  expect(countryOf(all, '7', ['BR'])).toBeUndefined();
  expect(countryOf(all, '55', [undefined, 'US'])).toBe('BR');
  expect(countryOf(all, '', ['BR'])).toBeUndefined();
});

test("offers only the brand's codes, even one that is missing in the list", () => {
  expect(areaCodesOf(list, ['55', '+351'])).toEqual([
    { areaCode: '55', countries: ['BR'] },
    { areaCode: '351', countries: [] },
  ]);
});

test("guesses the visitor's country, then the brand's, then the only one", () => {
  expect(guessAreaCode(all, { countryCode: 'KZ', brandCode: '55' })).toBe('7');
  expect(guessAreaCode(all, { countryCode: 'FR', brandCode: '+55' })).toBe('55');
  expect(guessAreaCode(all, { countryCode: 'FR' })).toBe('');
  expect(guessAreaCode(areaCodesOf(list, ['55']), { countryCode: '' })).toBe('55');
});

test('selects +1 for a Caribbean brand, whose code includes the area', () => {
  const ofToday = areaCodesOf(
    [{ country: 'DO', areaCode: '1' }, ...list.filter(({ country }) => country !== 'DO')],
    [],
  );
  expect(guessAreaCode(ofToday, { countryCode: 'FR', brandCode: '1829' })).toBe('1');
  expect(guessAreaCode(all, { countryCode: 'FR', brandCode: '1809' })).toBe('1809');
  expect(['1809', '+1 787', '1', '55', '1809555'].map(callingCodeOf)).toEqual(['1', '1', '1', '55', '1809555']);
});

test('removes separators between digits', () => {
  expect(typedNumber('(11) 91234-5678', all)).toEqual({ number: '11912345678' });
});

test('splits a number pasted with a plus by the longest matching area code', () => {
  expect(typedNumber('+55 11 91234-5678', all)).toEqual({ number: '11912345678', areaCode: '55' });
  expect(typedNumber('+1 809 555 0123', all)).toEqual({ number: '5550123', areaCode: '1809' });
});

test('treats two leading zeros as a plus', () => {
  expect(typedNumber('0055 11 91234-5678', all)).toEqual({ number: '11912345678', areaCode: '55' });
  expect(typedNumber('011 91234-5678', all)).toEqual({ number: '011912345678' });
});

test('retains a typed plus until the code is known', () => {
  expect(typedNumber('+', all)).toEqual({ number: '+' });
  expect(typedNumber('+55', all)).toEqual({ number: '+55' });
  expect(typedNumber('+999 12', all)).toEqual({ number: '+99912' });
});

test('accepts digits and signs of every script, also while they are typed', () => {
  const zeros = ['٠', '۰', '०', '০', '௦', '๐', '０', '𝟎'];
  const inScript = (zero: string, digits: string) =>
    digits.replaceAll(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)));
  fc.assert(
    fc.property(fc.constantFrom(...zeros), fc.stringMatching(/^[1-9]\d{6,10}$/), (zero, number) => {
      expect(typedNumber(inScript(zero, number), all)).toEqual({ number });
      expect(typedNumber(inScript(zero, `＋55 ${number}`), all)).toEqual({ number, areaCode: '55' });
      expect(typedNumber(inScript(zero, `0055${number}`), all)).toEqual({ number, areaCode: '55' });
    }),
  );
  expect(typedNumber('\u202A+55\u200B 11 91234–5678\u202C', all)).toEqual({ number: '11912345678', areaCode: '55' });
  expect(typedNumber('＋５', all)).toEqual({ number: '+5' });
});
