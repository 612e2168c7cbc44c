import type { PaymentInfo } from '#contract/orders.ts';
import type { Order, PublicPayment } from '#contract/order.ts';
import type { Money } from '#contract/money.ts';
import type { NextStep, StepType } from '#contract/next-step.ts';
import { isOpen, type OrderStatus } from '#contract/order-status.ts';

/** A payment as its pages show it; private parts are undefined without the owner's session. */
export interface PaymentView {
  readonly status: OrderStatus;
  readonly planName: string;
  readonly total: Money;
  /** epoch milliseconds by the server's clock; null if nothing is awaited */
  readonly expiresAt: number | null;
  readonly failureCode: number | null;
  /** the usual next step after paying by its method */
  readonly flow: Order['flow'];
  readonly order: Order | undefined;
  readonly next: NextStep | undefined;
  /** the order makes the plan renew */
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

/** The final result of a payment: a later refund or chargeback still means that it was paid. */
export function endOf(status: OrderStatus): PaymentEnd | undefined {
  if (isOpen(status)) return undefined;
  if (status === 'PAYMENT_FAILED') return 'failed';
  return status === 'PAYMENT_CANCELLED' ? 'cancelled' : 'succeeded';
}

/** Whether the time of its next step has passed. */
export function isStepExpired(view: PaymentView, now: number): boolean {
  return view.expiresAt !== null && view.expiresAt <= now;
}

/** Steps with a printed deadline; after it, the customer generates a new one. */
const timed: ReadonlySet<NextStep['type']> = new Set(['qr', 'ticket', 'crypto', 'upload']);

/**
 * The step type of an order whose step has expired: the server does not return an expired step. Undefined for an order
 * that waits for an answer on a phone or another page, which may still arrive.
 */
export function timedStepOf({ flow }: Pick<Order, 'flow'>): StepType | undefined {
  return flow !== 'none' && timed.has(flow) ? flow : undefined;
}

/** Reconciliation asks the provider for at most this long about an unknown attempt, in milliseconds. */
const answerLateMs = 15 * 60_000;

/** When polling ends, epoch milliseconds by the server's clock; null while there is no deadline. */
export function pollDeadline({ expiresAt, order }: PaymentView): number | null {
  if (expiresAt === null) return null;
  return order && timedStepOf(order) === undefined ? expiresAt + answerLateMs : expiresAt;
}

/**
 * Whether an answer may still arrive after the deadline: the payer may have confirmed on a phone, and the shop does not
 * know it yet.
 */
export function awaitsAnswer(view: PaymentView, now: number): boolean {
  return isOpen(view.status) && isStepExpired(view, now) && now < (pollDeadline(view) ?? 0);
}
