import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withTimeout } from './chunk-timeout.ts';

const dispatched = vi.fn<(event: VitePreloadErrorEvent) => boolean>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('dispatchEvent', dispatched);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  dispatched.mockClear();
});

test('a chunk that does not arrive within two minutes is handled as a missing chunk', async () => {
  let result = '';
  void withTimeout(new Promise(() => undefined)).catch(() => (result = 'rejected'));
  await vi.advanceTimersByTimeAsync(119_999);
  expect([result, dispatched.mock.calls]).toEqual(['', []]);
  await vi.advanceTimersByTimeAsync(1);
  expect(result).toBe('rejected');
  const [[event] = []] = dispatched.mock.calls;
  expect([event?.type, event?.payload.message]).toEqual(['vite:preloadError', 'the import timed out']);
});

test('a chunk that arrives or fails in time settles the import and clears the timer', async () => {
  await expect(withTimeout(Promise.resolve('loaded'))).resolves.toBe('loaded');
  await expect(withTimeout(Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(vi.getTimerCount()).toBe(0);
  expect(dispatched).not.toHaveBeenCalled();
});
