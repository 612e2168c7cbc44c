import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { findPathRow } from '#contract/paths.ts';
import { paymentInfo } from '#contract/orders.ts';
import { isOpen } from '#contract/order-status.ts';
import { orderAction } from '#web/domain/payments/order-action.ts';
import { callErrorOf } from '#web/platform/api/api-error.ts';
import { q } from '#web/platform/api/query.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { useSession } from '#web/platform/session/session.ts';
import type { PaymentInProgress } from '#web/platform/session/storage/purchase-keys.ts';
import { paymentInProgress } from '#web/platform/session/storage/purchase.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';

/**
 * Offers to continue a payment that was started on this device, with the same code and no new order. Renders nothing if
 * there is none. For the shell or the home page; browser only.
 */
export function ContinuePayment() {
  const user = useSession();
  const { pathname } = useLocation();
  if (!user || findPathRow(pathname)?.showsPayment) return null;
  return <StoredPayment key={pathname} />;
}

/** Reads the storage on every page: another page or tab may have started or ended a payment. */
function StoredPayment() {
  const [found, setFound] = useState(paymentInProgress.get);
  return found ? <Offer payment={found} onOver={() => setFound(undefined)} /> : null;
}

function Offer({ payment, onOver }: { payment: PaymentInProgress; onOver: () => void }) {
  const navigate = useNavigate();
  const { data, error } = useQuery(q(paymentInfo, { body: { orderId: payment.orderId } }, { quiet: true }));
  const gone = callErrorOf(error)?.kind === 'refused';
  const over = gone || (data !== undefined && !isOpen(data.order.status));
  useEffect(() => {
    if (!over) return;
    paymentInProgress.clear();
    onOver();
  }, [over, onOver]);
  // nothing is left to do if the payer has done their part, which only the server knows
  if (over || (!data && !error) || (data && orderAction(data.order, serverNow()) === 'check')) return null;
  return (
    <Alert
      tone="info"
      title={<Trans>You have a payment to finish</Trans>}
      action={
        <Button variant="secondary" onClick={() => void navigate({ href: payment.resumePath })}>
          <Trans>Continue payment</Trans>
        </Button>
      }
    >
      <span data-private translate="no">
        {data?.order.planName}
      </span>
    </Alert>
  );
}
