import { Trans } from '@lingui/react/macro';
import { useState, type ReactNode } from 'react';
import type { Money } from '#contract/money.ts';
import type { Order } from '#contract/order.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { Button } from '#web/ui/button.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { ChevronDown, Clock } from '#web/ui/icon.tsx';
import { Ring } from '#web/ui/spinner.tsx';
import { MoneyText, dot } from '#web/ui/money-text.tsx';
import styles from './step.module.css';
import type { Elements } from '#web/ui/elements.ts';

interface StepHeadProps {
  order: Order;
  amount: Money;
  /** the deadline, in the form that fits the step */
  children?: Elements;
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
      <p className={styles.plan} translate="no">
        {order.planName}
      </p>
      <p className={styles.amount}>
        <MoneyText money={amount} language={language} />
      </p>
      {children}
    </header>
  );
}

/** The same in one line, if there is nothing to pay at the moment. */
export function OrderSummaryLine({ order }: { order: Order }) {
  const language = useLanguage();
  return (
    <p className={styles.what}>
      <span translate="no">{`${order.planName}${dot}${order.methodName}${dot}`}</span>
      <MoneyText money={order.total} language={language} />
    </p>
  );
}

interface UntilProps {
  until: number;
  onEnd: () => void;
  children: ReactNode;
}

/** The remaining time; `children` says what ends. */
export function CountdownLine({ until, onEnd, children }: UntilProps) {
  return (
    <p className={styles.until}>
      <Clock aria-hidden />
      <span>
        <span>{children}</span>
        <span> </span>
        <Countdown until={until} now={serverNow} onEnd={onEnd} />
      </span>
    </p>
  );
}

/** An animated line that says what is awaited: the page polls by itself, and the customer need not act. */
export function WaitingLine({ children }: { children: ReactNode }) {
  return (
    <p className={styles.waiting} role="status">
      <Ring />
      <span>{children}</span>
    </p>
  );
}

interface ScannedCodeProps {
  /** label of the button that shows it on a phone */
  show: ReactNode;
  children: ReactNode;
}

/**
 * A code that another phone, a till or a scanner reads from this screen. Folded on a phone, whose own apps cannot scan
 * it; large on a desktop and a TV, and always printed.
 */
export function ScannedCode({ show, children }: ScannedCodeProps) {
  const [shown, setShown] = useState(false);
  return (
    <div className={styles.scan}>
      <Button variant="quiet" className={styles.fold} aria-expanded={shown} onClick={() => setShown(!shown)}>
        <span>{show}</span>
        <ChevronDown aria-hidden />
      </Button>
      <div className={styles.code} data-shown={shown || undefined}>
        {children}
      </div>
    </div>
  );
}
