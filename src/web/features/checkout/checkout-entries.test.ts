import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openBrowser } from '#web/platform/session/storage/test-browser.ts';
import { endEntries, noteEntry } from './checkout-entries.ts';

beforeEach(() => void openBrowser());
afterEach(() => void vi.unstubAllGlobals());

it('leads every page of a checkout to the order that came of it', () => {
  expect(noteEntry('a', '101')).toBeUndefined();
  expect(noteEntry('b', '101')).toBeUndefined();
  endEntries('101', 'LUMEN0001');
  expect(noteEntry('a', '101')).toBe('LUMEN0001');
  expect(noteEntry('b', '101')).toBe('LUMEN0001');
});

it('begins again for who comes again, and leaves other plans alone', () => {
  noteEntry('a', '101');
  noteEntry('x', '301');
  endEntries('101', 'LUMEN0001');
  expect(noteEntry('x', '301')).toBeUndefined();
  expect(noteEntry('c', '101')).toBeUndefined();
  endEntries('101', 'LUMEN0002');
  expect(noteEntry('a', '101')).toBe('LUMEN0001');
  expect(noteEntry('c', '101')).toBe('LUMEN0002');
});

it('forgets what is far back', () => {
  noteEntry('a', '101');
  endEntries('101', 'LUMEN0001');
  for (let index = 0; index < 30; index += 1) noteEntry(`k${index}`, '301');
  expect(noteEntry('a', '101')).toBeUndefined();
});
