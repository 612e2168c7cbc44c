import { banner, listPlans } from '../../../contract/site.ts';
import type { Language } from '../../../contract/fields.ts';
import { q } from '../../api/query.ts';

export const bannerQuery = (language: Language) => q(banner, { query: { language } });
export const plansQuery = (language: Language) => q(listPlans, { query: { language } });

/** What the home page cannot do without. */
export const homeQueries = (language: Language) => [plansQuery(language)] as const;

/** What it shows when it can be had. */
export const homeExtras = (language: Language) => [bannerQuery(language)] as const;
