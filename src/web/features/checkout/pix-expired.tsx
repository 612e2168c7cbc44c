import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { Order } from '../../../contract/order.ts';
import { StateArt } from '../../ui/art/state-art.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { StatePage } from '../../ui/state-page.tsx';
import { useNewCode } from './use-new-code.ts';

interface PixExpiredProps {
  order: Order | undefined;
  /** the state is being asked for once more: somebody may have paid in the last second */
  checking: boolean;
  onNewCode: () => void;
}

/** The code has left the page; the same order gets a new one. */
export function PixExpired({ order, checking, onNewCode }: PixExpiredProps) {
  const { busy, make } = useNewCode(order, onNewCode);
  return (
    <StatePage
      art={<StateArt kind="cancelled" />}
      title={<Trans>This code has expired</Trans>}
      action={
        <>
          <Button busy={busy || checking} onClick={make}>
            <Trans>Generate a new code</Trans>
          </Button>
          <Link to="/orders" className={buttonClass({ variant: 'secondary' })}>
            <Trans>View my orders</Trans>
          </Link>
        </>
      }
    >
      <p>
        <Trans>
          Please do not pay the old code. If you have just paid it, nothing is lost: it will appear in your orders.
        </Trans>
      </p>
    </StatePage>
  );
}
