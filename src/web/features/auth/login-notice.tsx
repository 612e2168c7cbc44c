import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useSession } from '#web/platform/session/session.ts';
import { Alert } from '#web/ui/alert.tsx';

/** Explains why a customer who was logged in sees the login page. Shows nothing for an unknown `reason`. */
export function LoginNotice({ reason }: { reason: string }) {
  if (reason === 'checkout') return <CheckoutOnly />;
  if (reason !== 'passwordChanged') return null;
  return (
    <Alert tone="success" live="polite">
      <Trans>Your password was changed and your passkeys were removed. Please log in again.</Trans>
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
