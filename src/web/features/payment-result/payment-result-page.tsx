import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Finisher } from '#contract/next-step.ts';
import { track } from '#web/platform/analytics/events.ts';
import { invalidatePersonalQueries } from '#web/domain/payments/invalidate-personal-queries.ts';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import { endOf, type PaymentView } from '#web/domain/payments/payment-view.ts';
import { usePaymentState } from '#web/domain/payments/use-payment-state.ts';
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

export interface PaymentResultPageProps extends Which {
  /** who has to be told that the customer is back; the way back from a provider says it */
  finish?: Finisher | undefined;
  /** the customer has come by the provider's "cancel": it chooses words, and only where the shop says that nothing is paid */
  left?: string | undefined;
}

/** /paymentResult: how a payment stands, as the server says it; nothing in the address is believed but which one it is. */
export function PaymentResultPage({ finish, left, ...which }: PaymentResultPageProps) {
  const { orderId, token } = useWhich(which, { finish, left });
  const { view, error, readAt, unknown, ask } = usePaymentState({ orderId, token });
  const finishing = useFinish(finish, token, ask);
  useSettled(orderId, view);
  if (view) {
    const shownId = view.order?.orderId ?? orderId;
    const asked = { error, readAt };
    return <ResultState {...{ view, finishing, asked, ask }} orderId={shownId} gaveUp={left !== undefined} />;
  }
  if (unknown) return <UnknownPayment />;
  if (error) return <LoadFailed error={error} onRetry={ask} />;
  return <Spinner label={<Trans>Asking how your payment stands…</Trans>} />;
}

/**
 * Which payment: the one in the address; without one, the one that was begun on this phone ([Note: Payment resume]). A
 * token leaves the address as soon as this tab has it, and the history with it.
 */
function useWhich({ orderId, token }: Which, back: Pick<PaymentResultPageProps, 'finish' | 'left'>): Which {
  const [begun] = useState(paymentInProgress.get);
  const navigate = useNavigate();
  const { finish, left } = back;
  useEffect(() => {
    if (token === undefined) return;
    // a browser that stores nothing would not find it again after a reload
    if (!resultTokenKey.set({ orderId, token })) return;
    void navigate({ to: '/paymentResult', search: { orderId, finish, left }, replace: true });
  }, [orderId, token, finish, left, navigate]);
  if (token !== undefined) return { orderId, token };
  const kept = resultTokenKey.get();
  if (kept && (kept.orderId === orderId || (orderId === undefined && !begun))) return { ...kept };
  if (!begun || (orderId !== undefined && orderId !== begun.orderId)) return { orderId };
  return { orderId: begun.orderId, token: begun.resultToken };
}

/** A payment that has ended is not offered to go on with any more, and its key has done its work. */
function useSettled(orderId: string | undefined, view: PaymentView | undefined): void {
  const end = view && endOf(view.status);
  const status = view?.status;
  const methodCode = view?.order?.methodCode;
  const planId = view?.order?.planId;
  const client = useQueryClient();
  useEffect(() => {
    if (!status) return;
    // also of one that waits: it was begun on the way here, after the orders were read
    invalidatePersonalQueries(client);
    if (!end) return;
    if (paymentInProgress.get()?.orderId === orderId) paymentInProgress.clear();
    const uid = getSession()?.uid;
    if (planId) endCheckoutDraft(planId);
    if (end === 'succeeded' && uid && planId) purchaseIntent(uid, planId).clear();
    track('pay_result', 'payment-result', { order_status: status, ...(methodCode ? { method_code: methodCode } : {}) });
  }, [client, end, status, methodCode, planId, orderId]);
}

/** The address names no payment that this visitor may see. */
function UnknownPayment() {
  return (
    <StatePage
      art={<StateArt kind="missing" />}
      title={<Trans>We could not find this payment</Trans>}
      action={
        <Link to="/orders" className={buttonClass()}>
          <Trans>View my orders</Trans>
        </Link>
      }
    >
      <p>
        <Trans>Log in to see your orders and how each payment stands.</Trans>
      </p>
    </StatePage>
  );
}
