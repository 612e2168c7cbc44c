import { msg } from '@lingui/core/macro';
import { ApiError } from '../api/api-error.ts';
import type { Refusal } from '../form/form-state.ts';
import { say } from '../form/words.ts';

const easy = say(msg`This password is easy to guess. Choose another one.`);

/** What only the server knows of a new password: that it is one of those which are tried first. */
export function guessedPassword(error: unknown): Refusal<{ password: string }> | undefined {
  const field = error instanceof ApiError && error.code === 5000 ? error.params.field : undefined;
  return field === 'password' || field === 'newPassword' ? { fields: { password: easy } } : undefined;
}
