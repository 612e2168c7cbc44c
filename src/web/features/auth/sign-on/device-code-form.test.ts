import { expect, test } from 'vitest';
import { isUserCode, typedUserCode } from './device-page.tsx';

test.each([
  ['', ''],
  ['b', 'B'],
  ['bcdf', 'BCDF'],
  ['bcdfg', 'BCDF-G'],
  ['bcdf-ghjk', 'BCDF-GHJK'],
  [' bc df . gh jk ', 'BCDF-GHJK'],
  ['BCDF–GHJKLMN', 'BCDF-GHJK'],
])('formats %j as %j while it is typed', (text, shown) => expect(typedUserCode(text)).toBe(shown));

test('refuses letters that no TV shows', () => {
  expect(isUserCode('BCDF-GHJK')).toBe(true);
  expect(isUserCode('ABCD-EFGH')).toBe(false);
  expect(isUserCode('BCDF-GHJ')).toBe(false);
  expect(isUserCode('')).toBe(false);
});
