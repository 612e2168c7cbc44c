import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { queryCart } from '#contract/orders.ts';
import { orderAction } from '#web/domain/payments/order-action.ts';
import { OrderActions } from '#web/domain/payments/order-actions.tsx';
import { q } from '#web/platform/api/query.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { Alert } from '#web/ui/alert.tsx';
import { dot } from '#web/ui/dot.ts';

/**
 * A payment that was started here or on another device: offered before a second order is created, unless the tip showed
 * it, which contains only what existed when the page was opened.
 */
export function UnfinishedOffer() {
  const { data } = useQuery(q(queryCart, { body: {} }, { quiet: true }));
  const waiting = data?.items.find((order) => orderAction(order, serverNow()) === 'continue');
  if (!waiting) return null;
  return (
    <Alert
      tone="info"
      title={<Trans>You have a payment to finish</Trans>}
      action={<OrderActions order={waiting} quieter />}
    >
      <span data-private translate="no">{`${waiting.planName}${dot}${waiting.methodName}`}</span>
    </Alert>
  );
}
