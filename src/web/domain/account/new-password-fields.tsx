import { useLingui } from '@lingui/react/macro';
import { PasswordField, type FieldProps } from '#web/ui/field.tsx';
import { msg } from '@lingui/core/macro';
import { normalizePassword } from '#contract/auth.ts';
import { maxPasswordLength, minPasswordLength } from '#contract/limits.ts';
import { onlyProblems, localizedMessage, type LocalizedMessage } from '#web/platform/form/localized-message.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import type { Refusal } from '#web/platform/form/form-state.ts';

const easy = localizedMessage(msg`This password is too easy to guess. Choose another one.`);

/** The server refuses common passwords; only the server can check that. */
export function commonPasswordRefusal(
  error: CallError,
  message: LocalizedMessage,
): LocalizedMessage | Refusal<{ password: string }> {
  const { field } = error.params;
  return field === 'password' || field === 'newPassword' ? { fields: { password: easy } } : message;
}

const passwordShort = localizedMessage(msg`Password has to be at least 6 characters long`);
const passwordLong = localizedMessage(msg`Password can’t be longer than 200 characters`);
const passwordsDiffer = localizedMessage(msg`Passwords do not match`);

/** The problems of a new password and its repetition. Spaces count; nothing is trimmed. */
export function newPasswordProblems(typed: { password: string; repeated: string }) {
  const { length } = normalizePassword(typed.password);
  return onlyProblems({
    password: (length < minPasswordLength && passwordShort) || (length > maxPasswordLength && passwordLong),
    repeated: normalizePassword(typed.password) !== normalizePassword(typed.repeated) && passwordsDiffer,
  });
}

type FieldOf = (name: 'password' | 'repeated') => Omit<FieldProps, 'label' | 'type' | 'suffix'>;

/** A new password and its repetition. `autocomplete` informs password managers that it is new. */
export function NewPasswordFields({ register }: { register: FieldOf }) {
  const { t } = useLingui();
  return (
    <>
      <PasswordField
        {...register('password')}
        label={t`New password`}
        hint={t`At least 6 characters`}
        autoComplete="new-password"
        enterKeyHint="next"
      />
      <PasswordField
        {...register('repeated')}
        label={t`Repeat new password`}
        hint={t`We’ll log you out on every device and remove your passkeys.`}
        autoComplete="new-password"
        enterKeyHint="done"
      />
    </>
  );
}
