import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openBrowser } from '../storage/test-browser.ts';
import { arrive, takeSecrets } from './arrive.ts';
import { currentScene } from './scene.ts';

const replaceState = vi.fn();
const at = (href: string) => vi.stubGlobal('location', new URL(href, 'https://shop.example'));

beforeEach(() => {
  openBrowser();
  vi.stubGlobal('history', { state: null, replaceState });
  replaceState.mockClear();
});
afterEach(() => void vi.unstubAllGlobals());

describe('the first moment of a visit', () => {
  it('leaves a plain address alone', () => {
    at('/pricing-table?x=1#top');
    expect(arrive()).toEqual({ language: undefined, redirected: false });
    expect(replaceState).not.toHaveBeenCalled();
  });

  it('takes the token out of the address, and hands it over once', () => {
    at('/help?t=secret&la=es#top');
    expect(arrive()).toEqual({ language: 'es', redirected: false });
    expect(replaceState).toHaveBeenCalledWith(null, '', 'https://shop.example/help?la=es#top');
    expect(takeSecrets()).toEqual({ appToken: 'secret' });
    expect(takeSecrets()).toEqual({});
  });

  it('goes where the link leads', () => {
    at('/?t=secret&a=55&e=ana');
    expect(arrive().redirected).toBe(true);
    expect(replaceState).toHaveBeenCalledWith(
      null,
      '',
      'https://shop.example/login?accountId=55&loginId=ana&return=%2F',
    );
  });

  it('cannot be led to another host', () => {
    at('https://shop.example//evil.example/?t=secret');
    arrive();
    expect(replaceState).toHaveBeenCalledWith(null, '', 'https://shop.example//evil.example/');
  });

  it('remembers for this tab that it came from a box', () => {
    at('/pricing-table?st=STB');
    arrive();
    expect(currentScene()).toEqual({ scene: 'STB', entranceWay: 'boxScanQR' });
    at('/orders');
    arrive();
    expect(currentScene().scene).toBe('STB');
  });
});
