import type { Language } from '#contract/fields.ts';
import { planConvert, planDetail, planMethodDiscount } from '#contract/plan.ts';
import { q } from '#web/platform/api/query.ts';
import { currenciesQuery, plansQuery } from './pricing-queries.ts';

export const planQuery = (planId: string, language: Language) =>
  q(planDetail, { params: { id: planId }, query: { llanguage: language } });

/** The price in another currency; an error is shown beside the currency select. */
export const convertQuery = (planId: string, currency: string) =>
  q(planConvert, { query: { planId }, body: { currency } }, { shownErrors: ['rateUnsupported', 'http', 'malformed'] });

/** Required by the page of a plan; the other plans determine the savings. */
export const planQueries = (planId: string, language: Language) =>
  [planQuery(planId, language), plansQuery(language)] as const;

/** The current discounts of payment methods. */
export const discountsQuery = (planId: string) => q(planMethodDiscount, { query: { planId } });

/** Optional content of the page. */
export const planExtras = (planId: string) => [currenciesQuery(), discountsQuery(planId)] as const;
