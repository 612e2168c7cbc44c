import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inTime } from './script-hashes.ts';

const told = vi.fn<(event: VitePreloadErrorEvent) => boolean>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('dispatchEvent', told);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  told.mockClear();
});

test('a part of the page that does not come is waited for during two minutes, and is then a missing one', async () => {
  let given = '';
  void inTime(new Promise(() => undefined)).catch(() => (given = 'up'));
  await vi.advanceTimersByTimeAsync(119_999);
  expect([given, told.mock.calls]).toEqual(['', []]);
  await vi.advanceTimersByTimeAsync(1);
  expect(given).toBe('up');
  const [[event] = []] = told.mock.calls;
  expect([event?.type, event?.payload.message]).toEqual(['vite:preloadError', 'it did not come in time']);
});

test('a part that comes, or fails, is taken as it is, and nothing waits on', async () => {
  await expect(inTime(Promise.resolve('there'))).resolves.toBe('there');
  await expect(inTime(Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(vi.getTimerCount()).toBe(0);
  expect(told).not.toHaveBeenCalled();
});
