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

/** Fetched at once, so that it is there when the form is; only nothing waits for it. */
const loading = import('./other-login-methods.tsx');

/** The server writes them into the page, and the browser takes them over after the form, whose script they would hold up. */
const OtherWays = late(() => loading.then((ways) => ways.OtherWays));
const PasskeySlot = late(() => loading.then((ways) => ways.PasskeySlot));

/** Few see it, and its words are of another part. */
const LoginNotice = late(async () => (await withWords('private', import('./login-notice.tsx'))).LoginNotice);

/** `memo`: drawing it again before the browser has taken it over would throw away what the server wrote. */
const OtherWaysSlot = memo(function OtherWaysSlot({ returnTo }: { returnTo: string | undefined }) {
  return <OtherWays returnTo={returnTo} />;
});

interface LoginPageProps {
  /** a path of the storefront; anything else is ignored */
  returnTo?: string | undefined;
  /** `expired`: the session ended by itself; `passwordChanged`: with all others, by the customer; `checkout`: the session is for one */
  reason?: string | undefined;
  /** an account that a link brought along */
  account?: string | undefined;
  /** what is to be said first: why a link or another provider did not sign in */
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
