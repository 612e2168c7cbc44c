import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

export interface LoginNeededProps {
  planId: string;
  /** ISO 4217 */
  currency: string;
  open: boolean;
  onClose: () => void;
}

/** Tells a visitor that buying needs an account; both ways lead on to the checkout. */
export function LoginNeeded({ planId, currency, open, onClose }: LoginNeededProps) {
  const back = { return: `/payment?planId=${planId}&currency=${currency}` };
  // on a TV, where typing is tedious, the login comes first: a phone logs in there by a QR code
  const atTv = typeof document !== 'undefined' && document.documentElement.dataset.screen === 'TV';
  const register = (
    <Link to="/register" search={back} className={buttonClass({ variant: atTv ? 'secondary' : 'primary', wide: true })}>
      <Trans>Create account</Trans>
    </Link>
  );
  const login = (
    <Link to="/login" search={back} className={buttonClass({ variant: atTv ? 'primary' : 'secondary', wide: true })}>
      <Trans>Log in</Trans>
    </Link>
  );
  const actions = (
    <>
      {atTv ? login : register}
      {atTv ? register : login}
    </>
  );
  return (
    <Dialog open={open} onClose={onClose} title={<Trans>You must log in to continue</Trans>} actions={actions}>
      <p>
        <Trans>Create an account, or log in if you have one. Then go straight to payment.</Trans>
      </p>
    </Dialog>
  );
}
