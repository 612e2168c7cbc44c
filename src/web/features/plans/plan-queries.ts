import type { Language } from '#contract/fields.ts';
import { planConvert, planDetail, planMethodDiscount } from '#contract/site.ts';
import { q } from '#web/platform/api/query.ts';
import { currenciesQuery, plansQuery } from './pricing-queries.ts';

export const planQuery = (planId: string, language: Language) =>
  q(planDetail, { params: { id: planId }, query: { llanguage: language } });

/** The price in another currency; the screen shows a refusal beside the list of currencies. */
export const convertQuery = (planId: string, currency: string) =>
  q(planConvert, { query: { planId }, body: { currency } }, { callerShows: ['rateUnsupported', 'http', 'malformed'] });

/** What the page of one plan is made of; the other plans tell what is saved. */
export const planQueries = (planId: string, language: Language) =>
  [planQuery(planId, language), plansQuery(language)] as const;

/** What paying by one method or another takes off, as it is at this moment. */
export const discountsQuery = (planId: string) => q(planMethodDiscount, { query: { planId } });

/** What it shows when it can be had. */
export const planExtras = (planId: string) => [currenciesQuery(), discountsQuery(planId)] as const;
