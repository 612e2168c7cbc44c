import { expect, test } from 'vitest';
import { isOfEarlierTry, noteTry } from './latest-try.ts';

test('an order that is paid once more is not told as it stood before, and is told as soon as it is read again', () => {
  const before = Date.now() - 1;
  expect(isOfEarlierTry('ONCEMORE', before)).toBe(false);
  noteTry('ONCEMORE');
  expect(isOfEarlierTry('ONCEMORE', before)).toBe(true);
  expect(isOfEarlierTry('ONCEMORE', Date.now())).toBe(false);
  expect(isOfEarlierTry('ANOTHER', before)).toBe(false);
  expect(isOfEarlierTry(undefined, before)).toBe(false);
});
