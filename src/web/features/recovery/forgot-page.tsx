import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import styles from '../../account-form/auth-form.module.css';
import { safeReturnPath } from '../../entry/return-path.ts';
import { useSession } from '../../session/session.ts';
import { Alert } from '../../ui/alert.tsx';
import { ForgottenPassword } from './forgotten-password.tsx';
import { OwnPassword } from './own-password.tsx';

interface ForgotPageProps {
  /** a path of the storefront; anything else is ignored */
  returnTo?: string | undefined;
  /** `upgrade`: a purchase asks for a new password first (2500) */
  reason?: string | undefined;
}

/** /forgot-password and /lost-password: how to get to a new password. */
export function ForgotPage({ returnTo, reason }: ForgotPageProps) {
  const user = useSession();
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>
          <Trans>Reset your password</Trans>
        </h1>
        {user ? null : (
          <p>
            <Trans>Tell us your account, and we send you a way to choose a new one.</Trans>
          </p>
        )}
      </header>
      {reason === 'upgrade' ? (
        <Alert tone="info">
          <Trans>We have made accounts safer, so please choose a new password once before you buy.</Trans>
        </Alert>
      ) : null}
      {user ? <OwnPassword user={user} returnTo={returnTo} /> : <ForgottenPassword returnTo={returnTo} />}
      <WayBack returnTo={returnTo} signedIn={user !== null} due={reason === 'upgrade'} />
    </div>
  );
}

interface WayBackProps {
  returnTo: string | undefined;
  signedIn: boolean;
  /** the purchase would only lead here again */
  due: boolean;
}

function WayBack({ returnTo, signedIn, due }: WayBackProps) {
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
