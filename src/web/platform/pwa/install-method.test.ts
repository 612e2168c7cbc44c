import { expect, test } from 'vitest';
import { installMethod, type Browser } from './install-method.ts';

const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const android = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)';

const quiet = { touchPoints: 0, hasPrompt: false, hasAsked: false };
const way = (userAgent: string, more: Partial<Browser> = {}) => installMethod({ userAgent, ...quiet, ...more });

test('shows the browser prompt where the browser has given the page one', () => {
  expect(way(`${android} Chrome/140.0.0.0 Mobile Safari/537.36`, { hasPrompt: true, hasAsked: true })).toBe('question');
});

test('offers nothing in a browser with prompts that has given none: the app is installed or cannot be', () => {
  expect(way(`${android} Chrome/140.0.0.0 Mobile Safari/537.36`, { hasPrompt: true })).toBeUndefined();
});

test('shows on an iPhone and an iPad where the Share button of Safari is', () => {
  expect(way(`${iphone} Version/17.5 Mobile/15E148 Safari/604.1`, { touchPoints: 5 })).toBe('shareOnPhone');
  expect(way(`${mac} Version/17.5 Safari/605.1.15`, { touchPoints: 5 })).toBe('shareOnTablet');
});

test('points other phone browsers to their menu', () => {
  expect(way(`${iphone} CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1`, { touchPoints: 5 })).toBe('menu');
  expect(way('Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0')).toBe('menu');
});

test('points Safari on a Mac to its File menu, since version 17', () => {
  expect(way(`${mac} Version/17.5 Safari/605.1.15`)).toBe('dock');
  expect(way(`${mac} Version/16.6 Safari/605.1.15`)).toBe('otherBrowser');
});

test('names browsers that can install the app, inside another app and in browsers that cannot', () => {
  expect(way(`${iphone} Mobile/15E148 Instagram 331.0.0.0.0`, { touchPoints: 5 })).toBe('otherBrowser');
  expect(way(`${android.replace('; K)', '; K; wv)')} Version/4.0 Chrome/126.0 Mobile`, { hasPrompt: true })).toBe(
    'otherBrowser',
  );
  expect(way('Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0')).toBe('otherBrowser');
});
