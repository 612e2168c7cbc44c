import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from '#web/domain/auth/auth-form.module.css';
import { safeReturnPath } from '#web/platform/entry/return-path.ts';
import { useSession } from '#web/platform/session/session.ts';
import { Alert } from '#web/ui/alert.tsx';
import { ForgottenPassword } from './forgotten-password.tsx';
import { OwnPassword } from './own-password.tsx';
import { useForgot } from './use-forgot.ts';

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
        {asks ? <Trans>Enter your email or phone number, and we will send you a link or a code.</Trans> : null}
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
          <Trans>We have made accounts safer, so please choose a new password once before you buy.</Trans>
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
          <Trans>See the plans</Trans>
        </Link>
      ) : (
        <Link to={safeReturnPath(returnTo) ?? '/account'}>
          <Trans>Back</Trans>
        </Link>
      )}
    </p>
  );
}
