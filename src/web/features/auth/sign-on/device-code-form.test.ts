import { expect, test } from 'vitest';
import { isUserCode, typedUserCode } from './device-code-form.tsx';

test.each([
  ['', ''],
  ['b', 'B'],
  ['bcdf', 'BCDF'],
  ['bcdfg', 'BCDF-G'],
  ['bcdf-ghjk', 'BCDF-GHJK'],
  [' bc df . gh jk ', 'BCDF-GHJK'],
  ['BCDF–GHJKLMN', 'BCDF-GHJK'],
])('%j becomes %j while it is typed', (text, shown) => expect(typedUserCode(text)).toBe(shown));

test('what has other letters than TVs show is no code', () => {
  expect(isUserCode('BCDF-GHJK')).toBe(true);
  expect(isUserCode('ABCD-EFGH')).toBe(false);
  expect(isUserCode('BCDF-GHJ')).toBe(false);
  expect(isUserCode('')).toBe(false);
});
