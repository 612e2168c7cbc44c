import { expect, test } from 'vitest';
import { isPossibleNumber } from './possible-number.ts';

const list = [
  { country: 'KE', name: 'Kenya', areaCode: '254', pattern: '(?:0)?(?:[17]\\d{8})' },
  { country: 'US', name: 'United States', areaCode: '1', pattern: '(?:1)?(?:[2-9]\\d{9})' },
  { country: 'JM', name: 'Jamaica', areaCode: '1', pattern: '(?:1)?(?:876\\d{7})' },
];
const fits = (areaCode: string, phone: string) => isPossibleNumber({ areaCode, phone }, list);

test('accepts a number that a country with its code has, with or without a dialling prefix', () => {
  for (const phone of ['712345678', '0712 345 678', '254712345678', '2540712345678', '٧١٢٣٤٥٦٧٨'])
    expect(fits('254', phone), phone).toBe(true);
  for (const phone of ['0712 345', '71234567', '07123456789', '912345678'])
    expect(fits('254', phone), phone).toBe(false);
  expect([fits('1', '2125550123'), fits('1', '555123')]).toEqual([true, false]);
});

test('accepts any number of an unknown code, which the server checks', () => {
  expect([
    fits('44', '1'),
    fits('', '1'),
    fits('254', '+99912'),
    isPossibleNumber({ areaCode: '254', phone: '1' }, []),
  ]).toEqual([true, true, true, true]);
});

test('ignores a pattern that this browser cannot parse', () => {
  const broken = [{ country: 'KE', name: 'Kenya', areaCode: '254', pattern: '(?<' }];
  expect(isPossibleNumber({ areaCode: '254', phone: '1' }, broken)).toBe(true);
});
