import type { EnsureQueryDataOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { languageSchema, type Language } from '../../contract/fields.ts';
import type { q } from '../api/query.ts';
import type { RouterContext } from './router-context.ts';

/** The language that a loader fetches in. */
export function languageOf({ i18n, brand }: RouterContext): Language {
  const parsed = v.safeParse(languageSchema, i18n.locale);
  return parsed.success ? parsed.output : brand.siteConfig.defaultLang;
}

type Query = Pick<ReturnType<typeof q>, 'queryKey'>;

/** Brings a page's queries in before it is shown; components then read the same keys. */
export async function load({ queryClient }: RouterContext, queries: readonly Query[]): Promise<void> {
  // Each came from `q()`, which typed it; a list cannot carry the type of every one.
  const options = queries as readonly unknown[] as readonly EnsureQueryDataOptions[];
  await Promise.all(options.map((query) => queryClient.ensureQueryData(query)));
}
