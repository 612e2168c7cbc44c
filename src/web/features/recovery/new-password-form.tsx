import { Trans } from '@lingui/react/macro';
import { emailResetPassword } from '../../../contract/email.ts';
import { accountDraft } from '../../account-form/account-draft.ts';
import styles from '../../account-form/auth-form.module.css';
import { newPasswordProblems } from '../../identity/password-rules.ts';
import { SubmitButton } from '../../account-form/submit-button.tsx';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { ownedBy, refusalOf } from '../../form/refusal.ts';
import { useForm } from '../../form/use-form.ts';
import { guessedPassword } from '../../identity/guessed-password.ts';
import { NewPasswordFields } from '../../identity/new-password-fields.tsx';
import { waitWords } from '../../identity/wait-words.ts';
import { Problem } from '../../ui/problem.tsx';
import { usernameFor } from './username-for.ts';
import { useAfterReset } from './use-after-reset.ts';

const owned = ownedBy(emailResetPassword.errors);
const emptyPasswords = { password: '', repeated: '' };

interface NewPasswordFormProps {
  token: string;
  /** whose password it is, masked by the server */
  email: string;
  returnTo: string | undefined;
  onGone: () => void;
}

/** The new password of the account that the link was sent to. */
export function NewPasswordForm({ email, ...rest }: NewPasswordFormProps) {
  const form = useNewPassword(rest);
  const username = usernameFor(email, accountDraft.get()?.account);
  return (
    <form className={styles.form} {...form.formProps}>
      <p>
        <Trans>
          For <strong>{email}</strong>
        </Trans>
      </p>
      <Problem>{form.summary}</Problem>
      {username ? <input type="text" name="username" autoComplete="username" value={username} readOnly hidden /> : null}
      <NewPasswordFields text={form.text} />
      <SubmitButton busy={form.busy}>
        <Trans>Change password</Trans>
      </SubmitButton>
    </form>
  );
}

function useNewPassword({ token, returnTo, onGone }: Omit<NewPasswordFormProps, 'email'>) {
  const afterReset = useAfterReset(returnTo);
  return useForm({
    initial: emptyPasswords,
    check: newPasswordProblems,
    submit: async ({ password }) => {
      try {
        await call(emailResetPassword, { body: { token, password } }, { owns: owned });
      } catch (error) {
        if (error instanceof ApiError && error.code === 10302) onGone();
        const place = { fields: { password: 'password' }, owned, words: waitWords } as const;
        return guessedPassword(error) ?? refusalOf<typeof emptyPasswords>(error, place);
      }
      await afterReset();
      return undefined;
    },
  });
}
