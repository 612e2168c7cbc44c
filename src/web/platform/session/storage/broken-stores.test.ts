import { QueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser, TestStorage } from './test-browser.ts';
import { storageLimitMs } from './time-limit.ts';

const shape = v.object({ count: v.number() });
const refuse = (name: string) => (): never => {
  throw new DOMException('refused', name);
};

/** How browsers answer a page that may store nothing. */
const brokenStores: Readonly<Record<string, () => Storage | null>> = {
  'null, as in a WebView without DOM storage': () => null,
  'forbidden at the first access': refuse('SecurityError'),
  'forbidden at every call': () => new Proxy(new TestStorage(), { get: refuse('SecurityError') }),
  full: () => Object.assign(new TestStorage(), { setItem: refuse('QuotaExceededError') }),
};

function browserWith(store: () => Storage | null): void {
  openBrowser();
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: store });
}

beforeEach(() => void vi.resetModules());
afterEach(() => {
  vi.useRealTimers();
  vi.doUnmock('idb-keyval');
  vi.unstubAllGlobals();
});

describe.each(Object.entries(brokenStores))('a store that is %s', (_what, open) => {
  it('retains values while the page is open, and reports that they are not stored', async () => {
    browserWith(open);
    const { stored } = await import('./stored.ts');
    const { removeByPrefix } = await import('./area.ts');
    for (const area of ['local', 'session'] as const) {
      const value = stored('mine', shape, area);
      expect(value.get()).toBeUndefined();
      expect(value.set({ count: 1 })).toBe(false);
      expect(value.get()).toEqual({ count: 1 });
      value.remove();
      expect(value.get()).toBeUndefined();
      value.set({ count: 2 });
      removeByPrefix(area, 'marquee.me.');
      expect(value.get()).toBeUndefined();
    }
  });
});

test('a full store retains its other values, and no outdated value', async () => {
  const store = new TestStorage();
  store.setItem('marquee.me.other', '{"count":7}');
  store.setItem('marquee.me.mine', '{"count":1}');
  store.setItem = refuse('QuotaExceededError');
  browserWith(() => store);
  const { stored } = await import('./stored.ts');
  expect(stored('mine', shape, 'local').set({ count: 2 })).toBe(false);
  expect(stored('mine', shape, 'local').get()).toEqual({ count: 2 });
  expect(store.getItem('marquee.me.mine')).toBeNull();
  expect(stored('other', shape, 'local').get()).toEqual({ count: 7 });
});

const never = () => new Promise<never>(() => undefined);

/** How calls of IndexedDB end; where it is missing, the first access throws. */
const brokenDatabases: Readonly<Record<string, () => Promise<never>>> = {
  throws: refuse('SecurityError'),
  rejects: async () => refuse('UnknownError')(),
  'never answers': never,
};

/** The library caches its connection, so it is replaced as a whole. */
const breakDatabase = (act: () => Promise<never>) =>
  vi.stubGlobal('indexedDB', {}) &&
  vi.doMock('idb-keyval', () => ({ del: act, delMany: act, get: act, getMany: act, keys: act, set: act }));

describe.each(Object.entries(brokenDatabases))('an IndexedDB that %s', (_what, act) => {
  it('delays no page: neither to read, to write, to restore nor to remove', async () => {
    openBrowser();
    breakDatabase(act);
    const { storedAsync, removePersonalAsync, finishRemoval } = await import('./stored-async.ts');
    const { savePersonalCopies } = await import('./personal-copies.ts');
    const value = storedAsync('copy', shape);
    const { restored, close } = savePersonalCopies(new QueryClient(), 'u1');
    // without the time limit each of these would wait forever
    await restored;
    close();
    await value.set({ count: 1 });
    expect(await value.get()).toBeUndefined();
    await value.remove();
    await removePersonalAsync();
    await finishRemoval();
    expect(storageLimitMs).toBeLessThanOrEqual(500);
  });
});

test('a logout completes where the first access to IndexedDB throws, and leaves no removal pending', async () => {
  const { localStorage } = openBrowser();
  vi.stubGlobal('indexedDB', undefined);
  Object.defineProperty(globalThis, 'indexedDB', { configurable: true, get: refuse('SecurityError') });
  const { removePersonalAsync } = await import('./stored-async.ts');
  await removePersonalAsync();
  expect(localStorage.length).toBe(0);
});

test('copies that the store could not remove in time are removed at the next start', async () => {
  const { localStorage } = openBrowser();
  breakDatabase(never);
  const { removePersonalAsync } = await import('./stored-async.ts');
  await removePersonalAsync();
  expect(localStorage.getItem('marquee.site.removal')).toBe('"due"');

  vi.resetModules();
  const disk = new Set(['marquee.me.copy.u1', 'other']);
  vi.doMock('idb-keyval', () => ({
    keys: async () => [...disk],
    delMany: async (keys: string[]) => keys.forEach((key) => disk.delete(key)),
  }));
  const { finishRemoval } = await import('./stored-async.ts');
  await finishRemoval();
  expect([...disk]).toEqual(['other']);
  expect(localStorage.getItem('marquee.site.removal')).toBeNull();
});

/** Variants of `caches` and `navigator.serviceWorker`. */
const brokenWorkers: Readonly<Record<string, { caches: unknown; navigator: object }>> = {
  'are missing': { caches: undefined, navigator: {} },
  throw: {
    caches: { match: refuse('SecurityError'), has: refuse('SecurityError'), delete: refuse('SecurityError') },
    navigator: Object.defineProperty({}, 'serviceWorker', { get: refuse('SecurityError') }),
  },
  reject: {
    caches: Object.fromEntries(['match', 'has', 'delete'].map((name) => [name, async () => refuse('UnknownError')()])),
    navigator: { serviceWorker: { getRegistration: async () => refuse('SecurityError')() } },
  },
  'never answer': {
    caches: { match: never, has: never, delete: never },
    navigator: { serviceWorker: { getRegistration: never } },
  },
};

describe.each(Object.entries(brokenWorkers))('caches and service workers that %s', (_what, { caches, navigator }) => {
  it('are not needed', async () => {
    vi.stubGlobal('caches', caches);
    vi.stubGlobal('navigator', navigator);
    const { cachedAnswer, deleteCache, hasCache } = await import('./answer-caches.ts');
    const { workerRegistration } = await import('./worker-registration.ts');
    const all = Promise.all([
      cachedAnswer(new URL('https://shop.example/api'), 'site'),
      hasCache('site'),
      deleteCache('site'),
      workerRegistration(),
    ]);
    expect(await all).toEqual([undefined, false, undefined, undefined]);
  });
});

test('no other module of the storefront touches a store of the browser', () => {
  const files = readdirSync('src/web', { recursive: true, encoding: 'utf8' })
    // the start guard is written into pages as text and can import nothing
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/storage\/|\/start-guard\./.test(file))
    .map((file) => join('src/web', file));
  const direct =
    /(?<!`)\b(?:window\.|globalThis\.)?(?:localStorage|sessionStorage|indexedDB)\b|(?<!-)\bcaches\.(?!ts)\w|navigator\.serviceWorker\b/;
  const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => direct.test(withoutComments(readFileSync(file, 'utf8'))))).toEqual([]);
});
