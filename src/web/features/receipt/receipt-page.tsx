import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { order, service } from '../../../contract/orders.ts';
import { q } from '../../api/query.ts';
import { SavedStamp } from '../../customer-area/saved-stamp.tsx';
import { LoadFailed } from '../../payment-state/load-failed.tsx';
import { StateArt } from '../../ui/art/state-art.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ArrowLeft, Printer } from '../../ui/icon.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatePage } from '../../ui/state-page.tsx';
import styles from './receipt.module.css';
import { ReceiptSheet } from './receipt-sheet.tsx';

/** /receipt: one page of paper that says what was paid, when and for what. */
export function ReceiptPage({ orderId }: { orderId: string }) {
  const asked = useQuery(q(order, { params: { id: orderId } }, { quiet: true }));
  const validity = useQuery(q(service, { params: { id: orderId } }, { quiet: true }));
  if (!asked.data) {
    return asked.error ? <LoadFailed error={asked.error} onRetry={() => void asked.refetch()} /> : <ReceiptSkeleton />;
  }
  if (!asked.data.receipt) return <NoReceipt />;
  // the order knows its own validity; the service tells what later purchases made of it
  const { serviceStart, serviceEnd } = validity.data ?? asked.data;
  return (
    <div className={styles.page}>
      <div className={styles.tools}>
        <Link to="/orders" className={buttonClass({ variant: 'quiet' })}>
          <ArrowLeft aria-hidden />
          <Trans>Orders</Trans>
        </Link>
        <Button variant="secondary" onClick={() => window.print()}>
          <Printer aria-hidden />
          <Trans>Print</Trans>
        </Button>
      </div>
      <ReceiptSheet order={asked.data} serviceStart={serviceStart} serviceEnd={serviceEnd} />
      <SavedStamp error={asked.error} savedAt={asked.dataUpdatedAt} />
    </div>
  );
}

function NoReceipt() {
  return (
    <StatePage
      art={<StateArt kind="empty" />}
      title={<Trans>There is no receipt for this order yet</Trans>}
      action={
        <Link to="/orders" className={buttonClass()}>
          <Trans>View my orders</Trans>
        </Link>
      }
    >
      <p>
        <Trans>A receipt is made when the money has arrived.</Trans>
      </p>
    </StatePage>
  );
}

function ReceiptSkeleton() {
  return (
    <div className={styles.page} aria-busy>
      <p className="sr-only" role="status">
        <Trans>Loading…</Trans>
      </p>
      <div className={styles.sheet}>
        <Skeleton lines={8} height={28} />
      </div>
    </div>
  );
}
