import { Trans } from '@lingui/react/macro';
import { redirect } from '@tanstack/react-router';
import { Link } from '#web/platform/brand/link.tsx';
import { useSession } from '#web/platform/session/session.ts';
import { deviceTokenKey } from '#web/platform/session/storage/sign-in-keys.ts';
import { Alert } from '#web/ui/alert.tsx';

interface LoginNoticeProps {
  reason: string;
  /** the page after the login */
  returnTo: string | undefined;
}

/** Explains why the login or the sign-up is shown instead of another page. Shows nothing for an unknown `reason`. */
export function LoginNotice({ reason, returnTo }: LoginNoticeProps) {
  if (reason === 'needed') return <LoginNeeded buys={returnTo?.startsWith('/payment?') === true} />;
  if (reason === 'checkout') return <CheckoutOnly />;
  if (reason !== 'passwordChanged') return null;
  return (
    <Alert tone="success" live="polite">
      <Trans>Your password was changed and your passkeys were removed. Please log in again.</Trans>
    </Alert>
  );
}

function LoginNeeded({ buys }: { buys: boolean }) {
  return (
    <Alert tone="info" title={<Trans>You must log in to continue</Trans>} live="polite">
      {buys ? <Trans>Create an account, or log in if you have one. Then go straight to payment.</Trans> : null}
    </Alert>
  );
}

/** For a phone that was handed a checkout and opened another page. */
function CheckoutOnly() {
  const planId = useSession()?.onlyPlanId;
  if (planId === undefined) return null;
  const back = (
    <Link to="/payment" search={{ planId }}>
      <Trans>Back to payment</Trans>
    </Link>
  );
  return (
    <Alert tone="info" action={back} live="polite">
      <Trans>This phone is logged in for one payment only. Log in to see the rest of your account.</Trans>
    </Alert>
  );
}

/**
 * Redirects a visitor who starts a purchase on a device without an earlier login to the sign-up, which links to the
 * login. On a TV, where typing is tedious, the login comes first: a phone logs in there by a QR code.
 */
export function redirectNewVisitor(location: { href: string }): void {
  if (deviceTokenKey.get() !== undefined || document.documentElement.dataset.screen === 'TV') return;
  throw redirect({ to: '/register', search: { return: location.href, reason: 'needed' }, replace: true });
}
