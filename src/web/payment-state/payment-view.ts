import type { PaymentInfo } from '../../contract/orders.ts';
import type { Order, PublicPayment } from '../../contract/order.ts';
import type { Money } from '../../contract/money.ts';
import type { NextStep } from '../../contract/next-step.ts';
import { isOpen, type OrderStatus } from '../../contract/order-status.ts';

/** A payment as the result and Pix pages show it; what belongs to its owner only is undefined for anyone else. */
export interface PaymentView {
  readonly status: OrderStatus;
  readonly planName: string;
  readonly total: Money;
  /** epoch milliseconds by the server's clock; null when nothing is awaited */
  readonly expiresAt: number | null;
  readonly failureCode: number | null;
  readonly order: Order | undefined;
  readonly next: NextStep | undefined;
}

export function viewOfOwner({ order, next }: PaymentInfo): PaymentView {
  const { status, planName, total, failureCode } = order;
  const ends = next.type === 'none' ? null : (next.expiresAt ?? null);
  return { status, planName, total, failureCode, expiresAt: order.expiresAt ?? ends, order, next };
}

export function viewOfAnyone(payment: PublicPayment): PaymentView {
  return { ...payment, order: undefined, next: undefined };
}

export type PaymentEnd = 'succeeded' | 'failed' | 'cancelled';

/** How a payment stands: what came after it (refund, chargeback) still means that it was paid. */
export function endOf(status: OrderStatus): PaymentEnd | undefined {
  if (isOpen(status)) return undefined;
  if (status === 'PAYMENT_FAILED') return 'failed';
  return status === 'PAYMENT_CANCELLED' ? 'cancelled' : 'succeeded';
}

/** Whether the step it waits at can no longer be taken. */
export function isLapsed(view: PaymentView, now: number): boolean {
  return view.expiresAt !== null && view.expiresAt <= now;
}
