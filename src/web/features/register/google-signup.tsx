import { Trans } from '@lingui/react/macro';
import styles from '#web/domain/auth/auth-form.module.css';
import { GoogleButton, useGoogleClient } from '#web/domain/auth/google-button.tsx';
import type { GoogleTicket } from '#web/domain/auth/google-state.ts';
import { SubmitButton } from '#web/domain/auth/submit-button.tsx';
import { Agreement } from '#web/domain/account/agreement.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { type Entry, nicknameFrom, personProblems, told, type Person } from './register-rules.ts';
import own from './register.module.css';
import { Nickname } from './register-steps.tsx';
import { useState } from 'react';
import { googleSignup } from '#contract/sign-on.ts';
import { completeSignIn } from '#web/domain/auth/enter.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { useForm } from '#web/platform/form/use-form.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { codeWords } from '#web/domain/auth/codes/code-words.ts';
import type { Words } from '#web/platform/form/words.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

/** The rest of a sign-up after Google has verified the address. `over`: the ticket is invalid. */
function useGoogleSignup({ ticket, name }: GoogleTicket, entry: Entry | undefined) {
  const language = useLanguage();
  const [over, setOver] = useState(false);
  const isOver = (_error: CallError, message: Words) => {
    setOver(true);
    return message;
  };
  const signup = useApiMutation(googleSignup, {
    onSuccess: (user) => completeSignIn(user, 'register', 'google'),
    errors: { accountExists: isOver, loginFailedRefresh: isOver },
    message: codeWords,
  });
  const submit = async (person: Person) => {
    const body = { ticket, agreePolicy: true, language, ...told(person, entry) } as const;
    return (await signup.send({ body })).refusal;
  };
  const form = useForm<Person>({
    initial: { nickname: nicknameFrom(name), agreed: false },
    check: personProblems,
    submit,
  });
  return { form, over };
}

interface GoogleSignupProps extends GoogleTicket {
  returnTo: string | undefined;
  entry?: Entry | undefined;
}

/** Completes a sign-up with Google: a customer has to agree to the terms. */
export function GoogleSignup({ returnTo, entry, ...ticket }: GoogleSignupProps) {
  const { form, over } = useGoogleSignup(ticket, entry);
  const client = useGoogleClient();
  return (
    <>
      <header className={styles.head}>
        <h1 className={styles.title}>
          <Trans>Create your account</Trans>
        </h1>
        <p>
          <Trans>One last step, and your account is ready.</Trans>
        </p>
      </header>
      <Problem>{form.summary}</Problem>
      <form className={styles.form} {...form.formProps}>
        <p className={own.who}>
          <span>
            <Trans>Confirmed by Google</Trans>
          </span>
          <b>{ticket.email}</b>
        </p>
        <Nickname {...form.register('nickname')} />
        <Agreement {...form.register('agreed')} />
        {over && client ? (
          <GoogleButton client={client} returnTo={returnTo} />
        ) : (
          <SubmitButton busy={form.isSubmitting}>
            <Trans>Create account</Trans>
          </SubmitButton>
        )}
      </form>
    </>
  );
}
