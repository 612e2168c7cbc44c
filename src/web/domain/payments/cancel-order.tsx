import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Order } from '#contract/order.ts';
import { cancelOrder } from '#contract/orders.ts';
import { isOpen, type OrderStatus } from '#contract/order-status.ts';
import { isOutcomeUnknown } from '#web/platform/api/api-error.ts';
import { localizedMessage } from '#web/platform/form/localized-message.ts';
import { getSession } from '#web/platform/session/session.ts';
import { paymentInProgress, purchaseIntent } from '#web/platform/session/storage/purchase.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { invalidatePersonalQueries } from './invalidate-personal-queries.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

interface CancelOrderProps {
  order: Order;
  /** the order has changed and must be read again */
  onChanged: () => void;
  className?: string | undefined;
}

/** Cancels an unpaid order after a confirmation; renders nothing if the customer may not cancel it. */
export function CancelOrder({ order, onChanged, className }: CancelOrderProps) {
  const [asked, ask] = useState(false);
  const cancelling = useCancelOrder(order, () => {
    ask(false);
    onChanged();
  });
  if (!isOpen(order.status) || order.underReview || order.renewal) return null;
  return (
    <>
      <Button variant="quiet" className={className} onClick={() => (cancelling.clear(), ask(true))}>
        <Trans>Cancel the order</Trans>
        <span className="sr-only">{` ${order.planName} ${order.orderId}`}</span>
      </Button>
      <Dialog
        open={asked}
        onClose={() => ask(false)}
        title={<Trans>Cancel this order?</Trans>}
        actions={
          <>
            <Button variant="danger" busy={cancelling.isPending} onClick={cancelling.mutate}>
              <Trans>Yes, cancel it</Trans>
            </Button>
            <Button variant="secondary" onClick={() => ask(false)}>
              <Trans>Keep it</Trans>
            </Button>
          </>
        }
      >
        <p>
          <Trans>
            {order.planName}, {order.methodName}. Please do not pay it after that. If you used a coupon, it is free
            again; if you have just paid, nothing is lost.
          </Trans>
        </p>
        <Problem>{cancelling.problem}</Problem>
      </Dialog>
    </>
  );
}

const notNow = localizedMessage(
  msg`We cannot cancel it at the moment, because we do not know yet whether it has been paid. Please try again in a few minutes.`,
);
const notHeard = localizedMessage(
  msg`The connection was lost on the way. Please look whether the order is cancelled, and try again.`,
);

function useCancelOrder({ orderId, planId }: Order, onDone: () => void) {
  const client = useQueryClient();
  const over = (status: OrderStatus) => {
    if (paymentInProgress.get()?.orderId === orderId) paymentInProgress.clear();
    const uid = getSession()?.uid;
    // the next purchase of this plan needs a new key, or the server would answer with this order
    if (uid !== undefined && status === 'PAYMENT_CANCELLED') purchaseIntent(uid, planId).clear();
    invalidatePersonalQueries(client);
    onDone();
  };
  const cancel = useApiMutation(cancelOrder, {
    onSuccess: ({ status }) => {
      if (isOpen(status)) return notNow;
      over(status);
      return undefined;
    },
    message: (error) => (isOutcomeUnknown(error) ? notHeard : undefined),
    shows: 'all',
  });
  return { ...cancel, mutate: () => cancel.mutate({ body: { orderId } }) };
}
