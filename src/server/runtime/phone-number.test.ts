import fc from 'fast-check';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, it } from 'vitest';
import { canonicalNumber, isSameNumber, storedSpellings, callingCodes } from './phone-number.ts';

const mobiles = getCountries().flatMap((country) => {
  const example = getExampleNumber(country, examples);
  return example ? [{ country, code: example.countryCallingCode, national: example.nationalNumber }] : [];
});

const keepsZero = new Set(['AC', 'IT', 'VA']);

describe('a phone number', () => {
  it.each([
    ['254', '254712345678', '0712345678 712345678 254712345678 00254712345678 +254712345678 +2540712345678'],
    ['254', '254712345678', '2540712345678 254254712345678 +254254712345678 (0712)345-678 00254-0712-345678'],
    [
      '7',
      '79123456789',
      '89123456789 79123456789 +79123456789 9123456789 0079123456789 8(912)345-67-89 +7(8912)3456789',
    ],
    ['44', '447911123456', '07911123456 7911123456 447911123456 +44(0)7911123456 00447911123456 4407911123456'],
    [
      '52',
      '525512345678',
      '5512345678 +525512345678 +5215512345678 5215512345678 15512345678 0445512345678 015512345678',
    ],
    [
      '54',
      '5491123456789',
      '91123456789 +5491123456789 1123456789 01123456789 111523456789 0111523456789 +549111523456789',
    ],
    ['54', '5491123456789', '+541123456789 541123456789 +54111523456789'],
    ['55', '5511912345678', '(11)91234-5678 011912345678 5511912345678 +5511912345678 04111912345678'],
    ['1809', '18095550123', '5550123 8095550123 +18095550123 18095550123'],
    ['39', '390612345678', '0612345678 +390612345678 00390612345678'],
  ])('of +%s is %s, however it is written', (code, expected, spellings) => {
    for (const typed of spellings.split(' ').filter((one) => one.length > 8))
      expect(canonicalNumber(typed, code)?.digits, typed).toBe(expected);
  });

  it('of any country is one number with and without its code, its plus and its zeros', () => {
    fc.assert(
      fc.property(fc.constantFrom(...mobiles), ({ country, code, national }) => {
        const expected = canonicalNumber(`+${code}${national}`)?.digits;
        const spellings = [national, `${code}${national}`, `00${code}${national}`, `+${code} ${national}`];
        const read = spellings.map((typed) => canonicalNumber(typed, code)?.digits);
        expect(new Set(read), country).toEqual(new Set([expected]));
        expect(canonicalNumber(expected ?? '', code)?.digits, country).toBe(expected);
        expect(storedSpellings(expected ?? '')[0]).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });

  it.each(mobiles)('of $country is one number with its code and zeros in any order', ({ country, code, national }) => {
    const expected = canonicalNumber(`+${code}${national}`)?.digits;
    const again = [`${code}${code}${national}`, `${code}00${code}${national}`, `${code}0${code}${national}`];
    const spellings = [national, `0${code}${national}`, ...again, ...again.map((one) => `+${one}`)];
    const withZero = [`0${national}`, `${code}0${national}`, `+${code}0${national}`];
    // there a zero before a mobile number turns it into a landline number
    const all = keepsZero.has(country) ? spellings : [...spellings, ...withZero, `+${code} (0)${national}`];
    expect(all.filter((typed) => canonicalNumber(typed, code)?.digits !== expected)).toEqual([]);
  });

  it.each([
    ['39', '+39 (0)312 345 6789', '393123456789'],
    ['39', '+39 (0)31 234 5678', '390312345678'],
    ['39', '+39 (0)6 1234 5678', '390612345678'],
    ['39', '+39 0312 3456789', '3903123456789'],
    ['49', '4949 15123456789', '4915123456789'],
    ['49', '+49 0049 15123456789', '4915123456789'],
    ['62', '062812345678', '62812345678'],
    ['221', '+221 (0) 77 123 45 67', '221771234567'],
    ['225', '+225 07 01 02 03 04', '2250701020304'],
    ['55', '0 15 11 98765-4321', '5511987654321'],
    ['61', '0011 61 412 345 678', '61412345678'],
    ['1', '011 44 7911 123456', '447911123456'],
    ['234', '009 234 802 123 4567', '2348021234567'],
    ['7', '8~10 7 912 345-67-89', '79123456789'],
    ['81', '010 81 90 1234 5678', '819012345678'],
    ['', '0254712345678', '254712345678'],
  ])('of +%s may be typed as it is dialled: %s', (code, typed, expected) => {
    expect(canonicalNumber(typed, code)?.digits).toBe(expected);
  });

  it('is invalid where it may belong to two countries', () => {
    // +1 658 is in Jamaica, and 001 is an international prefix of Singapore
    expect(canonicalNumber('001 65 8234 5678', '65')).toBeUndefined();
    expect(canonicalNumber('+1 658 234 5678', '65')?.digits).toBe('16582345678');
    expect(canonicalNumber('0055 11 98765-4321', '55')?.digits).toBe('5511987654321');
  });

  it('is normalized without invisible characters, and with digits of other scripts', () => {
    expect(canonicalNumber('\u202A+254 712\u200B 345 678\u202C')?.digits).toBe('254712345678');
    expect(canonicalNumber('٠٧١٢٣٤٥٦٧٨', '254')?.digits).toBe('254712345678');
  });

  it.each([
    ['0712345', '254'],
    ['0712 345', '254'],
    ['71234567890', '254'],
    ['12345', '55'],
    ['1191234', '55'],
  ])('%s is not a number of +%s', (typed, code) => {
    expect(canonicalNumber(typed, code)?.isValid ?? false).toBe(false);
  });

  it('belongs to another country where it has a plus', () => {
    expect(canonicalNumber('+254712345678', '221')).toMatchObject({ areaCode: '254', isValid: true });
    expect(canonicalNumber('00254712345678', '221')).toMatchObject({ areaCode: '254' });
  });

  it('is the same as another spelling of it', () => {
    expect(isSameNumber('+254 712 345 678', '2540712345678')).toBe(true);
    expect(isSameNumber('254712345678', '254712345679')).toBe(false);
    expect(isSameNumber('', '')).toBe(false);
  });

  it('may have been stored as typed', () => {
    expect(storedSpellings('254712345678')).toEqual(
      expect.arrayContaining(['254712345678', '2540712345678', '254254712345678', '25400254712345678']),
    );
    expect(storedSpellings('79123456789')).toContain('789123456789');
    expect(storedSpellings('5491123456789')).toEqual(expect.arrayContaining(['541123456789', '54111523456789']));
    expect(storedSpellings('525512345678')).toContain('5215512345678');
  });
});

it('every calling code of the ITU is supported, by country', () => {
  const codes = new Map<string, string>(callingCodes);
  const wanted = { SG: '65', CN: '86', ML: '223', BF: '226', BJ: '229', TG: '228', DO: '1', XK: '383', HK: '852' };
  for (const [country, code] of Object.entries(wanted)) expect(codes.get(country), country).toBe(code);
  expect(codes.size).toBeGreaterThan(240);
});
