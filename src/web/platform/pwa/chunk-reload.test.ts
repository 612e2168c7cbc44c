import { expect, test } from 'vitest';
import { mayReload } from './chunk-reload.ts';

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
