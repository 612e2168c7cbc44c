import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { Order } from '#contract/order.ts';
import { SavedStamp } from '#web/shells/saved-stamp.tsx';
import type { PaymentState } from '#web/domain/payments/use-payment-state.ts';
import { CancelOrder } from '#web/domain/payments/cancel-order.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { buttonClass } from '#web/ui/button.tsx';
import styles from './step.module.css';
import type { Elements } from '#web/ui/elements.ts';

interface StepFrameProps {
  order: Order;
  asked: Pick<PaymentState, 'error' | 'readAt'>;
  /** money is in transit: no other method is offered */
  underWay: boolean;
  /** content beside the step on a wide screen: a code to scan, or the instructions */
  beside: keyof typeof sides | undefined;
  ask: () => void;
  children: Elements;
}

/** `qr`: a code that is scanned if another phone is at hand, and copied only otherwise. */
const sides = {
  code: styles.scanned,
  qr: classNames(styles.scanned, styles.scannedFirst),
  steps: styles.told,
} as const;

/** The frame of every step: an error if the server is unreachable, and a link to another method. */
export function StepFrame({ order, asked, underWay, beside, ask, children }: StepFrameProps) {
  return (
    <div className={classNames(styles.page, beside && sides[beside])}>
      {children}
      {asked.error ? (
        <Alert tone="warning" live="polite">
          <Trans>
            We cannot reach the shop at the moment. What you see here stays valid, and this page goes on asking.
          </Trans>
        </Alert>
      ) : null}
      <SavedStamp {...asked} />
      {underWay ? null : <OtherWays order={order} ask={ask} />}
    </div>
  );
}

/**
 * Pays the same order by another method, or cancels it. The server closes this step when another method is chosen, so
 * both cannot be paid.
 */
function OtherWays({ order, ask }: { order: Order; ask: () => void }) {
  const { planId, orderId } = order;
  return (
    <div className={styles.other}>
      <Link to="/payment" search={{ planId, orderId, another: '1' }} className={buttonClass({ variant: 'quiet' })}>
        <Trans>Choose another way to pay</Trans>
      </Link>
      <CancelOrder order={order} onChanged={ask} />
    </div>
  );
}
