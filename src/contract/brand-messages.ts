import * as v from 'valibot';
import { text } from './fields.ts';

/**
 * Messages that a brand replaces, by message ID: a text or, if it has values, plurals or choices, its parts in lingui's
 * compiled form: `['Hello ', ['name']]`. Every part must be rendered as text, never as markup.
 */
export const brandMessagesSchema = v.record(text(120), v.union([text(600), v.array(v.unknown())]));
export type CompiledBrandMessages = v.InferOutput<typeof brandMessagesSchema>;

/** The same as embedded in a page by the server that compiled them. */
export type BrandMessages = Readonly<Record<string, unknown>>;
