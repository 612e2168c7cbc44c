import type { Language } from '../../../contract/fields.ts';
import { contactUs, dynamicConfig } from '../../../contract/site.ts';
import { q } from '../../api/query.ts';

/** The questions and answers that the operator edits. */
export const helpQueries = (language: Language) =>
  [q(dynamicConfig, { query: { type: 'help', code: language } })] as const;

/** How to reach a person; the site config stands in for it until it is there. */
export const contactQuery = q(contactUs, {}, { quiet: true });
