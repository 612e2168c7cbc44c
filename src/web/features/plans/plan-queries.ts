import { redirect } from '@tanstack/react-router';
import type { Language } from '#contract/fields.ts';
import { planConvert, planDetail, planMethodDiscount, type PlanDetail } from '#contract/plan.ts';
import { isRefused, isServerUnreachable } from '#web/platform/api/api-error.ts';
import { languageOf, load, q } from '#web/platform/api/query.ts';
import type { RouterContext } from '#web/platform/api/router-context.ts';
import { currenciesQuery, plansQuery } from './pricing-queries.ts';

const planInput = (id: string, llanguage: Language) => ({ params: { id }, query: { llanguage } });

export const planQuery = (planId: string, language: Language) => q(planDetail, planInput(planId, language));

/** The same query in a loader. It also runs for a link that nobody has opened, so an unknown plan must not navigate. */
const planToLoad = (planId: string, language: Language) =>
  q(planDetail, planInput(planId, language), { shownErrors: ['pageNotFound'] });

/** The price in another currency; an error is shown beside the currency select. */
export const convertQuery = (planId: string, currency: string) =>
  q(planConvert, { query: { planId }, body: { currency } }, { shownErrors: ['rateUnsupported', 'http', 'malformed'] });

/** Required by the page of a plan; the other plans determine the savings. */
const planQueries = (planId: string, language: Language) =>
  [planToLoad(planId, language), plansQuery(language)] as const;

/** The current discounts of payment methods. */
export const discountsQuery = (planId: string) => q(planMethodDiscount, { query: { planId } }, { quiet: true });

/** Optional content of the page. */
const planExtras = (planId: string) => [currenciesQuery(), discountsQuery(planId)] as const;

/**
 * Loads the page of a plan. While the server is unreachable, a plan that was never opened on this device is shown as
 * the list of plans has it.
 */
export async function loadPlan(context: RouterContext, planId: string): Promise<PlanDetail> {
  const language = languageOf(context);
  const { queryClient } = context;
  const detail = planToLoad(planId, language);
  try {
    await load(context, planQueries(planId, language), planExtras(planId));
    return await queryClient.ensureQueryData(detail);
  } catch (error) {
    if (isRefused(error, 'pageNotFound')) throw redirect({ to: '/404', replace: true });
    if (!isServerUnreachable(error)) throw error;
    const { plans } = await queryClient.ensureQueryData(plansQuery(language));
    const listed = plans.find(({ id }) => id === planId);
    if (!listed) throw error;
    const plan = { ...listed, description: '', features: [] };
    // stale from the start, so that the server's answer replaces it
    queryClient.setQueryData(detail.queryKey, plan, { updatedAt: 0 });
    return plan;
  }
}
