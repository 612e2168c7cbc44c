import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openBrowser } from '#web/platform/session/storage/test-browser.ts';
import { endEntries, recordEntry } from './checkout-entries.ts';

beforeEach(() => void openBrowser());
afterEach(() => void vi.unstubAllGlobals());

it('leads every entry of a checkout to the resulting order', () => {
  expect(recordEntry('a', '101')).toBeUndefined();
  expect(recordEntry('b', '101')).toBeUndefined();
  endEntries('101', 'LUMEN0001');
  expect(recordEntry('a', '101')).toBe('LUMEN0001');
  expect(recordEntry('b', '101')).toBe('LUMEN0001');
});

it('starts again for a new visit, and leaves other plans alone', () => {
  recordEntry('a', '101');
  recordEntry('x', '301');
  endEntries('101', 'LUMEN0001');
  expect(recordEntry('x', '301')).toBeUndefined();
  expect(recordEntry('c', '101')).toBeUndefined();
  endEntries('101', 'LUMEN0002');
  expect(recordEntry('a', '101')).toBe('LUMEN0001');
  expect(recordEntry('c', '101')).toBe('LUMEN0002');
});

it('drops old entries', () => {
  recordEntry('a', '101');
  endEntries('101', 'LUMEN0001');
  for (let index = 0; index < 30; index += 1) recordEntry(`k${index}`, '301');
  expect(recordEntry('a', '101')).toBeUndefined();
});
