import type { Order } from '#contract/order.ts';
import { isOpen } from '#contract/order-status.ts';

type OrderAction = 'continue' | 'check' | 'tryAgain' | 'receipt' | 'none';

/** The one action that an order needs from its customer. `now` is epoch milliseconds by the server's clock. */
export function orderAction(
  order: Pick<Order, 'status' | 'expiresAt' | 'receipt' | 'underReview' | 'renewal'>,
  now: number,
): OrderAction {
  // a renewal is charged without its customer, unless the bank requires them, which has a deadline
  const isCharged = order.renewal && isOpen(order.status) && order.expiresAt === null;
  // an order whose outcome is unknown may be paid already
  if (order.underReview || isCharged || order.status === 'SUBMITTED') return 'check';
  if (isOpen(order.status)) return order.expiresAt !== null && order.expiresAt <= now ? 'tryAgain' : 'continue';
  if (order.status === 'PAYMENT_FAILED') return 'tryAgain';
  return order.receipt ? 'receipt' : 'none';
}
