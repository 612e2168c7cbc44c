import * as v from 'valibot';
import { brandMessagesSchema } from './brand-messages.ts';
import { functionConfigSchema, siteConfigSchema, themeSchema } from './brand.ts';
import { languageSchema, textSchema } from './fields.ts';

/** The brand data of a page, in the page's language. */
export const savedStateSchema = v.object({
  theme: themeSchema,
  siteConfig: siteConfigSchema,
  functionConfig: functionConfigSchema,
  messages: brandMessagesSchema,
  countryCode: textSchema,
  language: languageSchema,
});
export type SavedState = v.InferOutput<typeof savedStateSchema>;

/**
 * - `SKIP_WAITING`: the customer accepted the update.
 * - `BRAND`: the brand data of a page that the server has just rendered.
 * - `KEEP`: cache the brand's messages, styles, plans and documents for offline use.
 * - `WIPE`: the customer logged out; delete every cache with personal data.
 */
export const workerMessageSchema = v.variant('type', [
  v.object({ type: v.literal('SKIP_WAITING') }),
  v.object({ type: v.literal('BRAND'), brand: savedStateSchema }),
  v.object({ type: v.literal('KEEP'), language: languageSchema }),
  v.object({ type: v.literal('WIPE') }),
]);
export type WorkerMessage = v.InferOutput<typeof workerMessageSchema>;
