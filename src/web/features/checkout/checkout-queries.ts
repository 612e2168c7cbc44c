import { paymentTip } from '#contract/orders.ts';
import { checkPlanAvailable } from '#contract/plan.ts';
import { q } from '#web/platform/api/query.ts';

/** What the customer is told before paying; never from the cache, because open orders change with every payment. */
export const tipQuery = (planId: string) => ({ ...q(paymentTip, { query: { planId } }, { quiet: true }), gcTime: 0 });

/** Whether the plan can be bought now. */
export const availableQuery = (planId: string) =>
  q(checkPlanAvailable, { body: { planId } }, { shownErrors: ['planUnavailable'] });
