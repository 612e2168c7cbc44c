import { expect, it } from 'vitest';
import { referenceIn } from './gateway.ts';

it.each([
  ['7KQ2M9XA1A2F', '7KQ2M9XA1A2F'],
  ['7kq2m9xa1a2f', '7KQ2M9XA1A2F'],
  ['PAYNOW TRANSFER FROM ANA LIM REF 7KQ2M9XA1A2F 30NOV', '7KQ2M9XA1A2F'],
  ['SVWZ+7KQ2M9XA1A2F, thank you', '7KQ2M9XA1A2F'],
  ['7KQ2M9XA1A2F/7KQ2M9XA1A2F', '7KQ2M9XA1A2F'],
  ['OTHR 7KQ2M9X A1A2F', '7KQ2M9XA1A2F'],
  ['7KQ2 M9XA 1A2F FROM ANA', '7KQ2M9XA1A2F'],
  ['MY TRANSFER FEED 7KQ2M9XA1A2F', '7KQ2M9XA1A2F'],
  ['7KQ2M9XA1A2F 8KQ2M9XA1A2F', undefined],
  ['SALARY NOVEMBER', undefined],
  ['17KQ2M9XA1A2F', undefined],
  ['0KQ2M9XA1A2F', undefined],
  ['', undefined],
])('the reference of a transfer in the words of a bank, %s, is %s', (text, reference) => {
  expect(referenceIn(text)).toBe(reference);
});
