import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { useEffect, useState } from 'react';
import { useContinueWhenSignedIn, completeSignIn } from '#web/domain/auth/complete-sign-in.ts';
import styles from '#web/domain/auth/auth-form.module.css';
import { currentGoogleNotice, setGoogleNotice } from '#web/domain/auth/google-notice.ts';
import { consumeGoogleTicket, currentGoogleTicket, type GoogleTicket } from '#web/domain/auth/google-state.ts';
import {
  type Entry,
  type Person,
  type RegisterStep,
  nicknameFrom,
  personProblems,
  signupExtras,
} from './register-rules.ts';
import { GoogleButton, useGoogleClient } from '#web/domain/auth/google-button.tsx';
import { PhoneBeside } from '#web/domain/auth/phone-beside.tsx';
import { SubmitButton } from '#web/domain/auth/submit-button.tsx';
import { SendAgain } from '#web/domain/auth/mail-sent.tsx';
import { useAccountTab } from '#web/domain/auth/use-account-tab.ts';
import { useFirstField } from '#web/domain/auth/codes/code-field.tsx';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { OrDivider } from '#web/ui/or-divider.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { AccountStep, CodeStep, PasswordStep, Nickname } from './register-steps.tsx';
import { useRegister } from './use-register.ts';
import { Agreement } from '#web/domain/account/agreement.tsx';
import own from './register.module.css';
import { googleSignup } from '#contract/sign-on.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { useForm } from '#web/platform/form/use-form.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { codeErrorMessage } from '#web/domain/auth/codes/use-code.ts';
import type { LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

const LoginNotice = lazyPart(async () => (await import('#web/domain/auth/login-notice.tsx')).LoginNotice);

interface RegisterPageProps {
  /** a path of the storefront; anything else is ignored */
  returnTo?: string | undefined;
  entry?: Entry | undefined;
  /** `needed`: the page to return to needs an account */
  reason?: string | undefined;
}

export function RegisterPage({ returnTo, entry, reason }: RegisterPageProps) {
  const leaving = useContinueWhenSignedIn(returnTo, '/pricing-table');
  const google = useGoogleTicket();
  return (
    <div className={styles.page} inert={leaving}>
      {google ? (
        <GoogleSignup {...google} returnTo={returnTo} entry={entry} />
      ) : (
        <RegisterForm returnTo={returnTo} entry={entry} reason={reason} />
      )}
      <LogIn returnTo={returnTo} reason={reason} />
      {google ? null : <PhoneBeside isSignup />}
    </div>
  );
}

function LogIn({ returnTo, reason }: Pick<RegisterPageProps, 'returnTo' | 'reason'>) {
  return (
    <p className={styles.other}>
      <Trans>
        Already have an account?{' '}
        <Link to="/login" search={{ return: returnTo, reason }}>
          Log in
        </Link>
      </Trans>
    </p>
  );
}

/** The ticket while this page is open; it is cleared when the page is left. */
function useGoogleTicket() {
  const [ticket] = useState(currentGoogleTicket);
  useEffect(() => () => void consumeGoogleTicket(), []);
  return ticket;
}

interface RegisterFormProps {
  returnTo: string | undefined;
  entry: Entry | undefined;
  reason: string | undefined;
}

/**
 * One form on one screen: each question unfolds below the previous one, so that the account stays editable, and a
 * password manager finds the username.
 */
function RegisterForm({ returnTo, entry, reason }: RegisterFormProps) {
  const account = useAccountTab();
  const register = useRegister({ tab: account.tab, entry });
  const { form, step, code } = register;
  const begins = step === 'account' || step === 'whole';
  const byPhone = account.tab === 'phone';
  useFirstField(step, form.formProps.ref);
  return (
    <>
      <Head step={step} />
      {reason && begins ? <LoginNotice reason={reason} returnTo={returnTo} /> : null}
      <GoogleProblem />
      {begins ? <GoogleFirst returnTo={returnTo} /> : null}
      <Problem>{form.summary}</Problem>
      <form className={styles.form} {...form.formProps}>
        <AccountStep register={register} account={account} returnTo={returnTo} />
        {step === 'code' ? <CodeStep register={register} byPhone={byPhone} /> : null}
        {step === 'password' || step === 'whole' ? <PasswordStep register={register} byPhone={byPhone} /> : null}
        <Problem>{code.problem}</Problem>
        {code.captcha.view}
        <SubmitButton busy={form.isSubmitting}>
          {step === 'password' || step === 'whole' ? <Trans>Create account</Trans> : <Trans>Continue</Trans>}
        </SubmitButton>
        {step === 'code' ? <SendAgain code={code} onTap={register.sendAgain} /> : null}
      </form>
    </>
  );
}

function Head({ step }: { step: RegisterStep }) {
  return (
    <header className={styles.head}>
      <h1 className={styles.title}>
        <Trans>Create your account</Trans>
      </h1>
      <p>
        <Introduction step={step} />
      </p>
    </header>
  );
}

function Introduction({ step }: { step: RegisterStep }) {
  if (step === 'code') return <Trans>Enter the 4-digit code we sent you.</Trans>;
  if (step === 'password') return <Trans>One last step and your account is ready.</Trans>;
  return <Trans>One account for your plan, orders and receipts.</Trans>;
}

/** Why the visitor is back from Google without an account; it is cleared when the page is left. */
function GoogleProblem() {
  const { i18n } = useLingui();
  const [notice] = useState(currentGoogleNotice);
  useEffect(() => () => setGoogleNotice(undefined), []);
  if (!notice) return null;
  return (
    <Alert tone={notice.tone} live={notice.tone === 'info' ? 'polite' : 'assertive'}>
      {notice.words(i18n)}
    </Alert>
  );
}

/** First, because it needs no typing. */
function GoogleFirst({ returnTo }: Pick<RegisterFormProps, 'returnTo'>) {
  const client = useGoogleClient();
  if (!client) return null;
  return (
    <div className={styles.ways}>
      <GoogleButton client={client} returnTo={returnTo} />
      <OrDivider>
        <Trans>or</Trans>
      </OrDivider>
    </div>
  );
}

/** The rest of a sign-up after Google has verified the address. `over`: the ticket is invalid. */
function useGoogleSignup({ ticket, name }: GoogleTicket, entry: Entry | undefined) {
  const language = useLanguage();
  const [over, setOver] = useState(false);
  const isOver = (_error: CallError, message: LocalizedMessage) => {
    setOver(true);
    return message;
  };
  const signup = useApiMutation(googleSignup, {
    onSuccess: (user) => completeSignIn(user, 'register', 'google'),
    errors: { accountExists: isOver, loginFailedRefresh: isOver },
    message: codeErrorMessage,
  });
  const submit = async (person: Person) => {
    const body = { ticket, agreePolicy: true, language, ...signupExtras(person, entry) } as const;
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
function GoogleSignup({ returnTo, entry, ...ticket }: GoogleSignupProps) {
  const { form, over } = useGoogleSignup(ticket, entry);
  const client = useGoogleClient();
  return (
    <>
      <header className={styles.head}>
        <h1 className={styles.title}>
          <Trans>Create your account</Trans>
        </h1>
        <p>
          <Trans>One last step and your account is ready.</Trans>
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
