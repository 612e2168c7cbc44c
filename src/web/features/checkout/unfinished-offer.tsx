import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { queryCart } from '../../../contract/orders.ts';
import { q } from '../../api/query.ts';
import { serverNow } from '../../api/server-clock.ts';
import { orderAction } from '../../payment-state/order-action.ts';
import { OrderActions } from '../../payment-state/order-actions.tsx';
import { Alert } from '../../ui/alert.tsx';

/**
 * A payment that was begun here or on another device, which this one knows nothing of ([Note: Payment resume]): offered
 * before a second order is made.
 */
export function UnfinishedOffer() {
  const { data } = useQuery(q(queryCart, { body: {} }, { quiet: true }));
  const waiting = data?.items.find((order) => orderAction(order, serverNow()) === 'continue');
  if (!waiting) return null;
  return (
    <Alert tone="info" title={<Trans>You have a payment to finish</Trans>} action={<OrderActions order={waiting} />}>
      <span data-private>
        {waiting.planName} · {waiting.methodName}
      </span>
    </Alert>
  );
}
