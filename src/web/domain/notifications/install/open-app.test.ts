import * as v from 'valibot';
import { describe, expect, it, test } from 'vitest';
import { appLinkSchema, appSchema } from '#contract/site.ts';
import { placesOf } from './open-app.tsx';

const device = (userAgent: string, maxTouchPoints = 0) => ({ userAgent, maxTouchPoints });
const android = device('Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0', 5);
const iPhone = device('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15', 5);
const iPad = device('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15', 5);
const mac = device('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15');
const linux = device('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36');

const app = v.parse(appSchema, {
  link: 'acme://open',
  intent: 'intent://open#Intent;scheme=acme;package=com.acme.player;end',
  stores: {
    android: 'https://play.google.com/store/apps/details?id=com.acme.player',
    ios: 'https://apps.apple.com/app/id1',
    other: 'https://acme.example/app',
  },
});

describe('the app of a brand', () => {
  it('is opened by its intent on Android, and by its link elsewhere', () => {
    expect(placesOf(app, android).link).toBe(app.intent);
    for (const other of [iPhone, iPad, mac, linux]) expect(placesOf(app, other).link).toBe('acme://open');
    expect(placesOf({ link: 'acme://open' }, android).link).toBe('acme://open');
  });

  it('is installed from the store of this device', () => {
    expect(placesOf(app, android).store).toContain('play.google.com');
    for (const apple of [iPhone, iPad]) expect(placesOf(app, apple).store).toContain('apps.apple.com');
    for (const other of [mac, linux]) expect(placesOf(app, other).store).toBe('https://acme.example/app');
    expect(placesOf({ link: 'acme://open' }, android).store).toBeUndefined();
  });
});

test.each(['acme://open', 'https://acme.example/open', 'com.acme.player://x'])('accepts the link %s', (link) => {
  expect(v.is(appLinkSchema, link)).toBe(true);
});

test.each([
  'javascript://%0aalert(1)',
  'JavaScript:alert(1)',
  'http://acme.example',
  'data://text/html,x',
  'vbscript://x',
  'file:///etc/passwd',
  'view-source://x',
  'intent://x#Intent;scheme=acme;end',
  'tel://5511987654321',
  'chrome://settings',
  'acme://a"b',
  'acme:open',
])('refuses the link %s', (link) => {
  expect(v.is(appLinkSchema, link)).toBe(false);
});

test.each([
  'intent://open#Intent;scheme=acme;end',
  'intent://open#Intent;scheme=acme;package=com.acme;component=com.acme/.Other;end',
  'intent://open#Intent;scheme=acme;package=com.acme;S.browser_fallback_url=http%3A%2F%2Facme.example;end',
  'intent://open#Intent;package=com.acme',
])('refuses the intent %s', (intent) => {
  expect(v.is(appSchema, { link: 'acme://open', intent })).toBe(false);
});

test('refuses a store that is not an https page', () => {
  const stores = { android: 'market://details?id=com.acme.player' };
  expect(v.is(appSchema, { link: 'acme://open', stores })).toBe(false);
});
