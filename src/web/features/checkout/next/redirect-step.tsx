import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { NextStepOf } from '#contract/next-step.ts';
import { ContinueAtProvider } from '#web/domain/payments/continue-at-provider.tsx';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { StepHead } from './step-head.tsx';
import type { StepProps } from './step-props.ts';
import styles from './step.module.css';

/**
 * Before a bank's or wallet's page, and after Back from it: links to that page and to the payment's state. It does not
 * redirect by itself, or Back would be unusable.
 */
export function RedirectStep({ step, order, ask }: StepProps<NextStepOf<'redirect'>>) {
  const { orderId } = order;
  return (
    <>
      <StepHead order={order} amount={order.total} />
      <section className={styles.box}>
        <StateArt kind="pending" />
        <h2 className={styles.boxTitle}>
          <Trans>This payment has to be confirmed</Trans>
        </h2>
        <p>
          <Trans>You confirm it on a page of your bank or wallet. Afterwards you come back here.</Trans>
        </p>
      </section>
      <div className={styles.actions}>
        <ContinueAtProvider orderId={orderId} step={step} onChanged={ask} />
        <Link to="/paymentResult" search={{ orderId }} className={buttonClass({ variant: 'secondary' })}>
          <Trans>Check the payment</Trans>
        </Link>
      </div>
    </>
  );
}
