import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Order } from '../../contract/order.ts';
import { serverNow } from '../api/server-clock.ts';
import { useResumeOrder } from './use-resume-order.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { orderAction } from './order-action.ts';

/** What can be done about an order now; each says in hidden words which order it means. */
export function OrderActions({ order }: { order: Order }) {
  switch (orderAction(order, serverNow())) {
    case 'continue':
      return (
        <Continue order={order}>
          <Trans>Continue payment</Trans>
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
        <Link
          to="/payment"
          search={{ planId: order.planId, orderId: order.orderId }}
          className={buttonClass({ variant: 'secondary' })}
        >
          <Trans>Try again</Trans>
          <Which order={order} />
        </Link>
      );
    case 'receipt':
      return (
        <Link to="/receipt" search={{ orderId: order.orderId }} className={buttonClass({ variant: 'secondary' })}>
          <Trans>Receipt</Trans>
          <Which order={order} />
        </Link>
      );
    case 'none':
      return null;
  }
}

interface ContinueProps {
  order: Order;
  variant?: 'primary' | 'secondary';
  children: ReactNode;
}

function Continue({ order, variant = 'primary', children }: ContinueProps) {
  const { busy, resume } = useResumeOrder();
  return (
    <Button variant={variant} busy={busy} onClick={() => resume(order.orderId)}>
      {children}
      <Which order={order} />
    </Button>
  );
}

function Which({ order }: { order: Order }) {
  return <span className="sr-only">{` ${order.planName} ${order.orderId}`}</span>;
}
