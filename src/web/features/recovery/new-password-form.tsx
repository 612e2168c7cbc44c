import { Trans } from '@lingui/react/macro';
import { emailResetPassword } from '#contract/email.ts';
import { accountDraft } from '#web/domain/auth/account-rules.ts';
import styles from '#web/domain/auth/auth-form.module.css';
import {
  newPasswordProblems,
  NewPasswordFields,
  commonPasswordRefusal,
} from '#web/domain/account/new-password-fields.tsx';
import { KnownUsername } from '#web/domain/auth/known-username.tsx';
import { SubmitButton } from '#web/domain/auth/submit-button.tsx';
import { useForm } from '#web/platform/form/use-form.ts';
import { waitMessage } from '#web/domain/auth/codes/use-code.ts';
import { Problem } from '#web/ui/problem.tsx';
import { useAfterReset } from './mail-token.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';
import type { ReactNode } from 'react';
import { Alert } from '#web/ui/alert.tsx';

/**
 * The username for a password manager: one that was typed on this device and matches the masked name of the server. A
 * masked name would be saved and be useless.
 */
export function usernameFor(shown: string, typed: string | undefined): string | undefined {
  const same = typed !== undefined && typed !== '' && shown.includes('@') && ends(typed) === ends(shown);
  return same ? typed : undefined;
}

const ends = (address: string) => `${address.slice(0, 1)}${address.slice(address.lastIndexOf('@'))}`.toLowerCase();

const emptyPasswords = { password: '', repeated: '' };

interface NewPasswordFormProps {
  token: string;
  /** the account, masked by the server */
  email: string;
  returnTo: string | undefined;
  onLinkExpired: () => void;
}

/** The form for a new password of the account that the link was sent to. */
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
      {username ? <KnownUsername value={username} /> : null}
      <NewPasswordFields register={form.register} />
      <SubmitButton busy={form.isSubmitting}>
        <Trans>Change password</Trans>
      </SubmitButton>
    </form>
  );
}

function useNewPassword({ token, returnTo, onLinkExpired }: Omit<NewPasswordFormProps, 'email'>) {
  const afterReset = useAfterReset(returnTo);
  const reset = useApiMutation(emailResetPassword, {
    onSuccess: afterReset,
    errors: {
      invalidRequest: commonPasswordRefusal,
      linkGone: (_error, message) => {
        onLinkExpired();
        return message;
      },
    },
    message: waitMessage,
  });
  return useForm({
    initial: emptyPasswords,
    check: newPasswordProblems,
    submit: async ({ password }) => (await reset.send({ body: { token, password } })).refusal,
  });
}

/** The email link is used up or expired (`linkGone`); alternatives are below. */
export function LinkGone({ children }: { children: ReactNode }) {
  return (
    <Alert tone="warning" live="assertive" title={<Trans>This link is no longer available</Trans>}>
      {children}
    </Alert>
  );
}
