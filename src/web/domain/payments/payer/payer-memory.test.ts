import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openBrowser, type TestBrowser } from '#web/platform/session/storage/test-browser.ts';
import { emptyPayerForm } from './payer-form.ts';
import { mobileOwner, restorePayer, rememberPayer } from './payer-memory.ts';

let browser: TestBrowser;
beforeEach(() => {
  browser = openBrowser();
});
afterEach(() => void vi.unstubAllGlobals());

const everythingIn = (store: Storage) =>
  Array.from({ length: store.length }, (_, index) => store.getItem(store.key(index) ?? ''));
const typed = { ...emptyPayerForm, number: '4242 4242 4242 4242', expiry: '12/39', code: '987', mobile: '712345678' };

test('restores the payer after a reload, and nothing of the card', () => {
  rememberPayer('u1', typed);
  expect(restorePayer('u1')).toMatchObject({ mobile: '712345678' });
  const kept = [browser.sessionStorage, browser.localStorage].flatMap(everythingIn).join();
  expect(kept).toContain('712345678');
  expect(Object.keys(restorePayer('u1')).filter((key) => /number$|expiry|code$/.test(key))).toEqual([]);
  for (const secret of ['4242', '12/39', '987']) expect(kept).not.toContain(secret);
});

test('shows another customer in the same tab nothing of the previous one', () => {
  rememberPayer('u1', typed);
  expect(restorePayer('u2')).toEqual({});
});

test('restores a mobile number for its own method and country only', () => {
  const mpesa = mobileOwner({ code: 'mpesa', diallingCode: '254' });
  rememberPayer('u1', { ...typed, firstName: 'Ana' }, mpesa);
  expect(restorePayer('u1', mpesa)).toMatchObject({ mobile: '712345678', firstName: 'Ana' });
  const others = [
    { code: 'orange', diallingCode: '221' },
    { code: 'mpesa', diallingCode: '255' },
    { code: 'airtel', diallingCode: '254' },
    { code: 'card' },
  ];
  for (const other of others) {
    const { mobile = '', firstName } = restorePayer('u1', mobileOwner(other));
    expect([mobile, firstName], other.code).toEqual(['', 'Ana']);
  }
});
