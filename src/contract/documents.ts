import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { languageSchema, ownPathSchema, text } from './fields.ts';

/** Documents that operators edit: `privacy`, `terms` and `help`, each in the language `code`. */
export const dynamicConfigTypeSchema = v.picklist(['privacy', 'terms', 'help']);

export const documentSchema = v.object({
  title: text(120),
  updatedAt: v.number(),
  sections: v.array(
    v.object({
      heading: text(160),
      paragraphs: v.array(text(2000)),
      /** a related page of this site; only in help */
      link: v.optional(v.object({ to: ownPathSchema, text: text(80) })),
    }),
  ),
});

export type Document = v.InferOutput<typeof documentSchema>;

/** A document of the brand: its terms, its privacy policy or its help. */
export const dynamicConfig = endpoint({
  name: 'dynamicConfig',
  method: 'GET',
  path: '/api/site/dynamic/config/v1',
  query: v.strictObject({ type: dynamicConfigTypeSchema, code: languageSchema }),
  result: documentSchema,
  errors: ['pageNotFound'],
});

/** The current banners of the brand, in the order in which they are shown. */
export const banner = endpoint({
  name: 'banner',
  method: 'GET',
  path: '/api/site/banner/v1',
  query: v.strictObject({ language: v.optional(languageSchema) }),
  result: v.array(v.object({ id: text(40), text: text(200), link: v.optional(ownPathSchema) })),
});
