import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { isRefused } from '#web/platform/api/api-error.ts';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { StatePage } from '#web/ui/state-page.tsx';

/** The caller has no such order. The response does not reveal whether another customer does. */
export function isNoOrder(error: Error | null): boolean {
  return isRefused(error, 'orderNotFound');
}

/** The URL names no order of this customer. */
export function UnknownOrder() {
  return (
    <StatePage
      art={<StateArt kind="missing" />}
      title={<Trans>We could not find this order</Trans>}
      action={
        <>
          <Link to="/orders" className={buttonClass()}>
            <Trans>View my orders</Trans>
          </Link>
          <Link to="/pricing-table" className={buttonClass({ variant: 'secondary' })}>
            <Trans>See the plans</Trans>
          </Link>
        </>
      }
    >
      <p>
        <Trans>Perhaps it belongs to another account, or the link was cut off.</Trans>
      </p>
    </StatePage>
  );
}
