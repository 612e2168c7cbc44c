import * as v from 'valibot';
import { brandWordsSchema } from './brand-words.ts';
import { functionConfigSchema, siteConfigSchema, themeSchema } from './brand.ts';
import { languageSchema, textSchema } from './fields.ts';

/** What a page knows about its brand before anything is fetched, in the language that it came in. */
export const savedStateSchema = v.object({
  theme: themeSchema,
  siteConfig: siteConfigSchema,
  functionConfig: functionConfigSchema,
  messages: brandWordsSchema,
  countryCode: textSchema,
  language: languageSchema,
});
export type SavedState = v.InferOutput<typeof savedStateSchema>;

/**
 * - `SKIP_WAITING`: the customer accepted the update;
 * - `BRAND`: what this page, made by the server now, knows about the brand ([Note: Kept shell]);
 * - `KEEP`: save the brand's words, looks, plans and documents for a later time without network;
 * - `WIPE`: the customer left; drop every cache that is not the shop's own.
 */
export const workerMessageSchema = v.variant('type', [
  v.object({ type: v.literal('SKIP_WAITING') }),
  v.object({ type: v.literal('BRAND'), brand: savedStateSchema }),
  v.object({ type: v.literal('KEEP'), language: languageSchema }),
  v.object({ type: v.literal('WIPE') }),
]);
export type WorkerMessage = v.InferOutput<typeof workerMessageSchema>;
