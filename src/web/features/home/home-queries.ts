import { banner, dynamicConfig, listPlans } from '#contract/site.ts';
import type { Language } from '#contract/fields.ts';
import { q } from '#web/platform/api/query.ts';

export const bannerQuery = (language: Language) => q(banner, { query: { language } });
export const plansQuery = (language: Language) => q(listPlans, { query: { language } });
/** What help answers: the same words that its page shows. */
export const helpQuery = (language: Language) => q(dynamicConfig, { query: { type: 'help', code: language } });

/** What the home page cannot do without. */
export const homeQueries = (language: Language) => [plansQuery(language)] as const;

/** What it shows when it can be had. */
export const homeExtras = (language: Language) => [bannerQuery(language), helpQuery(language)] as const;
