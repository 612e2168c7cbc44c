import * as v from 'valibot';
import { functionConfigSchema, siteConfigSchema, themeSchema } from '#contract/brand.ts';
import { languageSchema } from '#contract/fields.ts';
import type { PageState } from '#contract/page.ts';

const pageStateSchema = v.object({
  theme: themeSchema,
  siteConfig: siteConfigSchema,
  functionConfig: functionConfigSchema,
  messages: v.record(v.string(), v.unknown()),
  countryCode: v.string(),
  language: languageSchema,
  rendered: v.boolean(),
  queries: v.optional(v.unknown()),
});

/**
 * Reads the state that the server wrote into the page, or the worker in its place; undefined on a page from a static
 * web server.
 */
export function readPageState(id = 'page-state'): PageState | undefined {
  const element = document.getElementById(id);
  if (!element?.textContent) return undefined;
  const parsed = v.safeParse(pageStateSchema, JSON.parse(element.textContent));
  return parsed.success ? parsed.output : undefined;
}
