import { describe, expect, it } from 'vitest';
import { nationalNumber, payerPhone, phoneCodesOf } from './check-payer.ts';

describe('a number for mobile money', () => {
  it.each([
    '712345678',
    '0712345678',
    '254712345678',
    '+254 712 345 678',
    '00254712345678',
    '0712-345-678',
    '+254 0712345678',
  ])('is the same number when it is typed as %s', (typed) => {
    expect(nationalNumber(typed, '254')).toBe('712345678');
  });

  it('may begin with the digits of its country', () => {
    expect(nationalNumber('265123456', '265')).toBe('265123456');
  });

  it.each(['', '12345', '0', 'no number', '1234567890123456', '07123456789', '+351912345678'])('is not %j', (typed) => {
    expect(nationalNumber(typed, '254')).toBeUndefined();
  });
});

describe('a payer’s telephone', () => {
  const brazil = ['55'];

  it('is accepted in the digits and signs of every script', () => {
    const typed = ['11988887777', '１１ ９８８８８-７７７７', '＋५५ ११ ९८८८८ ७७७७', '٠٠٥٥١١٩٨٨٨٨٧٧٧٧'];
    expect(typed.map((phone) => payerPhone(phone, brazil))).toEqual(Array.from({ length: 4 }).fill('11988887777'));
    expect(payerPhone('＋٢٥٤ ٧١٢٣٤٥٦٧٨', brazil)).toBe('+254712345678');
  });

  it.each([
    ['0 15 11 98765-4321', '11987654321'],
    ['011 98765-4321', '11987654321'],
    ['+55 11 98765-4321', '11987654321'],
    ['11 3333-4444', '1133334444'],
    // Brazilian mobile numbers had eight digits until 2012 to 2016
    ['11 8765-4321', '1187654321'],
    ['+55 11 8765-4321', '1187654321'],
    ['+351 912 345 678', '+351912345678'],
    ['00351912345678', '+351912345678'],
  ])('of Brazil or another country may be %s', (typed, sent) => {
    expect(payerPhone(typed, brazil)).toBe(sent);
  });

  it.each(['12345678', '98765-4321', '987654321', '1234567', '1198765432109', '+351 12', '+999123456789', ''])(
    'of Brazil cannot be %j',
    (typed) => {
      expect(payerPhone(typed, brazil)).toBeUndefined();
    },
  );

  it.each([
    ['254', '07123456789'],
    ['254', '712345'],
    ['65', '812345678'],
    ['7', '912345678'],
  ])('of +%s cannot have another length: %s', (code, typed) => {
    expect(payerPhone(typed, [code])).toBeUndefined();
  });

  it('belongs to the country of the currency, else of the brand', () => {
    expect(payerPhone('8123 4567', ['65', '7'])).toBe('81234567');
    expect(payerPhone('912 345-67-89', ['65', '7'])).toBe('+79123456789');
    expect(phoneCodesOf('SGD', '7')).toEqual(['65', '7']);
    expect(phoneCodesOf('BRL', '+55')).toEqual(['55']);
    expect(phoneCodesOf('EUR', undefined)).toEqual([]);
  });

  it.each([
    ['12345678', '12345678'],
    ['0151 23456789', '015123456789'],
    ['1512 3456789', '15123456789'],
    ['(11) 3333-4444', '1133334444'],
    ['1234-5678', '12345678'],
    ['٠١٥١ ٢٣٤٥٦٧٨٩', '015123456789'],
    ['1234567', undefined],
    ['1234567 ext. 89', undefined],
    ['1'.repeat(16), undefined],
    ['+49 151 23456789', '+4915123456789'],
    ['(+49) 151 23456789', '+4915123456789'],
    ['0049 151 23456789', '+4915123456789'],
    ['+49 12', undefined],
    ['+999 123 456 789', undefined],
  ])('stays without a country code if no country is known: %s', (typed, sent) => {
    expect(payerPhone(typed, [])).toBe(sent);
  });
});
