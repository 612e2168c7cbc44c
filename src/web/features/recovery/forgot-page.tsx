import { Trans } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import type { ReactNode } from 'react';
import styles from '#web/domain/auth/auth-form.module.css';
import { safeReturnPath } from '#web/platform/entry/return-path.ts';
import { useSession } from '#web/platform/session/session.ts';
import { Alert } from '#web/ui/alert.tsx';
import { OwnPassword } from './own-password.tsx';
import { useForgot, type Forgot } from './use-forgot.ts';
import { AccountName } from '#web/domain/account/names.tsx';
import { AccountFields } from '#web/domain/auth/account-fields.tsx';
import { SubmitButton } from '#web/domain/auth/submit-button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Button } from '#web/ui/button.tsx';
import { useWaitingButton } from '#web/platform/entry/use-waiting-button.ts';
import { MailSent } from '#web/domain/auth/mail-sent.tsx';

interface ForgotPageProps {
  /** a path of the storefront; anything else is ignored */
  returnTo?: string | undefined;
  /** `upgrade`: a purchase asks for a new password first (`resetPasswordFirst`) */
  reason?: string | undefined;
}

/** /forgot-password and /lost-password: how to set a new password. */
export function ForgotPage({ returnTo, reason }: ForgotPageProps) {
  const user = useSession();
  const due = reason === 'upgrade';
  return (
    <div className={styles.page}>
      {user ? (
        <>
          <Head due={due} />
          <OwnPassword user={user} returnTo={returnTo} />
        </>
      ) : (
        <Forgotten returnTo={returnTo} due={due} />
      )}
      <BackLink returnTo={returnTo} signedIn={user !== null} due={due} />
    </div>
  );
}

/** The form is mounted only while it is needed. */
function Forgotten({ returnTo, due }: Omit<WayBackProps, 'signedIn'>) {
  const forgot = useForgot(returnTo);
  const asks = !forgot.mail.sent;
  return (
    <>
      <Head due={due && asks}>
        {asks ? <Trans>Enter your email or phone number and we’ll send you a link or a code.</Trans> : null}
      </Head>
      <ForgottenPassword forgot={forgot} />
    </>
  );
}

function Head({ due, children }: { due: boolean; children?: ReactNode }) {
  return (
    <>
      <header className={styles.head}>
        <h1 className={styles.title}>
          <Trans>Reset your password</Trans>
        </h1>
        {children ? <p>{children}</p> : null}
      </header>
      {due ? (
        <Alert tone="info">
          <Trans>
            We’ve made accounts more secure, so please choose a new password before you buy. You only need to do this
            once.
          </Trans>
        </Alert>
      ) : null}
    </>
  );
}

interface WayBackProps {
  returnTo: string | undefined;
  signedIn: boolean;
  /** the purchase would only lead here again */
  due: boolean;
}

function BackLink({ returnTo, signedIn, due }: WayBackProps) {
  if (!signedIn) {
    return (
      <p className={styles.other}>
        <Link to="/login" search={{ return: returnTo }}>
          <Trans>Back to login</Trans>
        </Link>
      </p>
    );
  }
  return (
    <p className={styles.other}>
      {due ? (
        <Link to="/pricing-table">
          <Trans>See plans</Trans>
        </Link>
      ) : (
        <Link to={safeReturnPath(returnTo) ?? '/account'}>
          <Trans>Back</Trans>
        </Link>
      )}
    </p>
  );
}

/** The account, and how to send the code or link; the result is the same for every account. */
function ForgottenPassword({ forgot }: { forgot: Forgot }) {
  const { mail } = forgot;
  if (!mail.sent) return <ForgottenForm forgot={forgot} />;
  // unmasked, as typed here, so that a typing error is noticed
  const address = <AccountName account={mail.sent.email} />;
  return (
    <MailSent request={mail} onOther={mail.forget}>
      <Trans>If {address} has an account, we’ve sent it an email with a link.</Trans>
    </MailSent>
  );
}

function ForgottenForm({ forgot }: { forgot: Forgot }) {
  const { form, account, mail, code } = forgot;
  const problem = form.summary ?? code.problem;
  return (
    <form className={styles.form} {...form.formProps} data-plain>
      <Problem>{problem}</Problem>
      <AccountFields form={form} account={account} problem={code.accountProblem} />
      {mail.captcha.view}
      {code.captcha.view}
      <SubmitButtons forgot={forgot} />
    </form>
  );
}

/** The Enter key submits by the first button. */
function SubmitButtons({ forgot }: { forgot: Forgot }) {
  const { form, account, sendCodeInstead } = forgot;
  const waiting = useWaitingButton('code');
  if (account.tab === 'phone') {
    return (
      <SubmitButton busy={form.isSubmitting}>
        <Trans>Send me a code</Trans>
      </SubmitButton>
    );
  }
  return (
    <>
      <SubmitButton busy={form.isSubmitting}>
        <Trans>Send me a link</Trans>
      </SubmitButton>
      <Button variant="secondary" wide busy={form.isSubmitting} {...waiting} onClick={sendCodeInstead}>
        <Trans>Send me a code</Trans>
      </Button>
    </>
  );
}
