import { setupI18n } from '@lingui/core';
import { beforeAll, expect, test } from 'vitest';
import type { Words } from '../../form/words.ts';
import { checkRegister, emptyRegister, nicknameFrom, told } from './register-rules.ts';
import { loadPatterns } from '../../validation/account-rules.ts';

beforeAll(loadPatterns);

const rules = { email: '^[^@]+@[^@]+\\.[a-z]{2,}$', phone: '^\\d{8,13}$' };
const byEmail = { tab: 'email', rules, withCode: true } as const;
const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
const said = (problems: Partial<Record<string, Words>>) =>
  Object.fromEntries(Object.entries(problems).map(([name, words]) => [name, words?.(i18n)]));

const good = {
  account: 'ana@example.com',
  phone: '',
  areaCode: '55',
  code: '1234',
  nickname: 'Ana 2',
  password: 'secret',
  repeated: 'secret',
  agreed: true,
};

test('a full sign-up has nothing wrong, by address and by number', () => {
  expect(checkRegister(good, byEmail)).toEqual({});
  expect(checkRegister({ ...good, phone: '11912345678' }, { ...byEmail, tab: 'phone' })).toEqual({});
});

test('an empty sign-up is told everything at once, in the words of the specification', () => {
  expect(said(checkRegister(emptyRegister, byEmail))).toEqual({
    account: 'Enter your email address',
    code: 'Verification code cannot be empty',
    password: 'Password has to be at least 6 characters long',
    agreed: 'Accept our Terms Of Use and Privacy Policy',
  });
});

test('a brand that asks for no code does not miss it', () => {
  expect(checkRegister({ ...good, code: '' }, { ...byEmail, withCode: false })).toEqual({});
});

test('a mistyped sign-up is told what to mend', () => {
  const wrong = { ...good, account: 'ana@example', code: '12', nickname: 'Ana <3', repeated: 'secre' };
  expect(said(checkRegister(wrong, byEmail))).toEqual({
    account: 'Invalid Email',
    code: 'Enter all 4 digits of the code',
    nickname: 'The nickname must not contain special characters',
    repeated: 'Passwords do not match',
  });
});

test('a name from Google becomes a nickname that is allowed here', () => {
  expect(nicknameFrom("Anne-Marie  d'Été (Work)")).toBe('Anne Marie d Été Work');
  expect(nicknameFrom('Ольга ☀️')).toBe('Ольга');
  expect(nicknameFrom('x'.repeat(60))).toHaveLength(40);
});

test('what was not said is left out, and what a link brought is passed on', () => {
  expect(told({ nickname: '  ', agreed: true }, undefined)).toEqual({});
  expect(told({ nickname: ' Ana ', agreed: true }, { releaseId: 'M1' })).toEqual({
    nickname: 'Ana',
    entry: { releaseId: 'M1' },
  });
});
