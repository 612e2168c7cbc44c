import { expect, test, vi } from 'vitest';
import { loadInBackground, mayReload } from './chunk-reload.ts';

const rest = { build: '/assets/index-B.js', reloaded: [], busy: false, offline: false, leaving: false };

test('a missing chunk after a deploy reloads the page to the new build', () => {
  expect(mayReload(rest)).toBe(true);
  expect(mayReload({ ...rest, reloaded: ['/assets/index-A.js'] })).toBe(true);
});

test('a build is replaced by a reload only once, also when two builds alternate', () => {
  expect(mayReload({ ...rest, reloaded: ['/assets/index-B.js'] })).toBe(false);
  expect(mayReload({ ...rest, reloaded: ['/assets/index-B.js', '/assets/index-A.js'] })).toBe(false);
});

test('the page is not reloaded while the customer types or pays', () => {
  expect(mayReload({ ...rest, busy: true })).toBe(false);
});

test('the page is not reloaded while offline', () => {
  expect(mayReload({ ...rest, offline: true })).toBe(false);
});

test('a navigation in progress is not cancelled', () => {
  expect(mayReload({ ...rest, leaving: true })).toBe(false);
});

test('a part that no page waits for starts once, and a missing chunk is no fault', async () => {
  const faults: unknown[] = [];
  const onFault = (error: unknown) => void faults.push(error);
  process.on('unhandledRejection', onFault);
  const start = vi.fn<(part: string) => void>();
  loadInBackground(() => Promise.resolve('part'), start);
  loadInBackground(() => Promise.reject(new Error('A part of the page is missing: own.css')), start);
  await new Promise((resolve) => setTimeout(resolve));
  process.off('unhandledRejection', onFault);
  expect(start.mock.calls).toEqual([['part']]);
  expect(faults).toEqual([]);
});
