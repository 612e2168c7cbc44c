import { useQuery } from '@tanstack/react-query';
import { paymentInfo } from '../../../contract/orders.ts';
import { q } from '../../api/query.ts';
import { GoTo } from '../../payment-state/go-to.tsx';
import { LoadFailed } from '../../payment-state/load-failed.tsx';
import { CheckoutSkeleton } from './checkout-skeleton.tsx';
import { isNoOrder, UnknownOrder } from './unknown-order.tsx';

/** The address has an order and no plan, as links of a mail or of a box may: the order knows its plan. */
export function OrderPlan({ orderId, search }: { orderId: string; search: Readonly<Record<string, unknown>> }) {
  const { data, error, refetch } = useQuery(q(paymentInfo, { body: { orderId } }, { quiet: true }));
  if (isNoOrder(error)) return <UnknownOrder />;
  if (error) return <LoadFailed error={error} onRetry={() => void refetch()} />;
  if (!data) return <CheckoutSkeleton />;
  return <GoTo path={checkoutPath({ ...search, orderId, planId: data.order.planId })} />;
}

/** The checkout of a plan; what is undefined is left out. */
export function checkoutPath(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  return `/payment?${new URLSearchParams(pairs)}`;
}
