import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useContinueWhenSignedIn } from '#web/domain/auth/enter.ts';
import styles from '#web/domain/auth/auth-form.module.css';
import { useAccountTab } from '#web/domain/auth/use-account-tab.ts';
import { withWords } from '#web/platform/i18n/catalogs.ts';
import { late } from '#web/ui/late.tsx';
import { PasswordLogin } from './password-login.tsx';
import { isNumber, useWay } from './use-login-method.ts';
import type { Elements } from '#web/ui/elements.ts';

/** Starts loading at once, in parallel with the form. */
const loading = import('./other-login-methods.tsx');

/** Rendered by the server, and hydrated after the form, whose script they would delay. */
const OtherWays = late(() => loading.then((ways) => ways.OtherWays));
const PasskeySlot = late(() => loading.then((ways) => ways.PasskeySlot));

/** Rarely shown, and its messages are in another catalogue. */
const LoginNotice = late(async () => (await withWords('private', import('./login-notice.tsx'))).LoginNotice);

/** `memo`: a new rendering before hydration would discard the server's HTML. */
const OtherWaysSlot = memo(function OtherWaysSlot({ returnTo }: { returnTo: string | undefined }) {
  return <OtherWays returnTo={returnTo} />;
});

interface LoginPageProps {
  /** a path of the storefront; anything else is ignored */
  returnTo?: string | undefined;
  /**
   * `expired`: the session expired; `passwordChanged`: the customer ended it with all others; `checkout`: it is for one
   * checkout only
   */
  reason?: string | undefined;
  /** an account in the link */
  account?: string | undefined;
  /** a message above the form: why a link or another provider did not log in */
  before?: Elements;
}

export function LoginPage({ returnTo, reason, account = '', before }: LoginPageProps) {
  const leaving = useContinueWhenSignedIn(returnTo, '/account');
  return (
    <div className={styles.page} inert={leaving}>
      <header className={styles.head}>
        <h1 className={styles.title}>
          <Trans>Log in</Trans>
        </h1>
      </header>
      {before}
      {reason && reason !== 'expired' ? <LoginNotice reason={reason} /> : null}
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
  const way = useWay(prefilled);
  const account = useAccountTab({ first: isNumber(prefilled) ? 'phone' : undefined, byPassword: !way.CodeLogin });
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
      <PasskeySlot />
    </>
  );
}
