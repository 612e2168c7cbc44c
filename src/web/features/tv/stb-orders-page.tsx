import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { UserInfo } from '#contract/user.ts';
import type { Order } from '#contract/order.ts';
import { SavedStamp } from '#web/shells/saved-stamp.tsx';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { AccountName } from '#web/domain/account/names.tsx';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import { isConfirmedEmpty, type RetryableRead } from '#web/domain/payments/access-text.tsx';
import { orderAction } from '#web/domain/payments/order-action.ts';
import { useSession } from '#web/platform/session/session.ts';
import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './stb-orders.module.css';
import { StbPlan, StbSignIn } from './stb-plan.tsx';
import { queryInfo, type AccountInfo } from '#contract/account.ts';
import { orders } from '#contract/orders.ts';
import type { Result } from '#contract/endpoint.ts';
import { isOpen } from '#contract/order-status.ts';
import { q } from '#web/platform/api/query.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { OrderActions, RejectionText } from '#web/domain/payments/order-actions.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { MoneyText, dot } from '#web/ui/money-text.tsx';
import { orderStatusLabel } from '#web/domain/payments/status-label.ts';
import { Pill } from '#web/ui/pill.tsx';
import { dayText } from '#web/platform/i18n/day-text.ts';

/** As many as are manageable with a remote control. */
const shown = 6;
/** As many as the orders page requests, so that both share the cached and prefetched response. */
const asked = 10;
/** Polling interval of the list while an order is unpaid, in milliseconds. */
const refreshMs = 15_000;

const planQuery = ({ uid, account, type }: UserInfo) => q(queryInfo, { body: { uid, account, type } });

const recentOrders = {
  ...q(orders, { body: { page: 1, size: asked } }),
  select: ({ items }: Result<typeof orders>) => ({ items: items.slice(0, shown) }),
  refetchInterval: ({ state }: { state: { data: Result<typeof orders> | undefined } }) =>
    state.data?.items.some((order) => isOpen(order.status)) ? refreshMs : (false as const),
};

/** /stb-orders: the orders page of a TV device: the remaining time, the unpaid order, and past orders. */
export function StbOrdersPage() {
  const user = useSession();
  return user ? <StbOrders user={user} /> : <StbSignIn />;
}

function StbOrders({ user }: { user: UserInfo }) {
  const plan = useQuery(planQuery(user));
  const list = useQuery(recentOrders);
  const failed = list.error ?? plan.error;
  const retry = () => void Promise.all([plan.refetch(), list.refetch()]);
  if (failed && !list.data && !plan.data) return <LoadFailed error={failed} onRetry={retry} />;
  const readAt = Math.min(...[list, plan].filter(({ data }) => data).map(({ dataUpdatedAt }) => dataUpdatedAt));
  // one after the other they would move each other
  const isKnown = [plan, list].every(({ data, error }) => data !== undefined || error !== null);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>
          <Trans>Your orders</Trans>
        </h1>
        <p className={styles.soft}>
          <AccountName account={user.account} />
        </p>
        {list.data || plan.data ? <SavedStamp error={failed} readAt={readAt} /> : null}
      </header>
      {isKnown ? <PlanAndOrders plan={plan} list={list} retry={retry} /> : <Loading />}
    </div>
  );
}

interface PlanAndOrdersProps {
  plan: UseQueryResult<AccountInfo>;
  list: UseQueryResult<Pick<Result<typeof orders>, 'items'>>;
  retry: () => void;
}

function PlanAndOrders({ plan, list, retry }: PlanAndOrdersProps) {
  const items = list.data?.items ?? [];
  const waiting = items.find((order) => waits(order));
  return (
    <>
      {waiting ? <Unfinished order={waiting} /> : null}
      <div className={styles.columns}>
        <Card as="section" aria-labelledby="stb-plan" className={styles.plan}>
          {plan.data ? (
            <StbPlan info={plan.data} read={readOf(plan)} showsActions={waiting === undefined} />
          ) : (
            <LoadingOrFailed error={plan.error} retry={retry} />
          )}
        </Card>
        <section aria-labelledby="stb-list" className={styles.orders}>
          {list.data && (items.length > 0 || isConfirmedEmpty(readOf(list))) ? (
            <StbOrderList items={items.filter((order) => order !== waiting)} />
          ) : (
            <LoadingOrFailed error={list.error} retry={retry} />
          )}
        </section>
      </div>
    </>
  );
}

const readOf = ({
  error,
  dataUpdatedAt,
  refetch,
}: Pick<UseQueryResult, 'error' | 'dataUpdatedAt' | 'refetch'>): RetryableRead => ({
  error,
  readAt: dataUpdatedAt,
  onRetry: () => void refetch(),
});

/** An unpaid order that can be continued. */
const waits = (order: Order) => orderAction(order, serverNow()) === 'continue';

/** The placeholder of one half of the page, while the other may be loaded. */
function LoadingOrFailed({ error, retry }: { error: Error | null; retry: () => void }) {
  return error ? <LoadFailed error={error} onRetry={retry} /> : <Loading />;
}

function Loading() {
  return (
    <div aria-busy>
      <p className="sr-only" role="status">
        <Trans>Loading…</Trans>
      </p>
      <Skeleton lines={4} height={32} />
    </div>
  );
}

/** The unpaid order, above everything else. */
function Unfinished({ order }: { order: Order }) {
  const language = useLanguage();
  return (
    <Card as="section" tone="brand" className={styles.unfinished} aria-labelledby="stb-unfinished">
      <div>
        <h2 className={styles.heading} id="stb-unfinished">
          <Trans>Your payment isn’t finished</Trans>
        </h2>
        <p>
          <span translate="no">{`${order.planName}${dot}`}</span>
          <MoneyText money={order.total} language={language} />
          {order.expiresAt === null ? null : (
            <>
              <span>{dot}</span>
              <Countdown until={order.expiresAt} now={serverNow} />
            </>
          )}
        </p>
      </div>
      <OrderActions order={order} />
    </Card>
  );
}

/** The latest orders, newest first, each with its one action. */
function StbOrderList({ items }: { items: readonly Order[] }) {
  return (
    <>
      <h2 className={styles.heading} id="stb-list">
        <Trans>Recent orders</Trans>
      </h2>
      {items.length === 0 ? (
        <p className={styles.soft}>
          <Trans>Your purchases and receipts appear here.</Trans>
        </p>
      ) : (
        <ul className={styles.list}>
          {items.map((order) => (
            <StbOrder key={order.orderId} order={order} />
          ))}
        </ul>
      )}
    </>
  );
}

function StbOrder({ order }: { order: Order }) {
  const { i18n } = useLingui();
  const language = useLanguage();
  const { label, tone } = orderStatusLabel(order);
  return (
    <li className={styles.order}>
      <div className={styles.facts}>
        <strong translate="no">{order.planName}</strong>
        <span className={styles.soft}>
          <span>{`${dayText(i18n, order.date, 'medium')}${dot}`}</span>
          <MoneyText money={order.total} language={language} />
          {order.renewal ? (
            <>
              <span>{dot}</span>
              <Trans>Renewal</Trans>
            </>
          ) : null}
        </span>
        <Pill tone={tone}>{i18n._(label)}</Pill>
        {order.rejection ? (
          <span className={styles.soft}>
            <RejectionText rejection={order.rejection} />
          </span>
        ) : null}
      </div>
      <OrderActions order={order} />
    </li>
  );
}
