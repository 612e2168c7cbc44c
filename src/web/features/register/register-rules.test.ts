import { setupI18n } from '@lingui/core';
import { expect, test } from 'vitest';
import type { LocalizedMessage } from '#web/platform/form/localized-message.ts';
import {
  checkRegister,
  emptyRegister,
  nicknameFrom,
  signupExtras,
  stepOf,
  type RegisterStep,
} from './register-rules.ts';

const rules = { email: '^[^@]+@[^@]+\\.[a-z]{2,}$', phone: '^\\d{8,13}$' };
const atOnce = { tab: 'email', rules, step: 'whole' } as const;
const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
const said = (problems: Partial<Record<string, LocalizedMessage>>) =>
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

test('accepts a complete sign-up by email and by phone number', () => {
  expect(checkRegister(good, atOnce)).toEqual({});
  expect(checkRegister({ ...good, phone: '11912345678' }, { ...atOnce, tab: 'phone' })).toEqual({});
});

test('shows what is missing in the current question of an empty sign-up', () => {
  const account = { account: 'Enter your email address' };
  const password = {
    password: 'Password has to be at least 6 characters long',
    agreed: 'Accept our Terms Of Use and Privacy Policy',
  };
  const wordsAt = (step: RegisterStep) => said(checkRegister(emptyRegister, { ...atOnce, step }));
  expect(wordsAt('whole')).toEqual({ ...account, ...password });
  expect(wordsAt('account')).toEqual(account);
  expect(wordsAt('code')).toEqual({ ...account, code: 'Verification code cannot be empty' });
  expect(wordsAt('password')).toEqual({ ...account, ...password });
});

test('shows what to correct in a mistyped sign-up', () => {
  const wrong = { ...good, account: 'ana@example', code: '12', nickname: 'Ana <3', repeated: 'secre' };
  expect(said(checkRegister(wrong, atOnce))).toEqual({
    account: 'Invalid Email',
    nickname: 'The nickname must not contain special characters',
    repeated: 'Passwords do not match',
  });
  expect(said(checkRegister(wrong, { ...atOnce, step: 'code' }))).toEqual({
    account: 'Invalid Email',
    code: 'Enter all 4 digits',
  });
});

test('asks a question only after the previous ones are answered', () => {
  const nothing = { withCode: true, sent: false, proved: false };
  expect(stepOf('password', nothing)).toBe('account');
  expect(stepOf('password', { ...nothing, sent: true })).toBe('code');
  expect(stepOf('code', { ...nothing, sent: true })).toBe('code');
  expect(stepOf('code', { ...nothing, sent: true, proved: true })).toBe('password');
  expect(stepOf(undefined, { ...nothing, sent: true, proved: true })).toBe('account');
  expect(stepOf('code', { ...nothing, withCode: false })).toBe('whole');
});

test('turns a name from Google into an allowed nickname', () => {
  expect(nicknameFrom("Anne-Marie  d'Été (Work)")).toBe('Anne Marie d Été Work');
  expect(nicknameFrom('Ольга ☀️')).toBe('Ольга');
  expect(nicknameFrom('x'.repeat(60))).toHaveLength(40);
});

test('omits empty fields, and sends the parameters of a link', () => {
  expect(signupExtras({ nickname: '  ', agreed: true }, undefined)).toEqual({});
  expect(signupExtras({ nickname: ' Ana ', agreed: true }, { releaseId: 'M1' })).toEqual({
    nickname: 'Ana',
    entry: { releaseId: 'M1' },
  });
});
