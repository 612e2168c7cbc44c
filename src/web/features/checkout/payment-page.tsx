import { useState } from 'react';
import type { PaymentInfo } from '../../../contract/orders.ts';
import { isOpen } from '../../../contract/order-status.ts';
import { serverNow } from '../../api/server-clock.ts';
import { GoTo } from '../../payment-state/go-to.tsx';
import { LoadFailed } from '../../payment-state/load-failed.tsx';
import { resumePath } from '../../payment-state/resume-path.ts';
import { useSession } from '../../session/session.ts';
import { CheckoutScreen } from './checkout-screen.tsx';
import { CheckoutSkeleton } from './checkout-skeleton.tsx';
import type { CheckoutStep } from './steps.tsx';
import { useCheckoutData } from './use-checkout-data.ts';

export interface PaymentPageProps {
  planId: string;
  /** an order whose last try failed or expired, to be paid again */
  orderId?: string | undefined;
  currency?: string | undefined;
  step?: CheckoutStep | undefined;
  /** the order still waits, and the customer wants to pay it in another way */
  another?: '1' | undefined;
}

/** /payment: choose how to pay, then pay. */
export function PaymentPage({ planId, orderId, currency, step, another }: PaymentPageProps) {
  const user = useSession();
  // A decline writes the order into the address while the page is open; what was loaded at first stays.
  const [first] = useState(orderId);
  const { plan, available, tip, currencies, repaid, error, retry } = useCheckoutData({ planId, orderId: first });
  if (error) return <LoadFailed error={error} onRetry={retry} />;
  const waiting = first !== undefined && !repaid;
  if (!user || !plan || !available || !tip || !currencies || waiting) return <CheckoutSkeleton />;
  if (repaid && !mayRepay(repaid, serverNow(), another !== undefined)) {
    return <GoTo path={resumePath(repaid.order.orderId, repaid.next, repaid.resultToken)} />;
  }
  const repay = repaid?.order.status === 'PAYMENT_CANCELLED' ? undefined : repaid?.order;
  return (
    <CheckoutScreen
      key={planId}
      user={user}
      plan={plan}
      tip={tip}
      repay={repay}
      orderId={orderId === first ? repay?.orderId : orderId}
      currencies={currencies.map(({ code }) => code)}
      currency={currency}
      step={step}
      anew={another !== undefined}
    />
  );
}

/**
 * An order that is paid is not paid again, nor is one that waits for its payment, unless by `another` way: the server
 * closes the first one then. A cancelled order makes way for a new one.
 */
function mayRepay({ order, next }: PaymentInfo, now: number, another: boolean): boolean {
  if (order.status === 'PAYMENT_FAILED' || order.status === 'PAYMENT_CANCELLED') return true;
  if (another && isOpen(order.status)) return true;
  const ends = order.expiresAt ?? (next.type === 'none' ? null : (next.expiresAt ?? null));
  return isOpen(order.status) && ends !== null && ends <= now;
}
