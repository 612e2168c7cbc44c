import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Finisher } from '../../../contract/next-step.ts';
import { track } from '../../analytics/events.ts';
import { askAnew } from '../../payment-state/ask-anew.ts';
import { LoadFailed } from '../../payment-state/load-failed.tsx';
import { endOf, type PaymentView } from '../../payment-state/payment-view.ts';
import { usePaymentState } from '../../payment-state/use-payment-state.ts';
import { getSession } from '../../session/session.ts';
import { paymentInProgress, purchaseIntent } from '../../storage/purchase.ts';
import { resultTokenKey } from '../../storage/result-token-key.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { ResultState } from './result-state.tsx';
import { UnknownPayment } from './unknown-payment.tsx';
import { useFinish } from './use-finish.ts';

interface Which {
  orderId?: string | undefined;
  token?: string | undefined;
}

export interface PaymentResultPageProps extends Which {
  /** who has to be told that the customer is back; the way back from a provider says it */
  finish?: Finisher | undefined;
}

/** /paymentResult: how a payment stands, as the server says it; nothing in the address is believed but which one it is. */
export function PaymentResultPage({ finish, ...which }: PaymentResultPageProps) {
  const { orderId, token } = useWhich(which, finish);
  const { view, error, unknown, ask } = usePaymentState({ orderId, token });
  const finishing = useFinish(finish, token, ask);
  useSettled(orderId, view);
  if (view) {
    const shownId = view.order?.orderId ?? orderId;
    return <ResultState view={view} orderId={shownId} finishing={finishing} unreachable={error !== null} ask={ask} />;
  }
  if (unknown) return <UnknownPayment />;
  if (error) return <LoadFailed error={error} onRetry={ask} />;
  return <Spinner label={<Trans>Asking how your payment stands…</Trans>} />;
}

/**
 * Which payment: the one in the address; without one, the one that was begun on this phone ([Note: Payment resume]). A
 * token leaves the address as soon as this tab has it, and the history with it.
 */
function useWhich({ orderId, token }: Which, finish: Finisher | undefined): Which {
  const [begun] = useState(paymentInProgress.get);
  const navigate = useNavigate();
  useEffect(() => {
    if (token === undefined) return;
    resultTokenKey.set({ orderId, token });
    // a browser that keeps nothing would not find it again
    if (resultTokenKey.get()?.token !== token) return;
    void navigate({ to: '/paymentResult', search: { orderId, finish }, replace: true });
  }, [orderId, token, finish, navigate]);
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
    askAnew(client);
    if (!end) return;
    if (paymentInProgress.get()?.orderId === orderId) paymentInProgress.clear();
    const uid = getSession()?.uid;
    if (end === 'succeeded' && uid && planId) purchaseIntent(uid, planId).clear();
    track('pay_result', 'payment-result', { order_status: status, ...(methodCode ? { method_code: methodCode } : {}) });
  }, [client, end, status, methodCode, planId, orderId]);
}
