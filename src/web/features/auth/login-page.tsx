import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useGoOnWhenSignedIn } from '../../account-form/after-login.ts';
import styles from '../../account-form/auth-form.module.css';
import { useAccountTab } from '../../account-form/use-account-tab.ts';
import { Alert } from '../../ui/alert.tsx';
import { OtherWaysSlot } from './other-ways-slot.tsx';
import { PasswordLogin } from './password-login.tsx';
import { isNumber, useWay } from './use-way.ts';

interface LoginPageProps {
  /** a path of the storefront; anything else is ignored */
  returnTo?: string | undefined;
  /** `expired`: the session ended by itself; `passwordChanged`: with all others, by the customer */
  reason?: string | undefined;
  /** an account that a link brought along */
  account?: string | undefined;
  /** what is to be said first: why a link or another provider did not sign in */
  before?: ReactNode;
}

export function LoginPage({ returnTo, reason, account = '', before }: LoginPageProps) {
  const leaving = useGoOnWhenSignedIn(returnTo, '/account');
  return (
    <div className={styles.page} inert={leaving}>
      <header className={styles.head}>
        <h1 className={styles.title}>
          <Trans>Log in</Trans>
        </h1>
      </header>
      {before}
      {reason === 'passwordChanged' ? (
        <Alert tone="success">
          <Trans>Your password is changed. Please log in again.</Trans>
        </Alert>
      ) : null}
      <LoginForm returnTo={returnTo} expired={reason === 'expired'} account={account} />
    </div>
  );
}

interface LoginFormProps {
  returnTo: string | undefined;
  expired: boolean;
  account: string;
}

function LoginForm({ returnTo, expired, account: prefilled }: LoginFormProps) {
  const account = useAccountTab(isNumber(prefilled) ? 'phone' : undefined);
  const way = useWay(prefilled);
  const shared = { start: way.start, account };
  return (
    <>
      {way.CodeLogin ? (
        <way.CodeLogin {...shared} onPassword={way.toPassword} />
      ) : (
        <PasswordLogin {...shared} returnTo={returnTo} expired={expired} onCode={way.toCode} />
      )}
      <OtherWaysSlot returnTo={returnTo} />
      <p className={styles.other}>
        <Trans>
          New here?{' '}
          <Link to="/register" search={{ return: returnTo }}>
            Create account
          </Link>
        </Trans>
      </p>
    </>
  );
}
