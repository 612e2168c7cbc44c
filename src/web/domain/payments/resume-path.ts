import type { NextStep } from '#contract/next-step.ts';
import type { PaymentInfo } from '#contract/orders.ts';
import { isOpen } from '#contract/order-status.ts';

/**
 * Where a payment goes on: at the page of the step it waits at, or at the page that tells how it stands. A path of our
 * own, with its query. Any of the step's pages shows whatever step the order is at; the path is for people.
 */
export function resumePath(orderId: string, next: NextStep): string {
  const page = pageOf(next);
  return page === undefined ? resultPath(orderId) : `${page}?${new URLSearchParams({ orderId })}`;
}

/**
 * The bank of a renewal's card wants its holder, who is away: the order has no step to wait at, and a time until which it
 * is paid by hand, as one that failed would be.
 */
export function waitsForHolder({ order, next }: Pick<PaymentInfo, 'order' | 'next'>): boolean {
  return order.renewal && isOpen(order.status) && next.type === 'none' && order.expiresAt !== null;
}

/** The same of an order that its owner comes back to. */
export function nextPathOf({ order, next }: Pick<PaymentInfo, 'order' | 'next'>): string {
  const { orderId, planId } = order;
  return waitsForHolder({ order, next })
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
