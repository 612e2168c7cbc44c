import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { cardSchema, isCardExpired, isCardNumber, parseCardExpiry } from './card.ts';

const good = [
  '4242424242424242',
  '5555555555554444',
  '2223003122003222',
  '378282246310005',
  '4000000000000002',
  '4000000000009995',
  '4000000000000069',
  '4000000000000127',
  '4000000000000119',
  '4000000000000341',
  '4000002500003155',
  '4000000000003220',
  '4000000000000259',
  '6062826786276634',
  '5067230000009011',
];

describe('a card number', () => {
  it.each(good)('accepts %s', (number) => {
    expect(isCardNumber(number)).toBe(true);
  });

  it.each(['4111111111111112', '', '4242', '4242 4242 4242 4242', '42424242424242424242'])('refuses %j', (number) => {
    expect(isCardNumber(number)).toBe(false);
  });

  it('detects every single mistyped digit', () => {
    const typed = '4242424242424242'.split('');
    for (const [index, digit] of typed.entries()) {
      const wrong = typed.with(index, String((Number(digit) + 1) % 10)).join('');
      expect(isCardNumber(wrong), wrong).toBe(false);
    }
  });

  it('can be typed with spaces', () => {
    const card = {
      number: '4242 4242 4242 4242',
      expiry: '12/30',
      code: '123',
      holderFirstName: 'A',
      holderLastName: 'B',
    };
    expect(v.parse(cardSchema, card).number).toBe('4242424242424242');
  });
});

describe('an expiry date', () => {
  it.each([
    ['07/30', { month: 7, year: 2030 }],
    ['0730', { month: 7, year: 2030 }],
    ['07 / 30', { month: 7, year: 2030 }],
    ['13/30', undefined],
    ['00/30', undefined],
    ['7/30', undefined],
    ['', undefined],
  ])('parses %j as %j', (typed, expected) => {
    expect(parseCardExpiry(typed)).toEqual(expected);
  });

  it('is valid to the end of its month in every time zone', () => {
    const expiry = { month: 11, year: 2026 };
    expect(isCardExpired(expiry, Date.UTC(2026, 10, 30, 23, 59))).toBe(false);
    expect(isCardExpired(expiry, Date.UTC(2026, 11, 1, 11, 59))).toBe(false);
    expect(isCardExpired(expiry, Date.UTC(2026, 11, 1, 12))).toBe(true);
  });
});
