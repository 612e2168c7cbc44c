import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import styles from '#web/domain/auth/auth-form.module.css';
import { AskConfirmation } from './ask-confirmation.tsx';
import { ConfirmEmail } from './confirm-email.tsx';
import { LinkGone } from './link-gone.tsx';
import { clearMailToken, mailTokenOf } from './mail-token.ts';

/** /resend-confirm: confirms the address of an email link, or sends that email again. */
export function ConfirmPage() {
  const token = mailTokenOf('confirm');
  const [gone, setGone] = useState(false);
  const dropLink = () => {
    clearMailToken();
    setGone(true);
  };
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>
          <Trans>Confirm your email</Trans>
        </h1>
        <p>
          <Trans>So that receipts and a new password always reach you.</Trans>
        </p>
      </header>
      {gone ? (
        <LinkGone>
          <Trans>It was used already, is too old, or a newer one was sent. We can send you another.</Trans>
        </LinkGone>
      ) : null}
      {token ? <ConfirmEmail token={token} onGone={dropLink} /> : <AskConfirmation />}
      <p className={styles.other}>
        <Link to="/login">
          <Trans>Log in</Trans>
        </Link>
      </p>
    </div>
  );
}
