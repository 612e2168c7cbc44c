import { Trans } from '@lingui/react/macro';
import { useReducer } from 'react';
import { serverNow } from '../../api/server-clock.ts';
import { GoTo } from '../../payment-state/go-to.tsx';
import { LoadFailed } from '../../payment-state/load-failed.tsx';
import { endOf, isLapsed } from '../../payment-state/payment-view.ts';
import { resultPath } from '../../payment-state/resume-path.ts';
import { usePaymentState } from '../../payment-state/use-payment-state.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { PixCode } from './pix-code.tsx';
import { PixExpired } from './pix-expired.tsx';
import styles from './pix.module.css';

/** /payment-pix: the code to pay by, until it is paid or its time is over. */
export function PixPage({ orderId }: { orderId: string }) {
  const { view, error, asking, ask } = usePaymentState({ orderId });
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  if (!view) return error ? <LoadFailed error={error} onRetry={ask} /> : <PixSkeleton />;
  const end = endOf(view.status);
  if (end === 'succeeded' || end === 'cancelled') return <GoTo path={resultPath(orderId)} />;
  if (end === 'failed' || isLapsed(view, serverNow())) {
    return <PixExpired order={view.order} checking={asking} onNewCode={ask} />;
  }
  if (view.next?.type === 'redirect') return <GoTo path={resultPath(orderId)} />;
  if (view.next?.type !== 'qr') return <Spinner label={<Trans>Your code is on its way…</Trans>} />;
  const ended = () => {
    redraw();
    ask();
  };
  return <PixCode step={view.next} planName={view.planName} unreachable={error !== null} onEnd={ended} />;
}

function PixSkeleton() {
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
