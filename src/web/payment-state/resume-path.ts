import type { NextStep } from '../../contract/next-step.ts';

/**
 * Where a payment goes on: at the page of the step it waits at, or at the page that tells how it stands. A path of our
 * own, with its query. Any of the step's pages shows whatever step the order is at; the path is for people.
 */
export function resumePath(orderId: string, next: NextStep): string {
  const page = pageOf(next);
  return page === undefined ? resultPath(orderId) : `${page}?${new URLSearchParams({ orderId })}`;
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
