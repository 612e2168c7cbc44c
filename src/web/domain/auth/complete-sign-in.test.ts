import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { UserInfo } from '#contract/user.ts';
import { clearSession, getSession, removePersonalData } from '#web/platform/session/session.ts';
import { openBrowser, type TestBrowser } from '#web/platform/session/storage/test-browser.ts';
import { sessionKey } from '#web/platform/session/storage/keys.ts';
import { storedDeviceToken, completeSignIn } from './complete-sign-in.ts';

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

test('logs in, and recognizes the device from then on, even after a logout', () => {
  completeSignIn(user, 'login', 'password');
  expect(getSession()?.account).toBe('ana@example.com');
  removePersonalData();
  expect(storedDeviceToken()).toBe('nonce.signature-of-it');
});

test('does not store the device token with the session', () => {
  completeSignIn(user, 'login', 'password');
  expect(browser.localStorage.getItem(sessionKey.key)).not.toContain('signature-of-it');
});

test('leaves the stored device token if a login returns none', () => {
  completeSignIn(user, 'login', 'password');
  const { deviceToken: _, ...without } = user;
  completeSignIn(without, 'login', 'google');
  expect(storedDeviceToken()).toBe('nonce.signature-of-it');
});
