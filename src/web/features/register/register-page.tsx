import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useContinueWhenSignedIn } from '#web/domain/auth/enter.ts';
import styles from '#web/domain/auth/auth-form.module.css';
import { currentGoogleTicket, consumeGoogleTicket } from '#web/domain/auth/google-state.ts';
import { GoogleSignup } from './google-signup.tsx';
import type { Entry } from './register-rules.ts';
import { RegisterForm } from './register-form.tsx';

interface RegisterPageProps {
  /** a path of the storefront; anything else is ignored */
  returnTo?: string | undefined;
  entry?: Entry | undefined;
}

export function RegisterPage({ returnTo, entry }: RegisterPageProps) {
  const leaving = useContinueWhenSignedIn(returnTo, '/pricing-table');
  const google = useGoogleTicket();
  return (
    <div className={styles.page} inert={leaving}>
      {google ? (
        <GoogleSignup {...google} returnTo={returnTo} entry={entry} />
      ) : (
        <RegisterForm returnTo={returnTo} entry={entry} />
      )}
      <LogIn returnTo={returnTo} />
    </div>
  );
}

function LogIn({ returnTo }: Pick<RegisterPageProps, 'returnTo'>) {
  return (
    <p className={styles.other}>
      <Trans>
        Already with us?{' '}
        <Link to="/login" search={{ return: returnTo }}>
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
