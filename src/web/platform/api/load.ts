import type { EnsureQueryDataOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { languageSchema, type Language } from '#contract/fields.ts';
import type { q } from './query.ts';
import type { RouterContext } from './router-context.ts';

/** The language that a loader fetches in. */
export function languageOf({ i18n, brand }: RouterContext): Language {
  const parsed = v.safeParse(languageSchema, i18n.locale);
  return parsed.success ? parsed.output : brand.siteConfig.defaultLang;
}

type Query = Pick<ReturnType<typeof q>, 'queryKey'>;

/**
 * Loads a page's queries before it is shown; components then read the same keys. `extras` are fetched too, but the page
 * is shown without those that fail, and in the browser it does not wait for them.
 */
export async function load(
  { queryClient }: RouterContext,
  queries: readonly Query[],
  extras: readonly Query[] = [],
): Promise<void> {
  const fetched = (list: readonly Query[]) =>
    // as: each came from `q()`, which typed it; a list cannot have the type of every one
    (list as readonly unknown[] as readonly EnsureQueryDataOptions[]).map((query) =>
      queryClient.ensureQueryData(query),
    );
  const further = Promise.allSettled(fetched(extras));
  await Promise.all(fetched(queries));
  if (typeof document === 'undefined') await further;
}
