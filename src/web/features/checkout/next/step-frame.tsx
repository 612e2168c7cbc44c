import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Order } from '../../../../contract/order.ts';
import { Alert } from '../../../ui/alert.tsx';
import { buttonClass } from '../../../ui/button.tsx';
import styles from './step.module.css';

interface StepFrameProps {
  order: Order;
  unreachable: boolean;
  /** money is on its way: nothing else is to be paid */
  underWay: boolean;
  children: ReactNode;
}

/** Around every step: what is said when the shop cannot be asked, and the way to another method. */
export function StepFrame({ order, unreachable, underWay, children }: StepFrameProps) {
  return (
    <div className={styles.page}>
      {children}
      {unreachable ? (
        <Alert tone="warning" live="polite">
          <Trans>
            We cannot reach the shop at the moment. What you see here stays valid, and this page goes on asking.
          </Trans>
        </Alert>
      ) : null}
      {underWay ? null : <OtherWay order={order} />}
    </div>
  );
}

/** The same order by another method; the server closes this way when the other one is taken, so nobody pays both. */
function OtherWay({ order: { planId, orderId } }: { order: Order }) {
  return (
    <Link
      to="/payment"
      search={{ planId, orderId, another: '1' }}
      className={`${buttonClass({ variant: 'quiet' })} ${styles.other}`}
    >
      <Trans>Choose another way to pay</Trans>
    </Link>
  );
}
