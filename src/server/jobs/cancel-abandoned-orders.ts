import { cancelAbandoned } from '../billing/record-outcome.ts';
import type { Deps } from '../deps.ts';

/** How long after its code ran out an order can still be given a new one, in milliseconds: a day. */
export const repayGraceMs = 24 * 60 * 60_000;

/** Cancels orders that nobody came back to. Answers how many. */
export function cancelAbandonedOrders({ db, clock }: Deps): Promise<number> {
  return cancelAbandoned(db, clock() - repayGraceMs);
}
