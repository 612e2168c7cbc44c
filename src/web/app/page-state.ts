import * as v from 'valibot';
import { functionConfigSchema, siteConfigSchema, themeSchema } from '../../contract/brand.ts';
import { languageSchema } from '../../contract/fields.ts';
import type { PageState } from '../../contract/page.ts';

const pageStateSchema = v.object({
  theme: themeSchema,
  siteConfig: siteConfigSchema,
  functionConfig: functionConfigSchema,
  messages: v.record(v.string(), v.string()),
  countryCode: v.string(),
  language: languageSchema,
  rendered: v.boolean(),
  queries: v.optional(v.unknown()),
});

export const pageStateId = 'page-state';

/** Reads what the server handed over ([Note: Page hand-over]); undefined on a page that came from a bare web server. */
export function readPageState(): PageState | undefined {
  const element = document.getElementById(pageStateId);
  if (!element?.textContent) return undefined;
  const parsed = v.safeParse(pageStateSchema, JSON.parse(element.textContent));
  return parsed.success ? parsed.output : undefined;
}
