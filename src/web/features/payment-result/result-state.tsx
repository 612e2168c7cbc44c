import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { serverNow } from '../../api/server-clock.ts';
import type { PaymentView } from '../../payment-state/payment-view.ts';
import { Alert } from '../../ui/alert.tsx';
import { StateArt, type StateKind } from '../../ui/art/state-art.tsx';
import { StatePage } from '../../ui/state-page.tsx';
import { PaymentFacts } from './payment-facts.tsx';
import { ResultActions } from './result-actions.tsx';
import { resultKind, type ResultKind } from './result-kind.ts';
import { ResultWords } from './result-words.tsx';
import type { Finishing } from './use-finish.ts';
import styles from './payment-result.module.css';

interface ResultStateProps {
  view: PaymentView;
  orderId: string | undefined;
  finishing: Finishing;
  /** the last ask found no server; what is shown is from the one before */
  unreachable: boolean;
  ask: () => void;
}

const titles: Readonly<Record<ResultKind, ReactNode>> = {
  succeeded: <Trans>Payment received</Trans>,
  pending: <Trans>Waiting for your payment</Trans>,
  lapsed: <Trans>Waiting for your payment</Trans>,
  failed: <Trans>The payment did not go through</Trans>,
  cancelled: <Trans>The payment was cancelled</Trans>,
  checking: <Trans>We are checking your payment</Trans>,
};
const checkedByHand = <Trans>We are checking your transfer</Trans>;

const art: Readonly<Record<ResultKind, StateKind>> = {
  succeeded: 'succeeded',
  pending: 'pending',
  lapsed: 'pending',
  failed: 'failed',
  cancelled: 'cancelled',
  checking: 'checking',
};

/** One of a few states: a picture, a sentence, the order, the next step. */
export function ResultState({ view, orderId, finishing, unreachable, ask }: ResultStateProps) {
  const kind = resultKind(view, finishing, serverNow());
  const title = kind === 'pending' && isReviewed(view) ? checkedByHand : titles[kind];
  return (
    <>
      <p className="sr-only" role="status">
        {title}
      </p>
      <StatePage
        art={<StateArt kind={art[kind]} />}
        title={title}
        action={<ResultActions kind={kind} view={view} orderId={orderId} wants={finishing.wants} ask={ask} />}
      >
        <ResultWords kind={kind} view={view} wants={finishing.wants} />
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

const isReviewed = ({ next }: PaymentView) => next?.type === 'upload' && next.proof === 'received';
