import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useGoOnWhenSignedIn } from '../../domain/auth/enter.ts';
import styles from '../../domain/auth/auth-form.module.css';
import { useSession } from '../../platform/session/session.ts';
import { useAccountTab } from '../../domain/auth/use-account-tab.ts';
import { Alert } from '../../ui/alert.tsx';
import { late } from '../../ui/late.tsx';
import { PasswordLogin } from './password-login.tsx';
import { isNumber, useWay } from './use-way.ts';
import type { Elements } from '../../ui/elements.ts';

/** Fetched at once, so that it is there when the form is; only nothing waits for it. */
const loading = import('./other-ways.tsx');

/** The server writes them into the page, and the browser takes them over after the form, whose script they would hold up. */
const OtherWays = late(() => loading.then((ways) => ways.OtherWays));
const PasskeySlot = late(() => loading.then((ways) => ways.PasskeySlot));

/** `memo`: drawing it again before the browser has taken it over would throw away what the server wrote. */
const OtherWaysSlot = memo(function OtherWaysSlot({ returnTo }: { returnTo: string | undefined }) {
  return <OtherWays returnTo={returnTo} />;
});

interface LoginPageProps {
  /** a path of the storefront; anything else is ignored */
  returnTo?: string | undefined;
  /** `expired`: the session ended by itself; `passwordChanged`: with all others, by the customer; `checkoutOnly`: it opens one checkout */
  reason?: string | undefined;
  /** an account that a link brought along */
  account?: string | undefined;
  /** what is to be said first: why a link or another provider did not sign in */
  before?: Elements;
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
          <Trans>Your password is changed, and your passkeys are removed. Please log in again.</Trans>
        </Alert>
      ) : null}
      {reason === 'checkoutOnly' ? <CheckoutOnly /> : null}
      <LoginForm returnTo={returnTo} expired={reason === 'expired'} account={account} />
    </div>
  );
}

/** Of a phone that was handed a checkout, and has gone somewhere else. */
function CheckoutOnly() {
  const planId = useSession()?.onlyPlanId;
  if (planId === undefined) return null;
  return (
    <Alert
      tone="info"
      action={
        <Link to="/payment" search={{ planId }}>
          <Trans>Back to the payment</Trans>
        </Link>
      }
    >
      <Trans>This phone is logged in for one payment only. Log in to see more of your account.</Trans>
    </Alert>
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
