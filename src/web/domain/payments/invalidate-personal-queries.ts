import type { QueryClient } from '@tanstack/react-query';
import { personalQueries, refreshQueries } from '#web/platform/api/query.ts';

/**
 * After an order changed: orders, plan and cards are read again when their pages are opened next, even if they are
 * fresh. Mounted queries are left alone.
 */
export function invalidatePersonalQueries(client: QueryClient): void {
  void refreshQueries(client, {
    type: 'inactive',
    refetchType: 'none',
    ...personalQueries,
  });
}
