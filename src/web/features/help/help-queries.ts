import type { Language } from '../../../contract/fields.ts';
import { dynamicConfig } from '../../../contract/site.ts';
import { q } from '../../api/query.ts';

/** The questions and answers that the operator edits. */
export const helpQueries = (language: Language) =>
  [q(dynamicConfig, { query: { type: 'help', code: language } })] as const;
