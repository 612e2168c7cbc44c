import { cancelAbandoned } from '#server/billing/record-outcome.ts';
import type { Deps } from '#server/deps.ts';
import { inSteps } from './run-concurrently.ts';

/** How long after its code ran out an order can still be given a new one, in milliseconds: a day. */
export const repayGraceMs = 24 * 60 * 60_000;

const batch = 100;

/** Cancels orders that nobody came back to. Answers how many. */
export function cancelAbandonedOrders({ db, clock }: Deps, stopping?: AbortSignal): Promise<number> {
  return inSteps({ full: batch, stopping }, () => cancelAbandoned(db, clock() - repayGraceMs, batch));
}
