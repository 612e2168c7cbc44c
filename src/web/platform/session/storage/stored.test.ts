import * as v from 'valibot';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { removeByPrefix } from './area.ts';
import { draft } from './draft.ts';
import { personalPrefix, stored } from './stored.ts';
import { openBrowser, TestStorage } from './test-browser.ts';

const shape = v.object({ count: v.number() });

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe('a stored value', () => {
  it('is read as it was stored, under a key with its owner', () => {
    const { localStorage } = openBrowser();
    stored('mine', shape, 'local').set({ count: 1 });
    stored('ours', shape, 'local', { personal: false }).set({ count: 2 });
    expect(localStorage.getItem('marquee.me.mine')).toBe('{"count":1}');
    expect(stored('ours', shape, 'local', { personal: false }).get()).toEqual({ count: 2 });
  });

  it.each(['{"count":"1"}', '{"count"', 'null', '', '<html>'])(
    'is dropped when it does not fit its schema: %s',
    (text) => {
      const { localStorage } = openBrowser();
      localStorage.setItem('marquee.me.mine', text);
      expect(stored('mine', shape, 'local').get()).toBeUndefined();
      expect(localStorage.getItem('marquee.me.mine')).toBeNull();
    },
  );

  it('does not exist on the server, where the next visitor would see it', () => {
    const value = stored('mine', shape, 'local');
    value.set({ count: 1 });
    expect(value.get()).toBeUndefined();
  });

  it('is retained until the page closes where the browser refuses to store it', async () => {
    class Forbidden extends TestStorage {
      override setItem(): void {
        throw new DOMException('denied', 'SecurityError');
      }
    }
    openBrowser({ localStorage: new Forbidden() });
    const fresh = await import('./stored.ts');
    const value = fresh.stored('mine', shape, 'local');
    value.set({ count: 3 });
    expect(value.get()).toEqual({ count: 3 });
    value.remove();
    expect(value.get()).toBeUndefined();
  });

  it('is removed instead of outdated when the disk is full', () => {
    const { localStorage } = openBrowser();
    const value = stored('mine', shape, 'local');
    value.set({ count: 1 });
    vi.spyOn(localStorage, 'setItem').mockImplementation((key) => {
      if (key.startsWith(personalPrefix)) throw new DOMException('full', 'QuotaExceededError');
    });
    expect(value.set({ count: 2 })).toBe(false);
    expect(localStorage.getItem('marquee.me.mine')).toBeNull();
    value.remove();
  });

  it('that is personal is removed by its prefix, and device values stay', () => {
    const { localStorage, sessionStorage } = openBrowser();
    stored('language', v.string(), 'local', { personal: false }).set('pt');
    stored('userInfo', v.string(), 'local').set('me');
    draft('register', v.string()).set('ana');
    removeByPrefix('local', personalPrefix);
    removeByPrefix('session', personalPrefix);
    expect([localStorage.length, sessionStorage.length]).toEqual([1, 0]);
    expect(localStorage.key(0)).toBe('marquee.site.language');
  });
});
