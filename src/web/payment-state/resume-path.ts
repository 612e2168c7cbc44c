import type { NextStep } from '../../contract/next-step.ts';

/** Where a payment goes on: at its code, or at the page that tells how it stands. A path of our own, with its query. */
export function resumePath(orderId: string, next: NextStep, resultToken?: string): string {
  return next.type === 'qr' ? `/payment-pix?${new URLSearchParams({ orderId })}` : resultPath(orderId, resultToken);
}

export function resultPath(orderId: string, resultToken?: string): string {
  return `/paymentResult?${new URLSearchParams({ orderId, ...(resultToken ? { token: resultToken } : {}) })}`;
}
