import { setupI18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { ApiError } from '#web/platform/api/api-error.ts';
import { refusedError } from '#web/platform/api/refused-error.ts';
import { noticeOfRefusal, pageAfterGoogle, problemOfAnswer } from './external-sign-in.tsx';

const i18n = setupI18n({ locale: 'en', messages: { en: { 'errCode.-24040': 'busy' } } });
const answer = { state: 'a state', code: 'a code', error: undefined };
const tryAgain = 'Google login didn’t work. Please try again.';

test('accepts the answer to a login that this tab started', () => {
  expect(problemOfAnswer(answer, true)).toBeUndefined();
});

test('refuses the answer to a login that another party started', () => {
  expect(problemOfAnswer(answer, false)?.words(i18n)).toBe(tryAgain);
  expect(problemOfAnswer({ ...answer, error: 'access_denied' }, false)?.words(i18n)).toBe(tryAgain);
});

test('shows a neutral message after the customer cancelled', () => {
  const denied = problemOfAnswer({ ...answer, code: undefined, error: 'access_denied' }, true);
  expect(denied?.tone).toBe('info');
});

test('offers a retry after any other error of the provider', () => {
  expect(problemOfAnswer({ ...answer, code: undefined, error: 'server_error' }, true)?.words(i18n)).toBe(tryAgain);
});

test("shows the message of the server's error", () => {
  expect(noticeOfRefusal(refusedError('googleLogin', { code: -24040 })).words(i18n)).toBe('busy');
  expect(noticeOfRefusal(refusedError('googleLogin', { code: -3039 })).words(i18n)).toBe(tryAgain);
  expect(noticeOfRefusal(new ApiError('network', 'googleLogin')).words(i18n)).toBe(tryAgain);
});

const start = {
  state: 's',
  nonce: 'n',
  codeVerifier: 'c',
  returnTo: '/orders',
  page: '/register?return=%2Forders&aid=7',
};

test('returns to the page that offered Google, with its query', () => {
  expect(pageAfterGoogle({ kind: 'form', start })).toBe(start.page);
  expect(pageAfterGoogle({ kind: 'form', start: { ...start, page: '/login?return=%2Forders' } })).toBe(
    '/login?return=%2Forders',
  );
});

test('returns to the login, with its target, if the page is unknown', () => {
  expect(pageAfterGoogle({ kind: 'form', start: { ...start, page: undefined } })).toBe('/login?return=%2Forders');
  expect(pageAfterGoogle({ kind: 'form' })).toBe('/login');
});

test('opens the sign-up for a visitor without an account, with the parameters of its link', () => {
  expect(pageAfterGoogle({ kind: 'signup', start })).toBe(start.page);
  expect(pageAfterGoogle({ kind: 'signup', start: { ...start, page: '/login' } })).toBe('/register?return=%2Forders');
  expect(pageAfterGoogle({ kind: 'signup', start: { ...start, page: '/registered' } })).toBe(
    '/register?return=%2Forders',
  );
});
