import { setupI18n } from '@lingui/core';
import { describe, expect, it } from 'vitest';
import { refusedError } from '#web/platform/api/refused-error.ts';
import { commonPasswordRefusal } from './new-password-fields.tsx';

const message = () => 'message of the catalogue';
const refusal = (field?: string) =>
  commonPasswordRefusal(refusedError('signup', { code: 5000, ...(field && { params: { field } }) }), message);

describe('a new password that the server finds easy to guess', () => {
  it.each(['password', 'newPassword'])('shows that at its field if the call names it %s', (field) => {
    const shown = refusal(field);
    const words = typeof shown === 'function' ? undefined : shown.fields?.password;
    expect(words?.(setupI18n({ locale: 'en', messages: { en: {} } }))).toMatch(/\S/);
  });

  it("uses the catalogue's message for any other invalid input", () => {
    expect(refusal('account')).toBe(message);
    expect(refusal()).toBe(message);
  });
});
