import { describe, expect, it } from 'vitest';
import { nationalNumber, payerPhone } from './check-payer.ts';

describe('a number for mobile money', () => {
  it.each([
    '712345678',
    '0712345678',
    '254712345678',
    '+254 712 345 678',
    '00254712345678',
    '0712-345-678',
    '+254 0712345678',
  ])('is the same one when it is typed as %s', (typed) => {
    expect(nationalNumber(typed, '254')).toBe('712345678');
  });

  it('may begin with the digits of its country', () => {
    expect(nationalNumber('265123456', '265')).toBe('265123456');
  });

  it.each(['', '12345', '0', 'no number', '1234567890123456'])('is not %j', (typed) => {
    expect(nationalNumber(typed, '254')).toBeUndefined();
  });
});

it('reads a payer’s telephone in digits and signs of every script', () => {
  const typed = ['11988887777', '１１ ９８８８８-７７７７', '＋५५ ११ ९८८८८ ७७७७', '٠٠٥٥١١٩٨٨٨٨٧٧٧٧'];
  expect(typed.map((phone) => payerPhone(phone, '55'))).toEqual(Array.from({ length: 4 }).fill('11988887777'));
  expect(payerPhone('＋٢٥٤ ٧١٢٣٤٥٦٧٨', '55')).toBe('+254712345678');
});
