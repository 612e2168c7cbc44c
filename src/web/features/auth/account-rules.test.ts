import { setupI18n } from '@lingui/core';
import { expect, test } from 'vitest';
import type { Words } from '../../form/words.ts';
import { checkLogin, checkRegister, emptyRegister } from './account-rules.ts';

const rules = { email: '^[^@]+@[^@]+\\.[a-z]{2,}$' };
const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
const said = (problems: Partial<Record<string, Words>>) =>
  Object.fromEntries(Object.entries(problems).map(([name, words]) => [name, words?.(i18n)]));

const good = { account: 'ana@example.com', nickname: 'Ana 2', password: 'secret', repeated: 'secret', agreed: true };

test('a full sign-up has nothing wrong', () => {
  expect(checkRegister(good, rules)).toEqual({});
});

test('an empty sign-up is told everything at once, in the words of the specification', () => {
  expect(said(checkRegister(emptyRegister, rules))).toEqual({
    account: 'Enter your email address',
    password: 'Password has to be at least 6 characters long',
    agreed: 'Accept our Terms Of Use and Privacy Policy',
  });
});

test('a mistyped sign-up is told what to mend', () => {
  const wrong = { ...good, account: 'ana@example', nickname: 'Ana <3', repeated: 'secre' };
  expect(said(checkRegister(wrong, rules))).toEqual({
    account: 'Invalid Email',
    nickname: 'The nickname must not contain special characters',
    repeated: 'Passwords do not match',
  });
});

test('five characters are too few for a password, six are enough', () => {
  expect(checkRegister({ ...good, password: '12345', repeated: '12345' }, rules)).toHaveProperty('password');
  expect(checkRegister({ ...good, password: '123456', repeated: '123456' }, rules)).toEqual({});
});

test('spaces of a password count, at both ends too', () => {
  expect(checkRegister({ ...good, password: ' 1234 ', repeated: ' 1234 ' }, rules)).toEqual({});
  expect(checkRegister({ ...good, password: 'secret', repeated: 'secret ' }, rules)).toHaveProperty('repeated');
});

test('an old, short password can still log in', () => {
  expect(checkLogin({ account: 'ana@example.com', password: '123' }, rules)).toEqual({});
});
