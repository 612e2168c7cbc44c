import { msg } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { changePassword } from '#contract/account.ts';
import { accountWords } from '#web/domain/auth/account-rules.ts';
import { newPasswordProblems, guessedPassword } from '#web/domain/account/new-password-fields.tsx';
import { call } from '#web/platform/api/client.ts';
import type { Refusal } from '#web/platform/form/form-state.ts';
import { ownedBy, refusalOf } from '#web/platform/form/refusal.ts';
import { useForm } from '#web/platform/form/use-form.ts';
import { onlyProblems, say } from '#web/platform/form/words.ts';
import { expireSession } from '#web/domain/auth/leave.ts';
import { deviceTokenKey } from '#web/platform/session/storage/sign-in-keys.ts';

const empty = { currentPassword: '', password: '', repeated: '' };
type Values = Readonly<typeof empty>;

const currentMissing = say(msg`Enter your current password`);
const owned = ownedBy(changePassword.errors);

function check(values: Values) {
  return {
    ...onlyProblems({ currentPassword: values.currentPassword === '' && currentMissing }),
    ...newPasswordProblems(values),
  };
}

async function send({ currentPassword, password }: Values): Promise<Refusal<Values> | undefined> {
  try {
    const body = { currentPassword, newPassword: password };
    const { deviceToken } = await call(changePassword, { body }, { handledErrors: owned });
    if (deviceToken) deviceTokenKey.set(deviceToken);
    return undefined;
  } catch (error) {
    const place = { fields: { password: 'currentPassword' }, owned, words: accountWords } as const;
    return guessedPassword(error) ?? refusalOf<Values>(error, place);
  }
}

/** The change of the password. The server ends every session, so this one is left at once, and the login says why. */
export function useChangePassword() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useForm<Values>({
    initial: empty,
    check,
    submit: async (values) => {
      const refusal = await send(values);
      if (refusal) return refusal;
      // First the session: the login page sends on whoever is still signed in.
      expireSession(client);
      await navigate({ to: '/login', search: { reason: 'passwordChanged' }, replace: true });
      return undefined;
    },
  });
}
