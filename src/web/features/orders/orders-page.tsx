import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { OrderStatus } from '../../../contract/order-status.ts';
import { CustomerArea } from '../../customer-area/customer-area.tsx';
import { SavedStamp } from '../../customer-area/saved-stamp.tsx';
import { LoadFailed } from '../../payment-state/load-failed.tsx';
import { StateArt } from '../../ui/art/state-art.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatePage } from '../../ui/state-page.tsx';
import { OrderTable } from './order-table.tsx';
import { useOrders, type OrderList } from './orders-queries.ts';
import styles from './orders.module.css';
import { StatusFilter } from './status-filter.tsx';
import { UnfinishedOrders } from './unfinished-orders.tsx';

/** /orders: what was bought, how each payment stands, and what can be done about it. */
export function OrdersPage() {
  const [status, setStatus] = useState<OrderStatus>();
  const list = useOrders(status);
  const filtered = status !== undefined;
  return (
    <CustomerArea title={<Trans>Orders</Trans>}>
      <UnfinishedOrders />
      {filtered || list.items.length > 3 ? <StatusFilter value={status} onChange={setStatus} /> : null}
      <Orders list={list} filtered={filtered} />
    </CustomerArea>
  );
}

function Orders({ list, filtered }: { list: OrderList; filtered: boolean }) {
  if (!list.loaded) return list.error ? <LoadFailed error={list.error} onRetry={list.retry} /> : <OrdersSkeleton />;
  if (list.items.length === 0) return filtered ? <NothingFound /> : <NoOrders />;
  return (
    <div className={styles.list}>
      <OrderTable items={list.items} />
      <SavedStamp error={list.error} savedAt={list.savedAt} />
      {list.more ? (
        <Button variant="secondary" busy={list.loadingMore} onClick={list.more}>
          <Trans>Show more</Trans>
        </Button>
      ) : null}
    </div>
  );
}

function NoOrders() {
  return (
    <StatePage
      art={<StateArt kind="empty" />}
      title={<Trans>You have no orders yet</Trans>}
      action={
        <Link to="/pricing-table" className={buttonClass()}>
          <Trans>See the plans</Trans>
        </Link>
      }
    >
      <p>
        <Trans>What you buy appears here, with its receipt.</Trans>
      </p>
    </StatePage>
  );
}

function NothingFound() {
  return (
    <p className={styles.nothing} role="status">
      <Trans>No orders with this status.</Trans>
    </p>
  );
}

function OrdersSkeleton() {
  return (
    <div className={styles.list} aria-busy>
      <p className="sr-only" role="status">
        <Trans>Loading…</Trans>
      </p>
      <Skeleton height={96} />
      <Skeleton height={96} />
      <Skeleton height={96} />
    </div>
  );
}
