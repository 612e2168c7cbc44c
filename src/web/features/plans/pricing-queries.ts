import type { Language } from '../../../contract/fields.ts';
import { listPlans } from '../../../contract/site.ts';
import { q } from '../../api/query.ts';

export const plansQuery = (language: Language) => q(listPlans, { query: { language } });

/** What the pricing table is made of. */
export const pricingQueries = (language: Language) => [plansQuery(language)] as const;
