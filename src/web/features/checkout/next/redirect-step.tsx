import { Trans } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { webAddress } from '../../../payment-state/web-address.ts';
import { StateArt } from '../../../ui/art/state-art.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { StatePage } from '../../../ui/state-page.tsx';

interface RedirectStepProps {
  url: string;
  /** where the payment's state is told */
  statusPath: string;
}

/**
 * Leaves for the bank in the same window. What is needed to come back is on the phone already ([Note: Payment resume]);
 * who comes back by the Back button finds the way on and the way to the state here.
 */
export function RedirectStep({ url, statusPath }: RedirectStepProps) {
  const navigate = useNavigate();
  const address = webAddress(url);
  useEffect(() => {
    if (address) location.assign(address);
    else void navigate({ href: statusPath, replace: true });
  }, [address, navigate, statusPath]);
  return (
    <StatePage
      art={<StateArt kind="pending" />}
      title={<Trans>Your bank wants to confirm this payment</Trans>}
      action={
        <>
          {address ? (
            <a className={buttonClass()} href={address}>
              <Trans>Continue to the bank</Trans>
            </a>
          ) : null}
          <Button variant="secondary" onClick={() => void navigate({ href: statusPath })}>
            <Trans>Check the payment</Trans>
          </Button>
        </>
      }
    >
      <p>
        <Trans>You are being taken to a page of your bank. Afterwards you come back here.</Trans>
      </p>
    </StatePage>
  );
}
