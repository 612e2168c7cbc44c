import type { Deps } from '#server/deps.ts';
import { cancelAbandonedOrders } from '#server/jobs/start-jobs.ts';
import { deleteAccounts } from '#server/jobs/delete-accounts.ts';
import { deleteExpiredRows } from '#server/jobs/delete-expired-rows.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { renewDue } from '#server/jobs/renew-due.ts';

/** The jobs of a shop process, by the names with which another process can start them. */
export const jobs = {
  renewDue,
  reconcile,
  deleteExpiredRows,
  deleteAccounts,
  rest: async (deps: Deps) => {
    await refundDuplicates(deps);
    await cancelAbandonedOrders(deps);
  },
  /** reads changed prices */
  refresh: ({ catalog }: Deps) => catalog.refresh(),
};
export type Job = keyof typeof jobs;
