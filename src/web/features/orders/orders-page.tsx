import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Order } from '#contract/order.ts';
import { type OrderStatus, orderStatusSchema } from '#contract/order-status.ts';
import { CustomerArea } from '#web/shells/customer-area.tsx';
import { SavedStamp } from '#web/shells/saved-stamp.tsx';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import { ConfirmedEmptyList } from '#web/domain/payments/access-text.tsx';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { OrderTable } from './order-table.tsx';
import { useOrders, type OrderList } from './orders-queries.ts';
import styles from './orders.module.css';
import { UnfinishedOrders, useOffers } from './unfinished-orders.tsx';
import * as v from 'valibot';
import { statusLabel } from '#web/domain/payments/status-label.ts';
import { Select } from '#web/ui/select.tsx';
import { personalQueries, refreshQueries } from '#web/platform/api/query.ts';

const offered: readonly OrderStatus[] = [
  'PAYMENT_SUCCEEDED',
  'PAYMENT_PENDING',
  'PAYMENT_FAILED',
  'PAYMENT_CANCELLED',
  'REFUND_SUCCEEDED',
];

interface StatusFilterProps {
  value: OrderStatus | undefined;
  onChange: (status: OrderStatus | undefined) => void;
}

function StatusFilter({ value, onChange }: StatusFilterProps) {
  const { t, i18n } = useLingui();
  const choose = (text: string) => {
    const parsed = v.safeParse(orderStatusSchema, text);
    onChange(parsed.success ? parsed.output : undefined);
  };
  return (
    <div className={styles.filter}>
      <Select label={t`Status`} name="status" value={value ?? ''} onChange={(event) => choose(event.target.value)}>
        <option value="">{t`All orders`}</option>
        {offered.map((status) => (
          <option key={status} value={status}>
            {i18n._(statusLabel(status).label)}
          </option>
        ))}
      </Select>
    </div>
  );
}

/** /orders: the orders, the state of each payment, and the actions. */
export function OrdersPage() {
  const [status, setStatus] = useState<OrderStatus>();
  const list = useOrders(status);
  const client = useQueryClient();
  const filtered = status !== undefined;
  const waiting = useOffers(filtered ? { loaded: false, items: [] } : list);
  // a filter by status shows all matching orders in one list
  const offers = filtered ? [] : waiting;
  const above = new Set(offers.map(({ orderId }) => orderId));
  const rest = list.items.filter(({ orderId }) => !above.has(orderId));
  return (
    <CustomerArea title={<Trans>Orders</Trans>} meanwhile={<OrdersSkeleton />}>
      {list.loaded ? <SavedStamp error={list.error} readAt={list.readAt} fillsGap /> : null}
      <UnfinishedOrders offers={offers} onChanged={() => void refreshQueries(client, personalQueries)} />
      {filtered || list.items.length > 3 ? <StatusFilter value={status} onChange={setStatus} /> : null}
      <Orders list={list} items={rest} filtered={filtered} alone={offers.length === 0} />
    </CustomerArea>
  );
}

interface OrdersProps {
  list: OrderList;
  /** orders that are not shown above already */
  items: readonly Order[];
  filtered: boolean;
  alone: boolean;
}

function Orders({ list, items, filtered, alone }: OrdersProps) {
  if (!list.loaded) return list.error ? <LoadFailed error={list.error} onRetry={list.retry} /> : <OrdersSkeleton />;
  if (list.items.length === 0) {
    return (
      <ConfirmedEmptyList error={list.error} readAt={list.readAt} onRetry={list.retry} asking={<OrdersSkeleton />}>
        {filtered ? <NoMatches /> : <NoOrders />}
      </ConfirmedEmptyList>
    );
  }
  if (items.length === 0 && !alone && !list.more) return null;
  return (
    <div className={styles.list}>
      {items.length > 0 ? <OrderTable items={items} /> : null}
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
          <Trans>See plans</Trans>
        </Link>
      }
    >
      <p>
        <Trans>Your purchases and receipts appear here.</Trans>
      </p>
    </StatePage>
  );
}

function NoMatches() {
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
