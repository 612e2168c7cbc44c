import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { sessionKey } from './keys.ts';
import { themeScript, themeKey } from './theme-key.ts';

function marksFor(kept: Readonly<Record<string, string>>, forbidden = false) {
  const dataset: { theme?: string; customer?: string } = {};
  const localStorage = {
    getItem: (key: string) => {
      if (forbidden) throw new Error('no storage here');
      return kept[key] ?? null;
    },
  };
  runInNewContext(themeScript, { localStorage, document: { documentElement: { dataset } } });
  return dataset;
}
const themeFor = (theme: string, forbidden = false) => marksFor({ [themeKey.key]: theme }, forbidden).theme;

test('a page has the chosen theme before it is painted, and the system’s where none was chosen', () => {
  expect(themeFor('"dark"')).toBe('dark');
  expect(themeFor('"light"')).toBe('light');
  expect(marksFor({})).toEqual({});
});

test('only a signed-in customer’s page has the customer attribute before it is painted', () => {
  const inMs = (ms: number) => ({ [sessionKey.key]: JSON.stringify({ token: 'secret', expiration: Date.now() + ms }) });
  expect(marksFor(inMs(60_000))).toEqual({ customer: '' });
  expect(marksFor({ ...inMs(60_000), [themeKey.key]: '"dark"' })).toEqual({ theme: 'dark', customer: '' });
  const leaving = JSON.stringify({ token: 'secret', expiration: Date.now() + 60_000, leavesAt: 1 });
  expect(marksFor({ [sessionKey.key]: leaving })).toEqual({ customer: 'leaves' });
  expect(marksFor(inMs(-1))).toEqual({});
  expect(marksFor({ [sessionKey.key]: 'null' })).toEqual({});
});

test('a store that is forbidden or contains something else causes no error', () => {
  expect(themeFor('"dark"', true)).toBeUndefined();
  expect(themeFor('"><script>')).toBeUndefined();
  expect(marksFor({ [sessionKey.key]: '{"expiration":', [themeKey.key]: '"dark"' }).theme).toBe('dark');
});

test('the shell that the worker caches begins with the same script', () => {
  const [, first = ''] = /<script>(.+?)<\/script>/s.exec(readFileSync('index.html', 'utf8')) ?? [];
  expect(first.trim()).toBe(themeScript);
});
