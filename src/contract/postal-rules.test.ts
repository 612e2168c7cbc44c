import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { payerSchema } from './card.ts';
import { addressRules, isPostalCode, normalizePostalCode } from './postal-rules.ts';

describe('a postal code', () => {
  it.each([
    '01310-100',
    '01310100',
    '01.310-100',
    '01310.100',
    '01310 100',
    '01.310–100',
    '\u200B01310-100',
    '０１３１０１００',
    'CEP 01310-100',
    'CEP: 01.310-100',
    'cep01310100',
    '01310-100.',
    '(01310-100)',
    '〒01310-100',
  ])('of Brazil can be typed as %s', (typed) => {
    expect(isPostalCode(typed, 'BRL')).toBe(true);
    expect(normalizePostalCode(typed)).toBe('01310-100');
  });

  it.each(['', '0131010', '013101000', 'ABCDE-FGH', '01310-10O'])('of Brazil is not %j', (typed) => {
    expect(isPostalCode(typed, 'BRL')).toBe(false);
  });

  it.each(['AED', 'AOA', 'BOB', 'GHS', 'HKD', 'KES', 'QAR', 'UGX', 'USD', 'EUR', 'XOF', 'XAF'])(
    'may be missing where %s is paid with',
    (currency) => {
      expect(isPostalCode('', currency)).toBe(true);
      expect(isPostalCode('00100', currency)).toBe(true);
    },
  );

  it.each([
    ['GBP', 'sw1a 1aa'],
    ['CAD', 'K1A 0B1'],
    ['INR', '110001'],
    ['PLN', '00-950'],
    ['SGD', '018956'],
    ['RUB', '101000'],
  ])('is required for a payment in %s, such as %s', (currency, code) => {
    expect(isPostalCode('', currency)).toBe(false);
    expect(isPostalCode(code, currency)).toBe(true);
  });

  it.each(['<b>', '?'])('is not %j anywhere', (code) => {
    expect(['USD', 'KES', 'GBP'].some((currency) => isPostalCode(code, currency))).toBe(false);
  });

  it.each(['-', '.', '--', '—', '...', 'n/a', 'N/A', 'N.A.', 'na', '/', ' - '])(
    'counts as missing if it is %j',
    (text) => {
      expect(normalizePostalCode(text)).toBe('');
      expect(['USD', 'KES'].every((currency) => isPostalCode(text, currency))).toBe(true);
      expect(['BRL', 'GBP'].some((currency) => isPostalCode(text, currency))).toBe(false);
    },
  );

  it.each([
    ['〒100-0001', 'JPY', '100-0001'],
    ['〒 100－0001', 'JPY', '100-0001'],
    ['sw1a 1aa.', 'GBP', 'SW1A 1AA'],
    ['postcode: SW1A 1AA', 'GBP', 'SW1A 1AA'],
    ['ZIP 94105', 'USD', '94105'],
    ['zip code: 94105-1234', 'USD', '94105-1234'],
    ['C.P. 28013', 'EUR', '28013'],
    ['CP 28013', 'MXN', '28013'],
    ['индекс: 101000,', 'RUB', '101000'],
  ])('is recognized with label and punctuation: %s', (text, currency, code) => {
    expect(normalizePostalCode(text)).toBe(code);
    expect(isPostalCode(text, currency)).toBe(true);
  });

  it.each(['CP1 2AB', 'ZI1 2AB', 'NA1 1NA', 'PC 1234'])('keeps its own letters: %s', (code) => {
    expect(normalizePostalCode(code)).toBe(code);
  });

  it('stays the same when normalized twice', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('', 'CEP ', 'zip: ', '.', '〒', '01310-100'),
        (text, more) => {
          const once = normalizePostalCode(more + text);
          expect(normalizePostalCode(once)).toBe(once);
        },
      ),
    );
  });
});

it('a state is required in countries that use one', () => {
  expect(['BRL', 'AUD', 'INR', 'MXN'].every((currency) => addressRules(currency).state)).toBe(true);
  expect(['KES', 'GBP', 'USD', 'EUR', 'XOF', 'PEN'].some((currency) => addressRules(currency).state)).toBe(false);
});

it('an address is valid if it was stored before, or has neither postal code nor state', () => {
  const stored = { zipCode: '01310100', state: 'SP', city: 'São Paulo', street: 'Avenida Paulista', streetNumber: '1' };
  expect(v.parse(payerSchema, { address: stored }).address).toEqual({ ...stored, zipCode: '01310-100' });
  const nairobi = { zipCode: '', state: '', city: 'Nairobi', street: 'Ngong Road', streetNumber: '12' };
  expect(v.parse(payerSchema, { address: nairobi }).address).toEqual(nairobi);
});
