import { expect, test } from 'vitest';
import { cardBrand, cardCodeLength, groupCardNumber } from './card-brand.ts';

test.each([
  ['4242424242424242', 'visa'],
  ['5555555555554444', 'mastercard'],
  ['2223003122003222', 'mastercard'],
  ['378282246310005', 'amex'],
  ['6062826786276634', 'hipercard'],
  ['5067230000009011', 'elo'],
  ['6011111111111117', 'discover'],
  ['30569309025904', 'diners'],
] as const)('%s is a %s card', (number, brand) => {
  expect(cardBrand(number)).toBe(brand);
});

test('detects the brand while the number is typed, and corrects it with more digits', () => {
  expect(cardBrand('')).toBeUndefined();
  expect(cardBrand('5')).toBeUndefined();
  expect(cardBrand('4')).toBe('visa');
  expect(cardBrand('40117')).toBe('visa');
  expect(cardBrand('401178')).toBe('elo');
  expect(cardBrand('65')).toBe('discover');
  expect(cardBrand('650031')).toBe('elo');
  expect(cardBrand('2720')).toBe('mastercard');
  expect(cardBrand('2721')).toBeUndefined();
});

test('groups numbers as on the card, however they were pasted', () => {
  expect(groupCardNumber('4242-4242 42424242')).toBe('4242 4242 4242 4242');
  expect(groupCardNumber('378282246310005')).toBe('3782 822463 10005');
  expect(groupCardNumber('30569309025904')).toBe('3056 930902 5904');
  expect(groupCardNumber('42424')).toBe('4242 4');
  expect(groupCardNumber('55555555555544449999'), 'too much stays, to be refused').toBe('5555 5555 5555 4444 999 9');
});

test('requires four digits for American Express only', () => {
  expect(cardCodeLength('amex')).toBe(4);
  expect(cardCodeLength('visa')).toBe(3);
});
