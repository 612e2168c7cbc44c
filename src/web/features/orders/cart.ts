import type { Order } from '../../../contract/order.ts';
import { orderAction } from '../../payment-state/order-action.ts';

/** More would push the orders themselves out of sight; the others are in the list beneath. */
const offered = 3;

/** Orders that can be paid now, those that wait for their payment before those that are to be tried again. */
export function cartOffers(items: readonly Order[], now: number): Order[] {
  const of = (action: ReturnType<typeof orderAction>) => items.filter((order) => orderAction(order, now) === action);
  return [...of('continue'), ...of('tryAgain')].slice(0, offered);
}
