import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { listCoupons } from '#contract/coupons.ts';
import { order, service } from '#contract/orders.ts';
import type { UserInfo } from '#contract/user.ts';
import { q } from '#web/platform/api/query.ts';
import { accountQuery } from '#web/features/account/account-query.ts';
import { settingsQuery } from '#web/features/settings/settings-query.ts';
import { ordersQuery } from '#web/features/orders/orders-queries.ts';
import { receiptsQuery } from '#web/features/orders/receipts/receipt-list.ts';
import { isOffline, hasDataSaver } from '#web/platform/api/network/network-state.ts';
import { isSessionReplaced } from '#web/platform/session/replacing.ts';
import { getSession } from '#web/platform/session/session.ts';

/** Answers that are younger than a day, in milliseconds, are not fetched ahead again. */
const freshMs = 24 * 60 * 60 * 1000;

/**
 * Fetches the answers that a customer needs offline, even if the pages were never opened. One after the other, because
 * the customer's own requests are more urgent; a failure is retried at the next start.
 */
export async function prefetchAccount(client: QueryClient, user: UserInfo): Promise<void> {
  // a phone with a session for one checkout would be refused the rest
  if (user.onlyPlanId !== undefined) return;
  const list = ordersQuery(1, undefined);
  const account = accountQuery(user);
  const isDue = ({ queryKey }: { queryKey: QueryKey }) =>
    (client.getQueryState(queryKey)?.dataUpdatedAt ?? 0) < Date.now() - freshMs &&
    !hasDataSaver() &&
    !isOffline() &&
    !isSessionReplaced() &&
    getSession()?.token === user.token;
  // one that fails, or that the backend does not have, is skipped
  const prefetch = async (query: Readonly<{ queryKey: QueryKey }>) => {
    if (isDue(query)) await client.prefetchQuery(query);
  };
  await prefetch(list);
  await prefetch(account);
  await prefetch(q(listCoupons, { body: {} }, { quiet: true }));
  await prefetch(receiptsQuery(1));
  await prefetch(settingsQuery);
  const paid = client.getQueryData(list.queryKey)?.items.find(({ receipt }) => receipt);
  if (!paid) return;
  await prefetch(q(order, { params: { id: paid.orderId } }, { quiet: true }));
  await prefetch(q(service, { params: { id: paid.orderId } }, { quiet: true }));
}
