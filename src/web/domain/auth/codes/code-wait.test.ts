import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { codeWaitKey } from '#web/platform/session/storage/sign-in-keys.ts';
import { openBrowser, type TestBrowser } from '#web/platform/session/storage/test-browser.ts';
import { isCodeForAccount, mayStillArrive, secondsLeft, startCodeWait } from './code-wait.ts';

const now = 1_800_000_000_000;
const ana = { account: 'ana@example.com', type: 'email' } as const;
const phone = { account: '11912345678', type: 'phone', areaCode: '55' } as const;

let browser: TestBrowser;
beforeEach(() => void (browser = openBrowser()));
afterEach(() => vi.unstubAllGlobals());

test('continues the countdown after a reload', () => {
  codeWaitKey('login').set(startCodeWait(ana, 60, now));
  const found = codeWaitKey('login').get();
  expect(secondsLeft(found, now + 15_400)).toBe(45);
  expect(secondsLeft(found, now + 60_000)).toBe(0);
});

test('has a separate countdown for each kind of code', () => {
  codeWaitKey('login').set(startCodeWait(ana, 60, now));
  expect(codeWaitKey('signup').get()).toBeUndefined();
});

test('drops malformed stored data', () => {
  browser.sessionStorage.setItem(
    codeWaitKey('login').key,
    '{"account":"ana@example.com","type":"email","until":"soon"}',
  );
  expect(codeWaitKey('login').get()).toBeUndefined();
  expect(browser.sessionStorage.length).toBe(0);
});

test('has no countdown for another account', () => {
  const wait = startCodeWait(phone, 60, now);
  expect(isCodeForAccount(wait, phone)).toBe(true);
  expect(isCodeForAccount(wait, { ...phone, areaCode: '7' })).toBe(false);
  expect(isCodeForAccount(wait, ana)).toBe(false);
  expect(isCodeForAccount(wait, undefined)).toBe(false);
  expect(isCodeForAccount(startCodeWait(ana, 60, now), { ...ana, account: 'Ana@Example.com' })).toBe(true);
});

test('limits the wait to a day, whatever the clocks say', () => {
  expect(secondsLeft(startCodeWait(ana, 60, now), now - 365 * 86_400_000)).toBe(86_400);
  expect(secondsLeft(startCodeWait(ana, -5, now), now)).toBe(0);
});

test('shows the code field while a code may be valid', () => {
  const wait = startCodeWait(ana, 60, now);
  expect(mayStillArrive(wait, now + 9 * 60_000)).toBe(true);
  expect(mayStillArrive(wait, now + 12 * 60_000)).toBe(false);
  expect(mayStillArrive(undefined, now)).toBe(false);
});
