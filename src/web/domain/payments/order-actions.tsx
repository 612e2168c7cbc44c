import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Order } from '#contract/order.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { useResumeOrder } from './use-resume-order.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { orderAction } from './order-action.ts';
import type { Elements } from '#web/ui/elements.ts';

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
          {order.rejection ? <Trans>Send another picture</Trans> : <Trans>Continue payment</Trans>}
        </Continue>
      );
    case 'check':
      return (
        <Continue order={order} variant="secondary">
          <Trans>Check the payment</Trans>
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
  return <span className="sr-only">{` ${order.planName} ${order.orderId}`}</span>;
}
