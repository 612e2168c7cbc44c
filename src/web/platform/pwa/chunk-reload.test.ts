import { expect, test } from 'vitest';
import { mayReload } from './chunk-reload.ts';

const rest = { build: '/assets/index-B.js', reloaded: [], busy: false, offline: false, leaving: false };

test('a missing part after a deploy brings the new build', () => {
  expect(mayReload(rest)).toBe(true);
  expect(mayReload({ ...rest, reloaded: ['/assets/index-A.js'] })).toBe(true);
});

test('the same build is left by a reload only once, also when two builds take turns', () => {
  expect(mayReload({ ...rest, reloaded: ['/assets/index-B.js'] })).toBe(false);
  expect(mayReload({ ...rest, reloaded: ['/assets/index-B.js', '/assets/index-A.js'] })).toBe(false);
});

test('what is being typed or paid is never reloaded away', () => {
  expect(mayReload({ ...rest, busy: true })).toBe(false);
});

test('without network the page that is there stays', () => {
  expect(mayReload({ ...rest, offline: true })).toBe(false);
});

test('another page that is on its way is not called off', () => {
  expect(mayReload({ ...rest, leaving: true })).toBe(false);
});
