import { Trans } from '@lingui/react/macro';
import { useLocation, useSearch } from '@tanstack/react-router';
import { Link } from '#web/platform/brand/link.tsx';
import { useReducer, useState } from 'react';
import { matchPath } from '#contract/paths.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { RedirectTo } from '#web/domain/payments/redirect-to.tsx';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import { type PaymentView, usePaymentState } from '#web/domain/payments/use-payment-state.ts';
import { resultPath } from '#web/domain/payments/resume-path.ts';
import type { StepType } from '#contract/next-step.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ExpiredStep } from './expired-step.tsx';
import { PaymentStep } from './payment-step.tsx';
import { stageOf, type OpenStep } from './stage.ts';
import styles from './step.module.css';
import type { Order } from '#contract/order.ts';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { OrderSummaryLine } from './step-head.tsx';

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
      return <RedirectTo path={resultPath(orderId)} />;
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
      return <AnswerOverdue of={stage.of} order={order} asking={asking} ask={ask} />;
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

interface NoAnswerProps {
  of: StepType;
  order: Order;
  asking: boolean;
  ask: () => void;
}

/** The deadline has passed, and the payer's answer is unknown: that is not a failure, and polling continues. */
function AnswerOverdue({ of, order, asking, ask }: NoAnswerProps) {
  const { planId, orderId } = order;
  return (
    <StatePage
      art={<StateArt kind="checking" />}
      title={<Trans>We’re still checking</Trans>}
      action={
        <>
          <Button busy={asking} onClick={ask}>
            <Trans>Check again</Trans>
          </Button>
          <Link to="/payment" search={{ planId, orderId }} className={buttonClass({ variant: 'secondary' })}>
            {of === 'push' ? <Trans>Change number or method</Trans> : <Trans>Pay another way</Trans>}
          </Link>
        </>
      }
    >
      <OrderSummaryLine order={order} />
      <p>
        <Trans>We don’t know yet whether you confirmed the payment. This page updates as soon as we do.</Trans>
      </p>
      <p>
        <Trans>If you didn’t confirm it, you can pay again. We check first, and refund anything paid twice.</Trans>
      </p>
    </StatePage>
  );
}
