import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Card } from '#web/ui/card.tsx';
import { Check } from '#web/ui/icon.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { lastMethodKey } from './method/last-method.ts';
import styles from './steps.module.css';
import page from './checkout.module.css';

/** `phone`: on a TV, the checkout is handed to a phone ([Note: Hand-over]). */
export type CheckoutStep = 'method' | 'details' | 'phone';

/** The same breakpoint as in the styles. Range syntax needs Chrome 104. */
const wide = '(min-width: 760.02px)';

/**
 * Whether method and details are on one page: on a desktop, with the summary beside them. A phone, and a TV with arrow
 * keys only, show one step at a time.
 */
export function useOnePage(): boolean {
  return useSyncExternalStore(subscribe, isOnePage, never);
}

function subscribe(listener: () => void): () => void {
  const media = matchMedia(wide);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

/** Its arrow keys lead from the heading to the form; the summary is beside that. */
export const isTv = () => document.documentElement.dataset.screen === 'TV';
const isOnePage = () => matchMedia(wide).matches && !isTv();
const never = () => false;

/** The current step: payment, then confirmation on a phone; method, then details on a TV. */
function Steps({ step }: { step: CheckoutStep }) {
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

/** The heading receives the focus when the step changes, so that a screen reader starts there. */
export function StepHeading({ step, onePage }: { step: CheckoutStep; onePage: boolean }) {
  const ref = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    if (onePage) return;
    ref.current?.focus();
    window.scrollTo(0, 0);
  }, [step, onePage]);
  return (
    <div className={styles.head}>
      <h1 className={page.title} ref={ref} tabIndex={-1}>
        {step === 'method' || onePage ? <Trans>How do you want to pay?</Trans> : <Trans>Confirm and pay</Trans>}
      </h1>
      {onePage ? null : <Steps step={step} />}
    </div>
  );
}

/**
 * Placeholder of the checkout while it loads, in its size. The heading is there at once, unless the customer's last
 * method may lead to the second step.
 */
export function CheckoutSkeleton({ step }: { step?: CheckoutStep | undefined }) {
  const [lastMethod] = useState(lastMethodKey.get);
  const onePage = useOnePage();
  // the server's HTML is for customers without a last method
  const isFirst = !useHydrated() || lastMethod === undefined || onePage;
  const first = step ?? (isFirst ? 'method' : undefined);
  return (
    <div className={page.page} aria-busy>
      <p className="sr-only" role="status">
        <Trans>Loading…</Trans>
      </p>
      <div className={page.layout}>
        {first ? <StepHeading step={first} onePage={onePage} /> : <Skeleton width={240} height={36} />}
        <div className={page.main}>
          <Skeleton height={60} />
          <Skeleton height={60} />
        </div>
        <Card className={page.summary}>
          <Skeleton lines={5} />
        </Card>
      </div>
    </div>
  );
}
