import { setupI18n } from '@lingui/core';
import { describe, expect, test } from 'vitest';
import { errorCode } from '#contract/error-codes.ts';
import { sso } from '#contract/sign-on.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { refusedError } from '#web/platform/api/refused-error.ts';
import { decide } from '#web/platform/api/decide.ts';
import { endOfSignOn, ownedSignOn } from './use-sign-on.ts';

const messages = Object.fromEntries(sso.errors.map(errorCode).map((code) => [`errCode.${code}`, `words of ${code}`]));
const i18n = setupI18n({ locale: 'en', messages: { en: messages } });
const refused = (code: number) => refusedError('sso', { code });
const said = (code: number) => {
  const end = endOfSignOn(refused(code));
  const words = end.kind === 'again' ? end.words : end.notice?.words;
  return [end.kind, end.kind === 'form' ? end.notice?.tone : undefined, words?.(i18n)];
};
const done = (code: number, scene: 'WEB' | 'STB' = 'WEB') =>
  decide(refused(code), { scene, reads: false, shownErrors: ownedSignOn }).map(({ type }) => type);

describe('a refused single sign-on', () => {
  test.each([-24010, -24020, 21])('with %i asks for a new login, and ends the session silently', (code) => {
    expect(said(code)).toEqual(['form', 'info', 'Please log in again']);
    expect(done(code)).toEqual(['endSession']);
  });

  test('with -24030 warns above the form, and retains the return path', () => {
    expect(said(-24030)).toEqual(['form', 'warning', 'words of -24030']);
    expect(done(-24030)).toEqual(['endSession']);
  });

  test.each([-24031, -24050, -2223])('with %i explains above the form that the link was refused', (code) => {
    expect(said(code)).toEqual(['form', 'danger', `words of ${code}`]);
    const end = endOfSignOn(refused(code));
    expect(end.kind === 'form' && end.notice?.title?.(i18n)).toBe('This link can’t log you in');
    expect(done(code)).toEqual([]);
  });

  test('because the service is busy can be retried with the same token', () => {
    expect(said(-24040)).toEqual(['again', undefined, 'words of -24040']);
    expect(done(-24040)).toEqual([]);
  });

  test('with -1112 shows the form under the toast of the policy', () => {
    expect(said(-1112)).toEqual(['form', undefined, undefined]);
    expect(done(-1112)).toEqual(['toast', 'endSession']);
  });

  test.each([201, 203])('with %i leads to the notice on a TV, and to the form elsewhere', (code) => {
    expect(said(code)).toEqual(['form', undefined, undefined]);
    expect(done(code, 'STB')).toEqual(['navigate']);
    expect(done(code)).toEqual(['toast']);
  });

  test('by a network error can be retried', () => {
    expect(endOfSignOn(new ApiError('network', 'sso', { lost: 'unreachable' })).kind).toBe('again');
  });
});
