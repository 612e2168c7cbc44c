import type { Deps } from '#server/deps.ts';
import { cancelAbandonedOrders } from '#server/jobs/start-jobs.ts';
import { deleteAccounts } from '#server/jobs/delete-accounts.ts';
import { deleteExpiredRows } from '#server/jobs/delete-expired-rows.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { renewDue } from '#server/jobs/renew-due.ts';

/** What a process of the shop does by itself, by the names under which another process can ask for it. */
export const jobs = {
  renewDue,
  reconcile,
  deleteExpiredRows,
  deleteAccounts,
  rest: async (deps: Deps) => {
    await refundDuplicates(deps);
    await cancelAbandonedOrders(deps);
  },
  /** it hears of new prices */
  refresh: ({ catalog }: Deps) => catalog.refresh(),
};
export type Job = keyof typeof jobs;
