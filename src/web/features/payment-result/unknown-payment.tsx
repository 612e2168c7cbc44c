import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { StateArt } from '../../ui/art/state-art.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { StatePage } from '../../ui/state-page.tsx';

/** The address names no payment that this visitor may see. */
export function UnknownPayment() {
  return (
    <StatePage
      art={<StateArt kind="missing" />}
      title={<Trans>We could not find this payment</Trans>}
      action={
        <Link to="/orders" className={buttonClass()}>
          <Trans>View my orders</Trans>
        </Link>
      }
    >
      <p>
        <Trans>Log in to see your orders and how each payment stands.</Trans>
      </p>
    </StatePage>
  );
}
