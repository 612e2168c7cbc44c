import { setupI18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { refusedError } from '#web/platform/api/refused-error.ts';
import { codeProblem, codeErrorMessage } from './use-code.ts';

const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
const said = (code: number, params = {}) => codeErrorMessage(refusedError('codeLogin', { code, params }))?.(i18n);

test('shows how many tries are left after a wrong code', () => {
  expect(said(11, { triesLeft: 2 })).toBe('This code is incorrect. You have 2 tries left.');
  expect(said(11, { triesLeft: 1 })).toBe('This code is incorrect. You have 1 try left.');
});

test("uses the catalogue's message for the last try and for a code without a count", () => {
  expect(said(11, { triesLeft: 0 })).toBeUndefined();
  expect(said(10)).toBeUndefined();
});

test('shows how long to wait after too many codes, in minutes or hours', () => {
  expect(said(-3031, { waitSeconds: 61 })).toContain('in 61 seconds');
  expect(said(-3031, { waitSeconds: 72_000 })).toContain('in 20 hours');
});

test('shows how long to wait after too many wrong codes from one network', () => {
  expect(said(17, { waitSeconds: 900 })).toBe('Too many failed attempts. Try again in 15 minutes.');
});

test('reports a missing or incomplete code before anything is sent', () => {
  const words = (code: string) => {
    const problem = codeProblem(code);
    return problem && problem(i18n);
  };
  expect(words('')).toBe('Verification code cannot be empty');
  expect(words('123')).toBe('Enter all 4 digits');
  expect(words('1234')).toBe(false);
});
