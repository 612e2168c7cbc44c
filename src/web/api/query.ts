import { queryOptions } from '@tanstack/react-query';
import type { Endpoint, Input, Result } from '../../contract/endpoint.ts';
import { ApiError } from './api-error.ts';
import { call, type CallArguments, type CallOptions } from './client.ts';
import { serverCallOf } from './transport.ts';

const minuteMs = 60_000;

/** Answers that belong to one person go stale at once when they are looked at again; the shop's own stay a while. */
const staleAfterMs = { customer: 10_000, optional: minuteMs, public: 5 * minuteMs } as const;

type Quietness = Pick<CallOptions, 'quiet' | 'owns'>;

/** The input of a query, which may be left out where the endpoint takes none. */
type QueryArguments<E extends Endpoint> =
  unknown extends Input<E> ? [input?: Input<E>, quietness?: Quietness] : [input: Input<E>, quietness?: Quietness];

/**
 * Query options of a call that reads. Loaders and components share them; the key is [name, input] and nothing else.
 * `meta.personal` tells what logout removes. Retries are the client's, so that they are not multiplied.
 */
export function q<E extends Endpoint>(endpoint: E, ...rest: QueryArguments<E>) {
  const [input, quietness] = rest;
  return queryOptions({
    queryKey: [endpoint.name, input ?? {}] as const,
    queryFn: ({ client, signal }): Promise<Result<E>> => {
      const inProcess = serverCallOf(client);
      // `input` was checked against E above; leaving it out is only allowed where Input<E> is unknown.
      if (inProcess) return inProcess(endpoint, input as Input<E>).catch((thrown: unknown) => refuse(endpoint, thrown));
      // The same holds for the tuple that `call` takes.
      return call(endpoint, ...([input, { ...quietness, signal }] as unknown as CallArguments<E>));
    },
    staleTime: staleAfterMs[endpoint.access],
    retry: false,
    meta: { personal: endpoint.access === 'customer' },
  });
}

/** The in-process call rejects with `{ errCode }`; pages meet the same error as over the network. */
function refuse(endpoint: Endpoint, thrown: unknown): never {
  const code = thrown instanceof Object && 'errCode' in thrown ? Number(thrown.errCode) : NaN;
  if (Number.isInteger(code)) throw new ApiError('refused', endpoint.name, { code });
  throw thrown;
}
