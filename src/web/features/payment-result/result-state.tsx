import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { serverNow } from '../../api/server-clock.ts';
import { endOf, isLapsed, type PaymentView } from '../../payment-state/payment-view.ts';
import { Alert } from '../../ui/alert.tsx';
import { StateArt, type StateKind } from '../../ui/art/state-art.tsx';
import { StatePage } from '../../ui/state-page.tsx';
import { PaymentFacts } from './payment-facts.tsx';
import { ResultActions } from './result-actions.tsx';
import { ResultWords } from './result-words.tsx';
import styles from './payment-result.module.css';

export type ResultKind = Extract<StateKind, 'succeeded' | 'pending' | 'failed' | 'cancelled' | 'checking'>;

interface ResultStateProps {
  view: PaymentView;
  orderId: string | undefined;
  /** the last ask found no server; what is shown is from the one before */
  unreachable: boolean;
}

const titles: Readonly<Record<ResultKind, ReactNode>> = {
  succeeded: <Trans>Payment received</Trans>,
  pending: <Trans>Waiting for your payment</Trans>,
  failed: <Trans>The payment did not go through</Trans>,
  cancelled: <Trans>The payment was cancelled</Trans>,
  checking: <Trans>We are checking your payment</Trans>,
};

/** One of five states: a picture, a sentence, the order, the next step. */
export function ResultState({ view, orderId, unreachable }: ResultStateProps) {
  const kind = kindOf(view);
  return (
    <>
      <p className="sr-only" role="status">
        {titles[kind]}
      </p>
      <StatePage
        art={<StateArt kind={kind} />}
        title={titles[kind]}
        action={<ResultActions kind={kind} view={view} orderId={orderId} />}
      >
        <ResultWords kind={kind} view={view} />
        <div className={styles.facts}>
          <PaymentFacts view={view} orderId={orderId} />
        </div>
        {unreachable ? (
          <Alert tone="warning" live="polite">
            <Trans>We cannot reach the shop at the moment. This page goes on asking.</Trans>
          </Alert>
        ) : null}
      </StatePage>
    </>
  );
}

/** Waiting for the customer is pending; waiting for the bank to say what happened is checking. */
function kindOf(view: PaymentView): ResultKind {
  const end = endOf(view.status);
  if (end) return end;
  if (isLapsed(view, serverNow())) return 'pending';
  const hasStep = view.next === undefined ? view.expiresAt !== null : view.next.type !== 'none';
  return hasStep ? 'pending' : 'checking';
}
