import { banner, dynamicConfig } from '#contract/documents.ts';
import { listPlans } from '#contract/plan.ts';
import type { Language } from '#contract/fields.ts';
import { q } from '#web/platform/api/query.ts';

export const bannerQuery = (language: Language) => q(banner, { query: { language } }, { quiet: true });
export const plansQuery = (language: Language) => q(listPlans, { query: { language } });
/** The help document, the same as on its page. */
export const helpQuery = (language: Language) =>
  q(dynamicConfig, { query: { type: 'help', code: language } }, { quiet: true });

/** Required by the home page. */
export const homeQueries = (language: Language) => [plansQuery(language)] as const;

/** Optional content of the home page. */
export const homeExtras = (language: Language) => [bannerQuery(language), helpQuery(language)] as const;
