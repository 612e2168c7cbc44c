import { Trans } from '@lingui/react/macro';
import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './checkout.module.css';

/** Placeholder of the checkout while it loads, in its size. */
export function CheckoutSkeleton() {
  return (
    <div className={styles.page} aria-busy>
      <p className="sr-only" role="status">
        <Trans>Loading…</Trans>
      </p>
      <div className={styles.layout}>
        <Skeleton width={240} height={36} />
        <div className={styles.main}>
          <Skeleton height={60} />
          <Skeleton height={60} />
        </div>
        <Card className={styles.summary}>
          <Skeleton lines={5} />
        </Card>
      </div>
    </div>
  );
}
