import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { type ReactNode, useState } from 'react';
import { orderNumber } from '#contract/mask.ts';
import type { Order } from '#contract/order.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { useResumeOrder } from './use-resume-order.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { orderAction } from './order-action.ts';
import type { Elements } from '#web/ui/elements.ts';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ProofRejection } from '#contract/next-step.ts';
import { useQueryClient } from '@tanstack/react-query';
import { cancelOrder } from '#contract/orders.ts';
import { isOpen, type OrderStatus } from '#contract/order-status.ts';
import { isOutcomeUnknown } from '#web/platform/api/api-error.ts';
import { localizedMessage } from '#web/platform/form/localized-message.ts';
import { getSession } from '#web/platform/session/session.ts';
import { paymentInProgress, purchaseIntent } from '#web/platform/session/storage/purchase.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { invalidatePersonalQueries } from './invalidate-personal-queries.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

interface OrderActionsProps {
  order: Order;
  /** several unpaid orders are side by side: only one of them has a primary button */
  isSecondary?: boolean | undefined;
}

/** The actions for an order; each names its order in visually hidden text. */
export function OrderActions({ order, isSecondary = false }: OrderActionsProps) {
  switch (orderAction(order, serverNow())) {
    case 'continue':
      return (
        <Continue order={order} variant={isSecondary ? 'secondary' : 'primary'}>
          {order.rejection ? <Trans>Send new proof</Trans> : <Trans>Continue payment</Trans>}
        </Continue>
      );
    case 'check':
      return (
        <Continue order={order} variant="secondary">
          <Trans>Check payment</Trans>
        </Continue>
      );
    case 'tryAgain':
      return (
        <RepayLink order={order} variant="secondary">
          <OrderName order={order} />
        </RepayLink>
      );
    case 'receipt':
      return (
        <Link to="/receipt" search={{ orderId: order.orderId }} className={buttonClass({ variant: 'secondary' })}>
          <Trans>Receipt</Trans>
          <OrderName order={order} />
        </Link>
      );
    case 'none':
      return null;
  }
}

interface RepayLinkProps {
  order: Order;
  variant?: 'primary' | 'secondary';
  children?: Elements;
}

/** Pays the same order again: at the checkout, and for a caishen order at the page with its new code. */
export function RepayLink({ order: { planId, orderId, methodCode }, variant, children }: RepayLinkProps) {
  const looks = { className: buttonClass({ variant }) };
  const words = (
    <>
      <Trans>Try again</Trans>
      {children}
    </>
  );
  return methodCode === 'caishen' ? (
    <Link to="/caishenRepay" search={{ orderId }} {...looks}>
      {words}
    </Link>
  ) : (
    <Link to="/payment" search={{ planId, orderId }} {...looks}>
      {words}
    </Link>
  );
}

interface ContinueProps {
  order: Order;
  variant?: 'primary' | 'secondary';
  children: ReactNode;
}

function Continue({ order, variant = 'primary', children }: ContinueProps) {
  const { isPending, resume } = useResumeOrder();
  return (
    <Button variant={variant} busy={isPending} onClick={() => resume(order.orderId)}>
      <span>{children}</span>
      <OrderName order={order} />
    </Button>
  );
}

function OrderName({ order }: { order: Order }) {
  return <span className="sr-only">{` ${order.planName} ${orderNumber(order.orderId)}`}</span>;
}

/** What is wrong with the proof of payment, and what helps. */
const words: Readonly<Record<ProofRejection['reason'], MessageDescriptor>> = {
  notFound: msg`We couldn’t find this transfer in our account. Send a proof of payment that shows the amount and the reference.`,
  unreadable: msg`We couldn’t read your proof of payment. Send a sharper picture that shows all of it.`,
  otherAmount: msg`The amount on your proof of payment doesn’t match this order. Check it and send a new one.`,
  otherReference: msg`The reference on your proof of payment doesn’t match this order. Check it and send a new one.`,
  noTransfer: msg`This picture doesn’t show a transfer. Send the confirmation your bank shows once the transfer is done.`,
};

/** Why a proof of payment was rejected. The operator's remark is shown as plain text in their language. */
export function RejectionText({ rejection }: { rejection: ProofRejection }) {
  const { i18n } = useLingui();
  return (
    <>
      <span>{i18n._(words[rejection.reason])}</span>
      {rejection.words === undefined ? null : (
        <>
          <span> </span>
          <q dir="auto">{rejection.words}</q>
        </>
      )}
    </>
  );
}

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
        <Trans>Cancel order</Trans>
        <span className="sr-only">{` ${order.planName} ${orderNumber(order.orderId)}`}</span>
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
            {order.planName}, {order.methodName}. Don’t pay for it after that. If you used a coupon, you can use it
            again. If you’ve just paid, nothing is lost.
          </Trans>
        </p>
        <Problem>{cancelling.problem}</Problem>
      </Dialog>
    </>
  );
}

const notNow = localizedMessage(
  msg`We can’t cancel it right now, because we don’t know yet whether it’s been paid. Try again in a few minutes.`,
);
const notHeard = localizedMessage(msg`The connection was lost. Check whether the order is cancelled, then try again.`);

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
