import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Link } from '#web/platform/brand/link.tsx';
import { useEffect, useState } from 'react';
import type { ConfirmingProvider } from '#contract/next-step.ts';
import { track } from '#web/platform/analytics/events.ts';
import { invalidatePersonalQueries } from '#web/domain/payments/invalidate-personal-queries.ts';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import { usePaymentState, finalOutcomeOf, type PaymentView } from '#web/domain/payments/use-payment-state.ts';
import { getSession } from '#web/platform/session/session.ts';
import { endCheckoutDraft } from '#web/platform/session/storage/checkout-draft.ts';
import { paymentInProgress, purchaseIntent } from '#web/platform/session/storage/purchase.ts';
import { resultTokenKey } from '#web/platform/session/storage/result-token-key.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { ResultState } from './result-state.tsx';
import { useFinish } from './use-finish.ts';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { StatePage } from '#web/ui/state-page.tsx';

interface Which {
  orderId?: string | undefined;
  token?: string | undefined;
}

interface PaymentResultPageProps extends Which {
  /** the provider to inform that the customer has returned; part of the provider's return URL */
  finish?: ConfirmingProvider | undefined;
  /**
   * the customer used the provider's "cancel": it selects messages, and only if the server reports that nothing is paid
   */
  left?: string | undefined;
}

/** /paymentResult: the state of a payment as the server reports it; from the URL only its ID is used. */
export function PaymentResultPage({ finish, left, ...which }: PaymentResultPageProps) {
  const { orderId, token } = usePaymentReference(which, { finish, left });
  const { view, error, readAt, unknown, ask } = usePaymentState({ orderId, token });
  const finishing = useFinish(finish, token, ask);
  useSettled(orderId, view);
  if (view) {
    const shownId = view.order?.orderId ?? orderId;
    const asked = { error, readAt };
    return <ResultState {...{ view, finishing, asked, ask }} orderId={shownId} pollingStopped={left !== undefined} />;
  }
  if (unknown) return <UnknownPayment />;
  if (error) return <LoadFailed error={error} onRetry={ask} />;
  return <Spinner label={<Trans>Checking your payment…</Trans>} />;
}

/**
 * The payment in the URL; without one, the payment that was started on this device. A token is removed from the URL and
 * the history once this tab has stored it.
 */
function usePaymentReference({ orderId, token }: Which, back: Pick<PaymentResultPageProps, 'finish' | 'left'>): Which {
  const [begun] = useState(paymentInProgress.get);
  const navigate = useNavigate();
  const { finish, left } = back;
  useEffect(() => {
    if (token === undefined) return;
    // without storage, the token in the URL is needed after a reload
    if (!resultTokenKey.set({ orderId, token })) return;
    void navigate({ to: '/paymentResult', search: { orderId, finish, left }, replace: true });
  }, [orderId, token, finish, left, navigate]);
  if (token !== undefined) return { orderId, token };
  const kept = resultTokenKey.get();
  if (kept && (kept.orderId === orderId || (orderId === undefined && !begun))) return { ...kept };
  if (!begun || (orderId !== undefined && orderId !== begun.orderId)) return { orderId };
  return { orderId: begun.orderId, token: begun.resultToken };
}

/** A payment that has ended is not offered to be continued, and its idempotency key is removed. */
function useSettled(orderId: string | undefined, view: PaymentView | undefined): void {
  const end = view && finalOutcomeOf(view.status);
  const status = view?.status;
  const methodCode = view?.order?.methodCode;
  const planId = view?.order?.planId;
  const client = useQueryClient();
  useEffect(() => {
    if (!status) return;
    // also for an unpaid order: it was created after the orders were read
    invalidatePersonalQueries(client);
    if (!end) return;
    if (paymentInProgress.get()?.orderId === orderId) paymentInProgress.clear();
    const uid = getSession()?.uid;
    if (planId) endCheckoutDraft(planId);
    if (end === 'succeeded' && uid && planId) purchaseIntent(uid, planId).clear();
    track('pay_result', 'payment-result', { order_status: status, ...(methodCode ? { method_code: methodCode } : {}) });
  }, [client, end, status, methodCode, planId, orderId]);
}

/** The URL names no payment that this visitor may see. */
function UnknownPayment() {
  return (
    <StatePage
      art={<StateArt kind="missing" />}
      title={<Trans>We couldn’t find this payment</Trans>}
      action={
        <Link to="/orders" className={buttonClass()}>
          <Trans>View my orders</Trans>
        </Link>
      }
    >
      <p>
        <Trans>Log in to see your orders and payments.</Trans>
      </p>
    </StatePage>
  );
}
