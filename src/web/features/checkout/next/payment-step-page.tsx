import { Trans } from '@lingui/react/macro';
import { useLocation, useSearch } from '@tanstack/react-router';
import { useReducer, useState } from 'react';
import { matchPath } from '#contract/paths.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { GoTo } from '#web/domain/payments/go-to.tsx';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import type { PaymentView } from '#web/domain/payments/payment-view.ts';
import { resultPath } from '#web/domain/payments/resume-path.ts';
import type { StepType } from '#contract/next-step.ts';
import { usePaymentState } from '#web/domain/payments/use-payment-state.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ExpiredStep } from './expired-step.tsx';
import { NoAnswer } from './no-answer.tsx';
import { PaymentStep } from './payment-step.tsx';
import { stageOf, type OpenStep } from './stage.ts';
import styles from './step.module.css';

/** The step type of each URL; it only selects messages, and only if the server no longer returns a step. */
const expectations: Readonly<Record<string, StepType>> = {
  '/payment-pix': 'qr',
  '/payment-redirect': 'redirect',
  '/paynowTips': 'upload',
  '/paymentCaishen': 'upload',
  '/caishenRepay': 'upload',
};

/** The page of every step after pay: what to do now, until the order is paid or expired. */
export function PaymentStepPage() {
  const { orderId } = useSearch({ strict: false });
  const { pathname } = useLocation();
  if (typeof orderId !== 'string') return null;
  return <StepOfOrder key={orderId} orderId={orderId} path={matchPath(pathname) ?? ''} />;
}

function StepOfOrder({ orderId, path }: { orderId: string; path: string }) {
  const { view, error, readAt, asking, ask } = usePaymentState({ orderId });
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [renewing, setRenewing] = useState(false);
  const seen = useSeenStep(view);
  if (!view?.order) return error ? <LoadFailed error={error} onRetry={ask} /> : <StepSkeleton />;
  const { order } = view;
  const repays = path === '/caishenRepay';
  const stage = stageOf(view, { seen, expects: expectations[path], repays, renewing, now: serverNow() });
  switch (stage.kind) {
    case 'result':
      return <GoTo path={resultPath(orderId)} />;
    case 'expired':
      return (
        <ExpiredStep
          of={stage.of}
          order={order}
          scansAgain={repays}
          checking={asking}
          onRenewed={ask}
          onRenewing={setRenewing}
        />
      );
    case 'noAnswer':
      return <NoAnswer of={stage.of} order={order} asking={asking} ask={ask} />;
    case 'step': {
      const ended = () => {
        redraw();
        ask();
      };
      return <PaymentStep step={stage.step} order={order} asked={{ error, readAt }} ask={ask} onEnd={ended} />;
    }
  }
}

/** The last step that the server returned: it returns none after its deadline. */
function useSeenStep(view: PaymentView | undefined): OpenStep | undefined {
  const [seen, setSeen] = useState<OpenStep>();
  const next = view?.next;
  if (next && next.type !== 'none' && next !== seen) setSeen(next);
  return seen;
}

function StepSkeleton() {
  return (
    <div className={styles.page} aria-busy>
      <p className="sr-only" role="status">
        <Trans>Loading…</Trans>
      </p>
      <Skeleton width={200} height={32} />
      <Skeleton width={280} height={280} />
      <Skeleton height={52} />
    </div>
  );
}
