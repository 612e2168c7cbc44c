import {
  queryOptions,
  type InvalidateQueryFilters,
  type QueryClient,
  type EnsureQueryDataOptions,
} from '@tanstack/react-query';
import type { Endpoint, Input, Result } from '#contract/endpoint.ts';
import { call, type CallArguments } from './client.ts';
import type { CallOptions } from './exchange.ts';
import { serverCallOf } from './transport.ts';
import * as v from 'valibot';
import { languageSchema, type Language } from '#contract/fields.ts';
import type { RouterContext } from './router-context.ts';

const minuteMs = 60_000;

/** Personal answers go stale soon; the shop's own are fresh for longer. */
const staleAfterMs = { customer: 10_000, optional: minuteMs, public: 5 * minuteMs } as const;

interface Quietness extends Pick<CallOptions, 'quiet' | 'shownErrors'> {
  /** the answer of an optional-login endpoint is personal here */
  readonly personal?: true;
}

/** The input of a query, which is optional where the endpoint takes none. */
type QueryArguments<E extends Endpoint> =
  unknown extends Input<E> ? [input?: Input<E>, quietness?: Quietness] : [input: Input<E>, quietness?: Quietness];

/**
 * Query options of a call that reads. Loaders and components share them; the key is [name, input] and nothing else.
 * `meta.personal` selects what logout removes. The API client retries, so queries do not.
 */
export function q<E extends Endpoint>(endpoint: E, ...rest: QueryArguments<E>) {
  const [input, { personal = endpoint.access === 'customer', ...quietness } = {}] = rest;
  return queryOptions({
    queryKey: [endpoint.name, input ?? {}] as const,
    queryFn: (query): Promise<Result<E>> => {
      const inProcess = serverCallOf(query.client);
      // as: `input` was checked against E above; it is optional only where Input<E> is unknown
      if (inProcess) return inProcess(endpoint, input as Input<E>);
      // as: the same holds for the tuple that `call` takes
      return call(endpoint, ...([input, { ...quietness, signal: query.signal, query }] as unknown as CallArguments<E>));
    },
    staleTime: staleAfterMs[personal ? 'customer' : endpoint.access],
    retry: false,
    meta: { personal },
  });
}

/** Personal queries, by the `meta` of `q`. */
export const personalQueries = {
  predicate: ({ meta }: { meta?: Record<string, unknown> | undefined }) => meta?.['personal'] === true,
};

/**
 * Refetches queries that a change has made stale, and resolves when what is shown is current. A fetch in progress was
 * sent before the change, and TanStack Query would treat its answer as the new one (it joins a fetch that has no data
 * yet: `Query.fetch`), so those queries are fetched again.
 */
export async function refreshQueries(client: QueryClient, filters: InvalidateQueryFilters) {
  const fetching = client.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' });
  const isJoined = (data: unknown) => data === undefined || filters.refetchType === 'none';
  const joined = fetching.filter(({ state }) => isJoined(state.data));
  await client.invalidateQueries(filters);
  if (joined.length === 0) return;
  await Promise.allSettled(joined.map(async ({ promise }) => promise));
  await client.invalidateQueries({ predicate: (query) => joined.includes(query) });
}

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

/** Longer than a response takes on a slow network. */
const aboveMs = 3000;

/**
 * Loads an extra that is drawn above other parts of a page. The page waits for it, because a part that came later would
 * move the others away under a finger. It does not wait long, and is shown without it.
 */
export async function loadAbove({ queryClient }: RouterContext, query: Query): Promise<void> {
  // as: as above
  const found = queryClient.ensureQueryData(query as EnsureQueryDataOptions).catch(() => undefined);
  await Promise.race([found, new Promise((resolve) => setTimeout(resolve, aboveMs))]);
}
