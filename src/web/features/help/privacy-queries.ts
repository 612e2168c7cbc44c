import type { Language } from '../../../contract/fields.ts';
import { dynamicConfig } from '../../../contract/site.ts';
import { q } from '../../api/query.ts';

/** The two documents that a customer agrees to. */
export const privacyQueries = (language: Language) =>
  [
    q(dynamicConfig, { query: { type: 'terms', code: language } }),
    q(dynamicConfig, { query: { type: 'privacy', code: language } }),
  ] as const;
