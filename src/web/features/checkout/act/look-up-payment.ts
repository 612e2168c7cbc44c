import { orders, paymentInfo } from '../../../../contract/orders.ts';
import { type Order } from '../../../../contract/order.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import type { PayOutcome } from './pay-outcome.ts';

/** Seconds are all that the server's date tells, and phones drift between two answers. */
const clockSlackMs = 10_000;

export interface Lookup {
  readonly planId: string;
  /** when the request may have been sent, epoch milliseconds by the server's clock */
  readonly sentAt: number;
  /** the order that it repaid, when it did */
  readonly orderId: string | undefined;
}

/** The newest order that a lost request can have made. */
export function orderOfLookup(items: readonly Order[], { planId, sentAt, orderId }: Lookup): Order | undefined {
  if (orderId !== undefined) return items.find((order) => order.orderId === orderId);
  return items
    .filter((order) => order.planId === planId && order.date >= sentAt - clockSlackMs)
    .toSorted((a, b) => b.date - a.date)[0];
}

export type Found =
  | { readonly kind: 'outcome'; readonly outcome: PayOutcome; readonly methodCode: string }
  | { readonly kind: 'nothing' }
  /** the server could not be asked; what happened is as unknown as before */
  | { readonly kind: 'unasked' };

/** Asks the server what became of a payment whose request is gone with the page that sent it. */
export async function lookUpPayment(lookup: Lookup): Promise<Found> {
  try {
    const order = await findOrder(lookup);
    if (!order || order.status === 'PAYMENT_CANCELLED') return { kind: 'nothing' };
    const { methodCode } = order;
    if (order.status !== 'PAYMENT_FAILED') {
      return { kind: 'outcome', methodCode, outcome: await answerOf(order.orderId) };
    }
    // A repaid order may have failed before the lost request reached anyone: nothing is known of that one.
    if (lookup.orderId !== undefined) return { kind: 'nothing' };
    const code = order.failureCode ?? 2003;
    return { kind: 'outcome', methodCode, outcome: { kind: 'declined', code, orderId: order.orderId } };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: 'unasked' };
  }
}

async function findOrder(lookup: Lookup): Promise<Order | undefined> {
  if (lookup.orderId !== undefined) {
    const { order } = await call(paymentInfo, { body: { orderId: lookup.orderId } }, { quiet: true });
    return order;
  }
  const { items } = await call(orders, { body: { page: 1, size: 20 } }, { quiet: true });
  return orderOfLookup(items, lookup);
}

async function answerOf(orderId: string): Promise<PayOutcome> {
  const { order, next, resultToken } = await call(paymentInfo, { body: { orderId } }, { quiet: true });
  return { kind: 'answered', answer: { orderId, status: order.status, resultToken, next } };
}
