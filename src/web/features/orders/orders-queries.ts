import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { orders, queryCart } from '#contract/orders.ts';
import { type Order } from '#contract/order.ts';
import type { Result } from '#contract/endpoint.ts';
import { isOpen, type OrderStatus } from '#contract/order-status.ts';
import { q } from '#web/platform/api/query.ts';

const pageSize = 10;
/** Polling interval of the list while an order is unpaid, in milliseconds. */
const refreshMs = 15_000;

type Page = Result<typeof orders>;

export const ordersQuery = (page: number, status: OrderStatus | undefined) =>
  q(orders, { body: { page, size: pageSize, ...(status === undefined ? {} : { status }) } });

/** The unpaid orders; the page works without them. */
export const cartQuery = {
  ...q(queryCart, { body: {} }, { quiet: true }),
  refetchInterval: ({ state }: { state: { data: Result<typeof queryCart> | undefined } }) =>
    state.data?.items.some((order) => isOpen(order.status)) ? refreshMs : false,
};

export interface OrderList {
  readonly items: readonly Order[];
  readonly total: number;
  readonly loaded: boolean;
  readonly loadingMore: boolean;
  readonly error: Error | null;
  /** epoch milliseconds of this device */
  readonly readAt: number;
  readonly more: (() => void) | undefined;
  readonly retry: () => void;
}

/** The orders loaded so far, page by page, newest first. */
export function useOrders(status: OrderStatus | undefined): OrderList {
  const [shown, setShown] = useState({ status, pages: 1 });
  const pages = shown.status === status ? shown.pages : 1;
  const results = useQueries({
    queries: Array.from({ length: pages }, (_, index) => ({
      ...ordersQuery(index + 1, status),
      refetchInterval: ({ state }: { state: { data: Page | undefined } }) =>
        state.data?.items.some((order) => isOpen(order.status)) ? refreshMs : false,
    })),
  });
  const items = withoutRepeats(results.flatMap(({ data }) => data?.items ?? []));
  const total = results.at(-1)?.data?.total ?? results[0]?.data?.total ?? 0;
  return {
    items,
    total,
    loaded: results[0]?.data !== undefined,
    loadingMore: pages > 1 && (results.at(-1)?.isPending ?? false),
    error: results.find(({ error }) => error)?.error ?? null,
    readAt: oldestReadAt(results),
    more: items.length < total ? () => setShown({ status, pages: pages + 1 }) : undefined,
    retry: () => results.forEach((result) => result.error && void result.refetch()),
  };
}

/** A new order shifts the others, so one can be on two pages. */
export function withoutRepeats(items: readonly Order[]): Order[] {
  return [...new Map(items.map((order) => [order.orderId, order])).values()];
}

function oldestReadAt(results: readonly UseQueryResult<Page>[]): number {
  return Math.min(...results.filter(({ data }) => data).map(({ dataUpdatedAt }) => dataUpdatedAt));
}
