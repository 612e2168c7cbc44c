import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useState, type MouseEvent } from 'react';
import { useSession } from '#web/platform/session/session.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useHydrated } from '#web/ui/use-hydrated.ts';

interface BuyButtonProps {
  planId: string;
  /** ISO 4217 */
  currency: string;
  wide?: boolean | undefined;
}

/** A link to the checkout; a visitor first sees that an account is needed, which leads to the checkout. */
export function BuyButton({ planId, currency, wide }: BuyButtonProps) {
  const signedIn = useSession() !== null;
  const alive = useHydrated();
  const [asking, setAsking] = useState(false);
  const ask = (event: MouseEvent) => {
    if (signedIn || !alive) return;
    event.preventDefault();
    setAsking(true);
  };
  return (
    <>
      <Link
        to="/payment"
        search={{ planId, currency }}
        preload={false}
        data-first
        className={buttonClass({ size: 'lg', wide })}
        onClick={ask}
      >
        <Trans>Buy now</Trans>
      </Link>
      <LoginNeeded planId={planId} currency={currency} open={asking} onClose={() => setAsking(false)} />
    </>
  );
}

interface LoginNeededProps extends Pick<BuyButtonProps, 'planId' | 'currency'> {
  open: boolean;
  onClose: () => void;
}

function LoginNeeded({ planId, currency, open, onClose }: LoginNeededProps) {
  const back = { return: `/payment?planId=${planId}&currency=${currency}` };
  const actions = (
    <>
      <Link to="/register" search={back} className={buttonClass({ wide: true })}>
        <Trans>Create account</Trans>
      </Link>
      <Link to="/login" search={back} className={buttonClass({ variant: 'secondary', wide: true })}>
        <Trans>Log in</Trans>
      </Link>
    </>
  );
  return (
    <Dialog open={open} onClose={onClose} title={<Trans>You must log in to continue</Trans>} actions={actions}>
      <p>
        <Trans>Create an account to continue, or log in if you have one. Then you go straight on to pay.</Trans>
      </p>
    </Dialog>
  );
}
