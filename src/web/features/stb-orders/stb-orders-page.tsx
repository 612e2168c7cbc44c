import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { UserInfo } from '../../../contract/user.ts';
import type { Order } from '../../../contract/order.ts';
import { serverNow } from '../../api/server-clock.ts';
import { LoadFailed } from '../../payment-state/load-failed.tsx';
import { orderAction } from '../../payment-state/order-action.ts';
import { useSession } from '../../session/session.ts';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StbOrderList } from './stb-order-list.tsx';
import styles from './stb-orders.module.css';
import { planQuery, recentOrders } from './stb-orders-queries.ts';
import { StbPlan } from './stb-plan.tsx';
import { StbSignIn } from './stb-sign-in.tsx';
import { Unfinished } from './unfinished.tsx';

/** /stb-orders: orders as a box shows them. What is left of the plan, what waits to be paid, what was bought. */
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
  const items = list.data?.items ?? [];
  const waiting = items.find((order) => waits(order));
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>
          <Trans>Your orders</Trans>
        </h1>
        <p className={styles.soft}>{user.account}</p>
      </header>
      {waiting ? <Unfinished order={waiting} /> : null}
      <div className={styles.columns}>
        <Card as="section" aria-labelledby="stb-plan" className={styles.plan}>
          {plan.data ? <StbPlan info={plan.data} asks={waiting === undefined} /> : <Loading />}
        </Card>
        <section aria-labelledby="stb-list" className={styles.orders}>
          {list.data ? <StbOrderList items={items.filter((order) => order !== waiting)} /> : <Loading />}
        </section>
      </div>
    </div>
  );
}

/** An order that its owner began and has not paid. */
const waits = (order: Order) => orderAction(order, serverNow()) === 'continue';

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
