import * as v from 'valibot';
import { text } from './fields.ts';

/**
 * What a brand says its own way, by message id: a text or, where it has values, plurals or choices, its parts as lingui's
 * compiled catalogues have them: `['Hello ', ['name']]`. Whoever draws it makes text of every part, and never markup.
 */
export const brandWordsSchema = v.record(text(120), v.union([text(600), v.array(v.unknown())]));
export type SentWords = v.InferOutput<typeof brandWordsSchema>;

/** The same in a page that the server has made of them a moment ago. */
export type BrandWords = Readonly<Record<string, unknown>>;
