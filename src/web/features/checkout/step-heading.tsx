import { Trans } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import styles from './checkout.module.css';
import { Steps, type CheckoutStep } from './steps.tsx';

/** The heading takes the focus when the step changes, so that the new step is read out from its start. */
export function StepHeading({ step }: { step: CheckoutStep }) {
  const ref = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    ref.current?.focus();
    window.scrollTo(0, 0);
  }, [step]);
  return (
    <>
      <h1 className={styles.title} ref={ref} tabIndex={-1}>
        {step === 'method' ? <Trans>How would you like to pay?</Trans> : <Trans>Confirm and pay</Trans>}
      </h1>
      <Steps step={step} />
    </>
  );
}
