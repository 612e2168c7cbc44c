import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import styles from '#web/domain/auth/auth-form.module.css';
import { mailTokenOf } from './mail-token.ts';
import { ResetByCode } from './reset-by-code.tsx';
import { ResetByMail } from './reset-by-mail.tsx';

interface ResetPageProps {
  /** a path of the storefront that the login leads back to */
  returnTo: string | undefined;
}

/** /reset-password: sets a new password by an email link or by a code. */
export function ResetPage({ returnTo }: ResetPageProps) {
  const [token] = useState(() => mailTokenOf('reset'));
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>
          <Trans>Choose a new password</Trans>
        </h1>
      </header>
      {token ? <ResetByMail token={token} returnTo={returnTo} /> : <ResetByCode returnTo={returnTo} />}
      <p className={styles.other}>
        <Link to="/login" search={{ return: returnTo }}>
          <Trans>Back to login</Trans>
        </Link>
      </p>
    </div>
  );
}
