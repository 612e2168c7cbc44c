import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { planDetail } from '#contract/plan.ts';
import type { UserInfo } from '#contract/user.ts';
import { accountQuery, cardsQuery, urvQuery } from '#web/features/account/account-query.ts';
import { availableQuery, tipQuery } from '#web/features/checkout/checkout-queries.ts';
import { cartQuery, ordersQuery } from '#web/features/orders/orders-queries.ts';
import { receiptsQuery } from '#web/features/orders/receipts/receipt-list.ts';
import { settingsQuery } from '#web/features/settings/settings-query.ts';
import { q } from '#web/platform/api/query.ts';
import { activeLanguage } from '#web/platform/i18n/active.ts';

type Reads = readonly Readonly<{ queryKey: QueryKey }>[];

/**
 * Starts what the first page of a visit reads, while its scripts still run: on a cheap phone its first rendering, which
 * would start it, comes half a second later. The page shows the errors.
 */
export function startFirstReads(
  client: Pick<QueryClient, 'prefetchQuery'>,
  user: UserInfo,
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
): void {
  // a phone with a session for one checkout would be refused the rest
  if (user.onlyPlanId !== undefined) return;
  for (const read of readsOf(pathname, new URLSearchParams(search), user)) void client.prefetchQuery(read);
}

function readsOf(path: string, search: URLSearchParams, user: UserInfo): Reads {
  switch (path) {
    case '/account':
      return [accountQuery(user), urvQuery, cardsQuery];
    case '/orders':
      return [ordersQuery(1, undefined), cartQuery];
    case '/receipts':
      return [receiptsQuery(1)];
    case '/settings':
      return [settingsQuery];
    case '/payment':
      return search.has('orderId') ? [] : readsOfCheckout(search.get('planId'));
    default:
      return [];
  }
}

function readsOfCheckout(planId: string | null): Reads {
  if (planId === null) return [];
  const plan = q(planDetail, { params: { id: planId }, query: { llanguage: activeLanguage() } });
  return [plan, tipQuery(planId), availableQuery(planId)];
}
