import type { Order } from '#contract/order.ts';
import { isOpen } from '#contract/order-status.ts';

export type OrderAction = 'continue' | 'check' | 'tryAgain' | 'receipt' | 'none';

/** The one thing an order waits for from its owner. `now` is epoch milliseconds by the server's clock. */
export function orderAction(
  order: Pick<Order, 'status' | 'expiresAt' | 'receipt' | 'underReview' | 'renewal'>,
  now: number,
): OrderAction {
  // a renewal is charged while its owner is away, unless their bank wants them, which has an end
  const isCharged = order.renewal && isOpen(order.status) && order.expiresAt === null;
  // what nobody has answered yet may be paid
  if (order.underReview || isCharged || order.status === 'SUBMITTED') return 'check';
  if (isOpen(order.status)) return order.expiresAt !== null && order.expiresAt <= now ? 'tryAgain' : 'continue';
  if (order.status === 'PAYMENT_FAILED') return 'tryAgain';
  return order.receipt ? 'receipt' : 'none';
}
