import type { QueryClient } from '@tanstack/react-query';

/**
 * After an order has moved: what the customer's pages have read of orders, plan and cards is read again when they are
 * opened next, however short ago it was. What is on the screen now is left alone.
 */
export function askAnew(client: QueryClient): void {
  void client.invalidateQueries({
    type: 'inactive',
    refetchType: 'none',
    predicate: ({ meta }) => meta?.['personal'] === true,
  });
}
