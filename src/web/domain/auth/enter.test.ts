import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { UserInfo } from '#contract/user.ts';
import { clearSession, getSession, removePersonal } from '#web/platform/session/session.ts';
import { openBrowser, type TestBrowser } from '#web/platform/session/storage/test-browser.ts';
import { sessionKey } from '#web/platform/session/storage/keys.ts';
import { storedDeviceToken, completeSignIn } from './enter.ts';

const user: UserInfo = {
  token: 'a'.repeat(43),
  uid: '1',
  account: 'ana@example.com',
  type: 'email',
  accountLoginType: 'password',
  payStatus: 'PAID',
  expiration: Date.now() + 86_400_000,
  deviceToken: 'nonce.signature-of-it',
};

let browser: TestBrowser;
beforeEach(() => void (browser = openBrowser()));
afterEach(() => {
  clearSession('logout');
  vi.unstubAllGlobals();
});

test('whoever enters is signed in, and the device is known from then on, after logging out, too', () => {
  completeSignIn(user, 'login', 'password');
  expect(getSession()?.account).toBe('ana@example.com');
  removePersonal();
  expect(storedDeviceToken()).toBe('nonce.signature-of-it');
});

test('what makes the device known is not kept with the session', () => {
  completeSignIn(user, 'login', 'password');
  expect(browser.localStorage.getItem(sessionKey.key)).not.toContain('signature-of-it');
});

test('a login that brings no token leaves the one that is there', () => {
  completeSignIn(user, 'login', 'password');
  const { deviceToken: _, ...without } = user;
  completeSignIn(without, 'login', 'google');
  expect(storedDeviceToken()).toBe('nonce.signature-of-it');
});
