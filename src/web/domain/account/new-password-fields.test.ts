import { setupI18n } from '@lingui/core';
import { expect, test } from 'vitest';
import type { LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { newPasswordProblems } from './new-password-fields.tsx';

const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
const said = (problems: Partial<Record<string, LocalizedMessage>>) =>
  Object.fromEntries(Object.entries(problems).map(([name, words]) => [name, words?.(i18n)]));

test('requires six characters for a new password', () => {
  expect(said(newPasswordProblems({ password: '12345', repeated: '12345' }))).toEqual({
    password: 'Password has to be at least 6 characters long',
  });
  expect(newPasswordProblems({ password: '123456', repeated: '123456' })).toEqual({});
  const long = 'x'.repeat(201);
  expect(said(newPasswordProblems({ password: long, repeated: long })), 'a pasted one is never cut').toEqual({
    password: 'Password can’t be longer than 200 characters',
  });
});

test('counts the spaces of a password, also at both ends', () => {
  expect(newPasswordProblems({ password: ' 1234 ', repeated: ' 1234 ' })).toEqual({});
  expect(said(newPasswordProblems({ password: 'secret', repeated: 'secret ' }))).toEqual({
    repeated: 'Passwords do not match',
  });
});
