import { msg } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { changePassword } from '#contract/account.ts';
import { accountWords } from '#web/domain/auth/account-rules.ts';
import { newPasswordProblems, guessedPassword } from '#web/domain/account/new-password-fields.tsx';
import { useForm } from '#web/platform/form/use-form.ts';
import { onlyProblems, say } from '#web/platform/form/words.ts';
import { expireSession } from '#web/domain/auth/leave.ts';
import { deviceTokenKey } from '#web/platform/session/storage/sign-in-keys.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

const empty = { currentPassword: '', password: '', repeated: '' };
type Values = Readonly<typeof empty>;

const currentMissing = say(msg`Enter your current password`);

function check(values: Values) {
  return {
    ...onlyProblems({ currentPassword: values.currentPassword === '' && currentMissing }),
    ...newPasswordProblems(values),
  };
}

/**
 * Changes the password. The server ends every session, so this one is left at once, and the login page explains why.
 */
export function useChangePassword() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const change = useApiMutation(changePassword, {
    onSuccess: async ({ deviceToken }) => {
      if (deviceToken) deviceTokenKey.set(deviceToken);
      // First the session: the login page redirects a customer who is still logged in.
      expireSession(client);
      await navigate({ to: '/login', search: { reason: 'passwordChanged' }, replace: true });
    },
    errors: { invalidRequest: guessedPassword },
    message: accountWords,
  });
  return useForm<Values>({
    initial: empty,
    check,
    submit: async ({ currentPassword, password: newPassword }) =>
      (await change.send({ body: { currentPassword, newPassword } })).refusal,
  });
}
