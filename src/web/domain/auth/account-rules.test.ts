import { setupI18n } from '@lingui/core';
import { expect, test } from 'vitest';
import type { LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { accountProblems, checkLogin, completeIdentity, emptyAccount, isPastedNumber } from './account-rules.ts';

const rules = { email: '^[^@]+@[^@]+\\.[a-z]{2,}$', phone: '^\\d{8,13}$' };
const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
const said = (problems: Partial<Record<string, LocalizedMessage>>) =>
  Object.fromEntries(Object.entries(problems).map(([name, words]) => [name, words?.(i18n)]));

const ana = { account: 'ana@example.com', phone: '11912345678', areaCode: '55' };

test('recognizes a pasted phone number in the email field, but not one that is being typed', () => {
  for (const pasted of [
    '+55 (11) 98888-7777',
    '11987654321',
    ' 011 98765-4321',
    '＋５５ １１ ９８８８８',
    '٠٧١٢٣٤٥٦٧٨',
  ]) {
    expect(isPastedNumber(pasted, ''), pasted).toBe(true);
  }
  expect(isPastedNumber('11987654321', 'somebody@example.com'), 'over an address').toBe(true);
  expect([isPastedNumber('1198765', '119876'), isPastedNumber('1198765', '11987654')]).toEqual([false, false]);
  for (const other of ['11@example.com', 'ana', '2026', '1234567a'])
    expect(isPastedNumber(other, ''), other).toBe(false);
});

test('shows what is missing in an empty account', () => {
  expect(said(accountProblems('email', emptyAccount, rules))).toEqual({ account: 'Enter your email address' });
  expect(said(accountProblems('phone', emptyAccount, rules))).toEqual({
    areaCode: 'Select a country code',
    phone: 'Enter your phone number',
  });
});

test('shows that an address or number is mistyped', () => {
  expect(said(accountProblems('email', { ...ana, account: 'ana@example' }, rules))).toEqual({
    account: 'Invalid Email',
  });
  expect(said(accountProblems('phone', { ...ana, phone: '1234' }, rules))).toEqual({ phone: 'Invalid mobile number' });
});

test('validates only the selected tab', () => {
  expect(accountProblems('phone', { ...ana, account: 'not yet' }, rules)).toEqual({});
  expect(accountProblems('email', { ...ana, phone: '1' }, rules)).toEqual({});
});

test('requires the general phone format if the brand has no rule', () => {
  expect(accountProblems('phone', { ...ana, phone: '12345678' }, {})).toEqual({});
  expect(accountProblems('phone', { ...ana, phone: '<script>' }, {})).toHaveProperty('phone');
  expect(accountProblems('phone', { ...ana, phone: '' }, {})).toHaveProperty('phone');
});

test('sends the account of the selected tab only', () => {
  expect(completeIdentity('email', ana, rules)).toEqual({ account: 'ana@example.com', type: 'email' });
  expect(completeIdentity('phone', ana, rules)).toEqual({ account: '11912345678', type: 'phone', areaCode: '55' });
  expect(completeIdentity('phone', { ...ana, phone: '1' }, rules)).toBeUndefined();
});

test('accepts an old, short password for a login, but no empty one', () => {
  expect(checkLogin('email', { ...ana, password: '123' }, rules)).toEqual({});
  expect(said(checkLogin('email', { ...ana, password: '' }, rules))).toEqual({ password: 'Enter your password' });
});
