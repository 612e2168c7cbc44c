import { setupI18n } from '@lingui/core';
import { describe, expect, it } from 'vitest';
import { refusedError } from '#web/platform/api/refused-error.ts';
import { guessedPassword } from './new-password-fields.tsx';

const refusal = (code: number, field?: string) =>
  guessedPassword(refusedError('signup', { code, ...(field && { params: { field } }) }));

describe('a new password that the server finds easy to guess', () => {
  it.each(['password', 'newPassword'])('is told so at its field, when the call names it %s', (field) => {
    const words = refusal(5000, field)?.fields?.password;
    expect(words?.(setupI18n({ locale: 'en', messages: { en: {} } }))).toMatch(/\S/);
  });

  it('is not what any other refusal is about', () => {
    expect(refusal(5000, 'account')).toBeUndefined();
    expect(refusal(5000)).toBeUndefined();
    expect(refusal(3, 'password')).toBeUndefined();
    expect(guessedPassword(new TypeError('a fault of ours'))).toBeUndefined();
  });
});
