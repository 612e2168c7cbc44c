import { banner, listPlans } from '../../../contract/site.ts';
import type { Language } from '../../../contract/fields.ts';
import { q } from '../../api/query.ts';

export const bannerQuery = (language: Language) => q(banner, { query: { language } });
export const plansQuery = (language: Language) => q(listPlans, { query: { language } });

/** What the home page is made of. */
export const homeQueries = (language: Language) => [bannerQuery(language), plansQuery(language)] as const;
