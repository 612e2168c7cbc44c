import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Money } from '../../../../contract/money.ts';
import type { Order } from '../../../../contract/order.ts';
import { serverNow } from '../../../api/server-clock.ts';
import { useLanguage } from '../../../i18n/active.ts';
import { Countdown } from '../../../ui/countdown.tsx';
import { Clock } from '../../../ui/icon.tsx';
import { MoneyText } from '../../../ui/money-text.tsx';
import styles from './step.module.css';

interface StepHeadProps {
  order: Order;
  amount: Money;
  /** until when, in whatever way fits the step */
  children?: ReactNode;
}

/** What is paid, by which method, how much, and until when. */
export function StepHead({ order, amount, children }: StepHeadProps) {
  const language = useLanguage();
  const { methodName } = order;
  return (
    <header className={styles.head}>
      <h1 className={styles.title}>
        <Trans>Pay with {methodName}</Trans>
      </h1>
      <p className={styles.plan}>{order.planName}</p>
      <p className={styles.amount}>
        <MoneyText money={amount} language={language} />
      </p>
      {children}
    </header>
  );
}

interface UntilProps {
  until: number;
  onEnd: () => void;
  children: ReactNode;
}

/** The time that is left; `children` says what ends. */
export function Until({ until, onEnd, children }: UntilProps) {
  return (
    <p className={styles.until}>
      <Clock aria-hidden />
      <span>
        {children} <Countdown until={until} now={serverNow} onEnd={onEnd} />
      </span>
    </p>
  );
}
