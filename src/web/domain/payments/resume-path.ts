import type { NextStep } from '#contract/next-step.ts';
import type { PaymentInfo } from '#contract/orders.ts';
import { isOpen } from '#contract/order-status.ts';

/**
 * Where a payment continues: at the page of its step, or at the result page. A path with its query. Any step page shows
 * whatever step the order is at; the path is for people.
 */
export function resumePath(orderId: string, next: NextStep): string {
  const page = pageOf(next);
  return page === undefined ? resultPath(orderId) : `${page}?${new URLSearchParams({ orderId })}`;
}

/**
 * The bank requires the holder of a renewal's card, who is absent: the order has no step, and a deadline until which it
 * is paid at the checkout, like a failed order.
 */
export function isAwaitingCardholder({ order, next }: Pick<PaymentInfo, 'order' | 'next'>): boolean {
  return order.renewal && isOpen(order.status) && next.type === 'none' && order.expiresAt !== null;
}

/** The same for an order that its customer returns to. */
export function nextPathOf({ order, next }: Pick<PaymentInfo, 'order' | 'next'>): string {
  const { orderId, planId } = order;
  return isAwaitingCardholder({ order, next })
    ? `/payment?${new URLSearchParams({ planId, orderId })}`
    : resumePath(orderId, next);
}

function pageOf(next: NextStep): string | undefined {
  switch (next.type) {
    case 'none':
      return undefined;
    case 'qr':
      return '/payment-pix';
    case 'redirect':
      return '/payment-redirect';
    case 'upload':
      return next.flavour === 'paynow' ? '/paynowTips' : '/paymentCaishen';
    case 'ticket':
    case 'push':
    case 'otp':
    case 'crypto':
      return '/payment-step';
  }
}

export function resultPath(orderId: string): string {
  return `/paymentResult?${new URLSearchParams({ orderId })}`;
}
