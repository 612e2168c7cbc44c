import { cancelAbandoned } from '#server/billing/record-outcome.ts';
import type { Deps } from '#server/deps.ts';
import { inSteps } from './run-concurrently.ts';

/** Milliseconds after the expiry of its code in which an order can still get a new one: a day. */
export const repayGraceMs = 24 * 60 * 60_000;

const batch = 100;

/** Cancels abandoned orders. Returns their number. */
export function cancelAbandonedOrders({ db, clock }: Deps, stopping?: AbortSignal): Promise<number> {
  return inSteps({ full: batch, stopping }, () => cancelAbandoned(db, clock() - repayGraceMs, batch));
}
