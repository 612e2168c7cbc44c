import { queryOptions, type InvalidateQueryFilters, type QueryClient } from '@tanstack/react-query';
import type { Endpoint, Input, Result } from '#contract/endpoint.ts';
import { call, type CallArguments } from './client.ts';
import type { CallOptions } from './exchange.ts';
import { serverCallOf } from './transport.ts';

const minuteMs = 60_000;

/** Answers that belong to one person go stale at once when they are looked at again; the shop's own stay a while. */
const staleAfterMs = { customer: 10_000, optional: minuteMs, public: 5 * minuteMs } as const;

interface Quietness extends Pick<CallOptions, 'quiet' | 'callerShows'> {
  /** of a call that anybody may make: this answer is for who is signed in alone */
  readonly personal?: true;
}

/** The input of a query, which may be left out where the endpoint takes none. */
type QueryArguments<E extends Endpoint> =
  unknown extends Input<E> ? [input?: Input<E>, quietness?: Quietness] : [input: Input<E>, quietness?: Quietness];

/**
 * Query options of a call that reads. Loaders and components share them; the key is [name, input] and nothing else.
 * `meta.personal` tells what logout removes. Retries are the client's, so that they are not multiplied.
 */
export function q<E extends Endpoint>(endpoint: E, ...rest: QueryArguments<E>) {
  const [input, { personal = endpoint.access === 'customer', ...quietness } = {}] = rest;
  return queryOptions({
    queryKey: [endpoint.name, input ?? {}] as const,
    queryFn: (query): Promise<Result<E>> => {
      const inProcess = serverCallOf(query.client);
      // `input` was checked against E above; leaving it out is only allowed where Input<E> is unknown.
      if (inProcess) return inProcess(endpoint, input as Input<E>);
      // The same holds for the tuple that `call` takes.
      return call(endpoint, ...([input, { ...quietness, signal: query.signal, query }] as unknown as CallArguments<E>));
    },
    staleTime: staleAfterMs[personal ? 'customer' : endpoint.access],
    retry: false,
    meta: { personal },
  });
}

/** What was read of this customer, as `q` marks it. */
export const personalQueries = {
  predicate: ({ meta }: { meta?: Record<string, unknown> | undefined }) => meta?.['personal'] === true,
};

/**
 * Reads again what a change has made old, and ends when what is on the screen is new. An answer that is still on its way
 * was asked for before the change, and TanStack Query would take it for the new one (it joins a fetch that has no data
 * yet: `Query.fetch`), so it is read once more.
 */
export async function refreshQueries(client: QueryClient, filters: InvalidateQueryFilters) {
  const fetching = client.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' });
  const isJoined = (data: unknown) => data === undefined || filters.refetchType === 'none';
  const asked = fetching.filter(({ state }) => isJoined(state.data));
  await client.invalidateQueries(filters);
  if (asked.length === 0) return;
  await Promise.allSettled(asked.map(async ({ promise }) => promise));
  await client.invalidateQueries({ predicate: (query) => asked.includes(query) });
}
