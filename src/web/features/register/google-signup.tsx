import { Trans, useLingui } from '@lingui/react/macro';
import styles from '../../account-form/auth-form.module.css';
import { GoogleButton, useGoogleClient } from '../../account-form/google-button.tsx';
import type { GoogleTicket } from '../../account-form/google-ticket.ts';
import { SubmitButton } from '../../account-form/submit-button.tsx';
import { Agreement } from '../../identity/agreement.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Field } from '../../ui/field.tsx';
import type { Entry } from './register-rules.ts';
import own from './register.module.css';
import { useGoogleSignup } from './use-google-signup.ts';

interface GoogleSignupProps extends GoogleTicket {
  returnTo: string | undefined;
  entry?: Entry | undefined;
}

/** The rest of a sign-up that began with Google: nobody becomes a customer without having agreed to the terms. */
export function GoogleSignup({ returnTo, entry, ...ticket }: GoogleSignupProps) {
  const { t } = useLingui();
  const { form, over } = useGoogleSignup(ticket, entry);
  const client = useGoogleClient();
  return (
    <>
      <Problem>{form.summary}</Problem>
      <form className={styles.form} {...form.formProps}>
        <p className={own.who}>
          <span>
            <Trans>Confirmed by Google</Trans>
          </span>
          <b>{ticket.email}</b>
        </p>
        <Field
          {...form.text('nickname')}
          label={t`Nickname (optional)`}
          autoComplete="nickname"
          enterKeyHint="done"
          maxLength={40}
        />
        <Agreement {...form.tick('agreed')} />
        {over && client ? (
          <GoogleButton client={client} returnTo={returnTo} />
        ) : (
          <SubmitButton busy={form.busy}>
            <Trans>Create account</Trans>
          </SubmitButton>
        )}
      </form>
    </>
  );
}
