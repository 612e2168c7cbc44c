import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Check } from '../../ui/icon.tsx';
import styles from './steps.module.css';

export type CheckoutStep = 'method' | 'details';

/** Where the customer is: payment, then confirmation on a phone; method, then details on a desktop (spec 2). */
export function Steps({ step }: { step: CheckoutStep }) {
  const { t } = useLingui();
  const second = step === 'details';
  return (
    <ol className={styles.steps} aria-label={t`Steps`}>
      <Step
        number={1}
        state={second ? 'done' : 'current'}
        narrow={<Trans>Payment</Trans>}
        wide={<Trans>Method</Trans>}
      />
      <Step
        number={2}
        state={second ? 'current' : 'ahead'}
        narrow={<Trans>Confirmation</Trans>}
        wide={<Trans>Details</Trans>}
      />
    </ol>
  );
}

interface StepProps {
  number: number;
  state: 'done' | 'current' | 'ahead';
  narrow: ReactNode;
  wide: ReactNode;
}

function Step({ number, state, narrow, wide }: StepProps) {
  return (
    <li className={styles.step} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
      <span className={styles.mark} aria-hidden>
        {state === 'done' ? <Check /> : number}
      </span>
      <span className={styles.narrow}>{narrow}</span>
      <span className={styles.wide}>{wide}</span>
    </li>
  );
}
