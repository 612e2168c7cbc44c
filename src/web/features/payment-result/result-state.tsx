import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { errorNameOf } from '#contract/error-codes.ts';
import { formatInstallments } from '#contract/installment-parts.ts';
import { OrderNumber } from '#web/domain/payments/period-text.tsx';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { InstallOfferSlot } from '#web/domain/notifications/install/install-offer-slot.tsx';
import { SavedStamp } from '#web/shells/saved-stamp.tsx';
import { formatPaymentMethod } from '#web/domain/payments/payer/card-brand.ts';
import type { PaymentState, PaymentView } from '#web/domain/payments/use-payment-state.ts';
import { Alert } from '#web/ui/alert.tsx';
import { FactRow } from '#web/ui/fact-row.tsx';
import { StateArt, type StateKind } from '#web/ui/art/state-art.tsx';
import { Spoken, StatePage } from '#web/ui/state-page.tsx';
import { ResultActions } from './result-actions.tsx';
import { resultKind, type ResultKind, type Finishing } from './use-finish.ts';
import { ResultText } from './result-text.tsx';
import styles from './payment-result.module.css';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { MoneyText } from '#web/ui/money-text.tsx';
import { Untranslated } from '#web/ui/untranslated.tsx';

interface ResultStateProps {
  view: PaymentView;
  orderId: string | undefined;
  finishing: Finishing;
  /** the result of the last read: without a server, the previous state is shown */
  asked: Pick<PaymentState, 'error' | 'readAt'>;
  /** the customer came by the provider's "cancel" link */
  pollingStopped: boolean;
  ask: () => void;
}

const titles: Readonly<Record<ResultKind, ReactNode>> = {
  succeeded: <Trans>Payment received</Trans>,
  pending: <Trans>Waiting for your payment</Trans>,
  lapsed: <Trans>Your time to pay has run out</Trans>,
  left: <Trans>You haven’t paid yet</Trans>,
  failed: <Trans>The payment didn’t go through</Trans>,
  cancelled: <Trans>The payment was cancelled</Trans>,
  checking: <Trans>We are checking your payment</Trans>,
  returned: <Trans>We are checking your payment</Trans>,
};
const checkedByHand = <Trans>We are checking your transfer</Trans>;

const art: Readonly<Record<ResultKind, StateKind>> = {
  succeeded: 'succeeded',
  pending: 'pending',
  lapsed: 'cancelled',
  left: 'cancelled',
  failed: 'failed',
  cancelled: 'cancelled',
  checking: 'checking',
  returned: 'checking',
};

/** A picture, a sentence, the order, and the next step. */
export function ResultState({ view, orderId, finishing, asked, pollingStopped, ask }: ResultStateProps) {
  const kind = resultKind(view, finishing, serverNow());
  const title = titleOf(kind, view);
  return (
    <>
      <Spoken>{title}</Spoken>
      <StatePage
        art={<StateArt kind={art[kind]} />}
        title={title}
        action={<ResultActions kind={kind} view={view} orderId={orderId} wants={finishing.nextStep} ask={ask} />}
      >
        <ResultText kind={kind} view={view} wants={finishing.nextStep} gaveUp={pollingStopped} />
        <div className={styles.facts}>
          <PaymentFacts view={view} orderId={orderId} />
        </div>
        {asked.error ? (
          <Alert tone="warning" live="polite">
            <Trans>We can’t reach the shop right now. This page keeps checking.</Trans>
          </Alert>
        ) : null}
        <SavedStamp {...asked} />
      </StatePage>
      {kind === 'succeeded' && view.order ? <InstallOfferSlot /> : null}
    </>
  );
}

function titleOf(kind: ResultKind, view: PaymentView): ReactNode {
  if (kind === 'pending' && isReviewed(view)) return checkedByHand;
  // a payment that its customer refused, for example on the phone, is not a failure
  return kind === 'failed' && errorNameOf(view.failureCode) === 'paymentCancelled' ? titles.cancelled : titles[kind];
}

const isReviewed = ({ next }: PaymentView) => next?.type === 'upload' && next.proof === 'received';

/** The order in short; without a session only the public part of the payment. */
function PaymentFacts({ view, orderId }: { view: PaymentView; orderId: string | undefined }) {
  const language = useLanguage();
  const { order } = view;
  return (
    <dl className={styles.rows}>
      <FactRow label={<Trans>Plan</Trans>}>
        <Untranslated text={view.planName} />
      </FactRow>
      <FactRow label={<Trans>Amount</Trans>}>
        <MoneyText money={view.total} language={language} />
      </FactRow>
      {order && order.installments > 1 ? (
        <FactRow label={<Trans>Installments</Trans>} long>
          {formatInstallments({ count: order.installments, total: order.total }, language)}
        </FactRow>
      ) : null}
      {order ? (
        <FactRow label={<Trans>Payment method</Trans>} long>
          {formatPaymentMethod(order)}
        </FactRow>
      ) : null}
      {orderId === undefined ? null : (
        <FactRow label={<Trans>Order</Trans>} long>
          <span className={styles.number} translate="no">
            <OrderNumber orderId={orderId} />
          </span>
        </FactRow>
      )}
    </dl>
  );
}
