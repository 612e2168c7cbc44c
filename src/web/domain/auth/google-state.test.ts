import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { googleStartKey } from '#web/platform/session/storage/identity-keys.ts';
import { openBrowser } from '#web/platform/session/storage/test-browser.ts';
import { startGoogle, consumeGoogleStart, authorizationUrl, base64url, challengeOf, newStart } from './google-state.ts';

const client = { clientId: 'shop-1', authorizationEndpoint: 'https://accounts.example/o/auth?prompt=select_account' };
const page = { origin: 'https://shop.example', language: 'pt' };

let left: string[] = [];
beforeEach(() => {
  openBrowser();
  left = [];
  vi.stubGlobal('location', {
    origin: page.origin,
    pathname: '/register',
    search: '?return=%2Faccount&deviceInfo=MX-9',
    assign: (url: string) => left.push(url),
  });
});
afterEach(() => vi.unstubAllGlobals());

test('the challenge is that of RFC 7636, appendix B', () => {
  expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  );
  const octets = [116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186];
  octets.push(22, 212, 37, 77, 105, 214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121);
  expect(base64url(new Uint8Array(octets))).toBe('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk');
});

test('every sign-in has secrets of its own, long enough for RFC 7636', () => {
  const one = newStart(undefined);
  const other = newStart('/payment?planId=101');
  expect(one.codeVerifier).toMatch(/^[\w-]{43}$/);
  expect(new Set([one.state, one.nonce, one.codeVerifier, other.state, other.nonce, other.codeVerifier]).size).toBe(6);
});

test('the request carries the challenge, and never the verifier', () => {
  const start = newStart('/account');
  const url = new URL(authorizationUrl(client, start, page));
  expect(url.host).toBe('accounts.example');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    prompt: 'select_account',
    response_type: 'code',
    client_id: 'shop-1',
    redirect_uri: 'https://shop.example/login',
    scope: 'openid email profile',
    state: start.state,
    nonce: start.nonce,
    code_challenge: challengeOf(start.codeVerifier),
    code_challenge_method: 'S256',
    hl: 'pt',
  });
  expect(url.href).not.toContain(start.codeVerifier);
});

test('an address that would run in the page is not gone to', () => {
  const bad = { ...client, authorizationEndpoint: 'javascript:alert(1)' };
  expect(() => startGoogle(bad, undefined)).toThrow('no web address');
  expect(left).toEqual([]);
});

test('the answer fits what was started, once', () => {
  startGoogle(client, '/account');
  const state = new URL(left[0] ?? '').searchParams.get('state') ?? '';
  expect(consumeGoogleStart(state)).toMatchObject({
    state,
    returnTo: '/account',
    page: '/register?return=%2Faccount&deviceInfo=MX-9',
  });
  expect(consumeGoogleStart(state)).toBeUndefined();
});

test('an answer that nobody here asked for is no answer, and ends what was started', () => {
  startGoogle(client, undefined);
  expect(consumeGoogleStart('made up by somebody else')).toBeUndefined();
  expect(googleStartKey.get()).toBeUndefined();
});
