import type { Language } from '#contract/fields.ts';
import { contactUs } from '#contract/site.ts';
import { dynamicConfig } from '#contract/documents.ts';
import { q } from '#web/platform/api/query.ts';

/** The two documents that a customer agrees to. */
export const privacyQueries = (language: Language) =>
  [
    q(dynamicConfig, { query: { type: 'terms', code: language } }),
    q(dynamicConfig, { query: { type: 'privacy', code: language } }),
  ] as const;

/** The questions and answers that the operator edits. */
export const helpQueries = (language: Language) =>
  [q(dynamicConfig, { query: { type: 'help', code: language } })] as const;

/** How to contact the operator; the site config is the fallback until it is loaded. */
export const contactQuery = q(contactUs, {}, { quiet: true });
