import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openBrowser } from '#web/platform/session/storage/test-browser.ts';
import { debugKey } from '#web/platform/session/storage/debug-key.ts';
import { storeSecrets, peekSecret, consumeSecret } from './secret-store.ts';
import { readAddress } from './read-address.ts';
import { currentScene } from './scene.ts';

const replaceState = vi.fn();
const at = (href: string) => vi.stubGlobal('location', new URL(href, 'https://shop.example'));
const address = () => String(replaceState.mock.lastCall?.[2]);

beforeEach(() => {
  openBrowser();
  vi.stubGlobal('history', { state: null, replaceState });
  replaceState.mockClear();
  storeSecrets({});
});
afterEach(() => void vi.unstubAllGlobals());

describe('the switch for developers of a backend', () => {
  it('stays in the URL, and is stored for the tab until another value ends it', () => {
    at('/pricing-table?debug=contract');
    readAddress();
    expect(replaceState).not.toHaveBeenCalled();
    at('/pricing-table?currency=EUR');
    readAddress();
    expect(debugKey.get()).toBe('contract');
    at('/?debug=off');
    readAddress();
    expect(debugKey.get()).toBeUndefined();
  });

  it('is also read from a link that redirects', () => {
    at('/?t=secret&a=55&e=ana&debug=contract');
    readAddress();
    expect(address()).toContain('/login?');
    expect(debugKey.get()).toBe('contract');
  });
});

describe('the first moment of a visit', () => {
  it('leaves a plain URL unchanged', () => {
    at('/pricing-table?x=1#top');
    expect(readAddress()).toEqual({ language: undefined });
    expect(replaceState).not.toHaveBeenCalled();
  });

  it('removes an unusable token from the URL and does not store it', () => {
    at('/help?t=secret&la=es#top');
    expect(readAddress()).toEqual({ language: 'es' });
    expect(replaceState).toHaveBeenCalledWith(null, '', 'https://shop.example/help?la=es#top');
    expect(peekSecret('appToken')).toBeUndefined();
  });

  it('redirects as the link requests, and returns its token once', () => {
    at('/?t=secret&a=55&e=ana&la=ru');
    expect(readAddress()).toEqual({ language: 'ru' });
    expect(address()).toBe('https://shop.example/login?accountId=55&loginId=ana&language=ru&return=%2F');
    const link = { token: 'secret', accountId: '55', loginId: 'ana' };
    expect(peekSecret('appToken')).toEqual(link);
    expect(consumeSecret('appToken')).toEqual(link);
    expect(consumeSecret('appToken')).toBeUndefined();
  });

  it('stores the token of an email for the page that needs it', () => {
    at('/resetPassword?token=AAAAAAAAAAAAAAAAAAAAAAAA&language=pt');
    expect(readAddress()).toEqual({ language: 'pt' });
    expect(address()).toBe('https://shop.example/resetPassword?language=pt');
    expect(consumeSecret('mailToken')).toBe('AAAAAAAAAAAAAAAAAAAAAAAA');
  });

  it('does not return the secret of a previous URL', () => {
    at('/device?user_code=BCDF-GHJK');
    readAddress();
    at('/pricing-table?x=1');
    readAddress();
    expect(peekSecret('userCode')).toBeUndefined();
  });

  it('cannot be led to another host', () => {
    at('https://shop.example//evil.example/?t=secret');
    readAddress();
    expect(replaceState).toHaveBeenCalledWith(null, '', 'https://shop.example//evil.example/');
  });

  it('stores for this tab that a TV device opened it', () => {
    at('/pricing-table?st=STB');
    readAddress();
    expect(currentScene()).toEqual({ scene: 'STB', entranceWay: 'boxScanQR' });
    at('/orders');
    readAddress();
    expect(currentScene().scene).toBe('STB');
  });

  it('recognises the app by its release, and a TV device by any other', () => {
    at('/pricing-table?r=APP-2.1');
    readAddress();
    expect(currentScene()).toEqual({ scene: 'WEB', entranceWay: 'mobileGoToWebsite' });
    at('/pricing-table?releaseId=BX-7');
    readAddress();
    expect(currentScene()).toEqual({ scene: 'STB', entranceWay: 'boxScanQR' });
  });
});
