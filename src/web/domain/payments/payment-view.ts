import type { PaymentInfo } from '#contract/orders.ts';
import type { Order, PublicPayment } from '#contract/order.ts';
import type { Money } from '#contract/money.ts';
import type { NextStep, StepType } from '#contract/next-step.ts';
import { isOpen, type OrderStatus } from '#contract/order-status.ts';

/** A payment as its pages show it; what belongs to its owner only is undefined for anyone else. */
export interface PaymentView {
  readonly status: OrderStatus;
  readonly planName: string;
  readonly total: Money;
  /** epoch milliseconds by the server's clock; null when nothing is awaited */
  readonly expiresAt: number | null;
  readonly failureCode: number | null;
  /** what usually comes after paying by its method */
  readonly flow: Order['flow'];
  readonly order: Order | undefined;
  readonly next: NextStep | undefined;
  /** it lets the plan renew */
  readonly renews: boolean;
}

export function viewOfOwner({ order, next, renews = false }: PaymentInfo): PaymentView {
  const { status, planName, total, failureCode, flow } = order;
  const ends = next.type === 'none' ? null : (next.expiresAt ?? null);
  return { status, planName, total, failureCode, flow, expiresAt: order.expiresAt ?? ends, order, next, renews };
}

export function viewOfAnyone(payment: PublicPayment): PaymentView {
  return { ...payment, order: undefined, next: undefined, renews: false };
}

export type PaymentEnd = 'succeeded' | 'failed' | 'cancelled';

/** How a payment stands: what came after it (refund, chargeback) still means that it was paid. */
export function endOf(status: OrderStatus): PaymentEnd | undefined {
  if (isOpen(status)) return undefined;
  if (status === 'PAYMENT_FAILED') return 'failed';
  return status === 'PAYMENT_CANCELLED' ? 'cancelled' : 'succeeded';
}

/** Whether the step it waits at can no longer be taken. */
export function isStepExpired(view: PaymentView, now: number): boolean {
  return view.expiresAt !== null && view.expiresAt <= now;
}

/** Steps that give the customer something with a time printed on it; when that has passed, it is made again. */
const timed: ReadonlySet<NextStep['type']> = new Set(['qr', 'ticket', 'crypto', 'upload']);

/**
 * What an order waits by, for the time when its step is gone: the server tells none that has passed. Undefined for an
 * order that waits for an answer, on a phone or on another page, which may still be on its way.
 */
export function timedStepOf({ flow }: Pick<Order, 'flow'>): StepType | undefined {
  return flow !== 'none' && timed.has(flow) ? flow : undefined;
}

/** No attempt stays unknown for longer: until then the provider is asked about it (issue "Paying", two phases). */
const answerLateMs = 15 * 60_000;

/** Until when it is asked for, epoch milliseconds by the server's clock; null while nothing says so. */
export function pollDeadline({ expiresAt, order }: PaymentView): number | null {
  if (expiresAt === null) return null;
  return order && timedStepOf(order) === undefined ? expiresAt + answerLateMs : expiresAt;
}

/**
 * Whether an answer may still come although its time has passed: somebody who was asked on a phone may have said yes,
 * and that is not known yet.
 */
export function awaitsAnswer(view: PaymentView, now: number): boolean {
  return isOpen(view.status) && isStepExpired(view, now) && now < (pollDeadline(view) ?? 0);
}
