import type { QueryClient } from '@tanstack/react-query';
import { personalQueries, refreshQueries } from '#web/platform/api/query.ts';

/**
 * After an order has moved: what the customer's pages have read of orders, plan and cards is read again when they are
 * opened next, however short ago it was. What is on the screen now is left alone.
 */
export function invalidatePersonalQueries(client: QueryClient): void {
  void refreshQueries(client, {
    type: 'inactive',
    refetchType: 'none',
    ...personalQueries,
  });
}
